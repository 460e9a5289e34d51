import { type Condition, ConditionError } from '../../buildfile/conditions/condition.ts'
import { parseCondition } from '../../buildfile/conditions/parse.ts'
import type { LintContext } from './context.ts'
import { allConditions } from './sections.ts'
import type { FoundText } from './texts.ts'

export interface ReadCondition extends FoundText {
  condition: Condition
}

/** The readable conditions of a file; unreadable ones get a message of their own. Call through `once`. */
export function readConditions({ config, once }: LintContext): readonly ReadCondition[] {
  if (config.conditions === 'v0') return []
  return once(allConditions).flatMap((found) => {
    const condition = readCondition(found.text)
    return condition ? [{ ...found, condition }] : []
  })
}

function readCondition(text: string): Condition | undefined {
  try {
    return parseCondition(text)
  } catch (error) {
    if (!(error instanceof ConditionError)) throw error
    return undefined
  }
}
