import { type Config, listOf, type Path } from '../../buildfile/expand/values.ts'
import { isMap } from '../../domain/config/config-value.ts'

export interface BranchEntry {
  list: 'only' | 'except'
  text: string
  path: Path
}

/** The entries of `branches.only` and `branches.except`. */
export function branchEntriesOf({ branches }: Config): BranchEntry[] {
  if (!isMap(branches)) return []
  return (['only', 'except'] as const).flatMap((list) =>
    listOf(branches[list]).flatMap((text, index): BranchEntry[] =>
      typeof text === 'string' ? [{ list, text, path: ['branches', list, index] }] : [],
    ),
  )
}
