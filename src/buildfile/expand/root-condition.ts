import type { ConditionData } from '../conditions/data.ts'
import { rootOf } from './draft.ts'
import { type Findings, judgeOf } from './judge.ts'
import type { Config } from './values.ts'

export interface RootCondition extends Findings {
  condition: string
  holds: boolean
}

/** The `if` of the root, which decides on the whole build; null where there is none. */
export function rootCondition(config: Config, event: ConditionData): RootCondition | null {
  const { if: given } = config
  if (given === undefined || given === null) return null
  const judge = judgeOf(rootOf(config), event)
  const condition = typeof given === 'string' ? given : JSON.stringify(given)
  return { condition, holds: judge.holds(given), ...judge.findings(given) }
}
