import type { ConditionData } from '../conditions/data.ts'
import { rootOf } from './drafts/draft.ts'
import { type Findings, judgeOf } from './rules/judge.ts'
import type { Config } from './values.ts'

export interface RootCondition extends Findings {
  condition: string
  holds: boolean
}

/** The `if` of the root, which decides on the whole build; null if there is none. */
export function rootCondition(config: Config, event: ConditionData): RootCondition | null {
  const { if: written } = config
  if (written === undefined || written === null) return null
  const judge = judgeOf(rootOf(config), event)
  const condition = typeof written === 'string' ? written : JSON.stringify(written)
  return { condition, holds: judge.holds(written), ...judge.findings(written) }
}
