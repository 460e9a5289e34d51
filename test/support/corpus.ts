import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { Need } from './needs.ts'

const folder = path.resolve(import.meta.dirname, '../../../shared/corpus')

/** Whether the corpus of real build files lies beside this project; it is not part of it. */
export const hasCorpus = existsSync(path.join(folder, 'configs.jsonl'))

/** What tests over it need. */
export const corpus: Need = {
  tests: 'over the corpus of real build files',
  missing: hasCorpus ? undefined : '../shared/corpus is not beside this checkout',
}

export type CorpusFile = 'configs' | 'expected' | 'probes' | 'mutants' | 'conditions'

/** The lines of a file of the corpus; none where there is no corpus. */
export function readCorpus<Line>(file: CorpusFile): Line[] {
  if (!hasCorpus) return []
  const text = readFileSync(path.join(folder, `${file}.jsonl`), 'utf8')
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Line)
}
