import type { Check } from '../../domain/request/check.ts'
import {
  faultyCondition,
  isJobUnreadable,
  isUnfetched,
  unusableCheck,
} from '../../domain/request/decision.ts'
import { isApiSource } from '../../domain/request/request.ts'

export const unusableTitle = 'The build file cannot be used'
const unusableConfigTitle = 'The configuration of the request cannot be used'
const unfetchedTitle = 'The build file could not be fetched'

/** Titles by the value that the check of a faulty condition has. */
const conditionTitles = [
  ['error', (condition) => `The ${condition} cannot be read, which counts as false`],
  ['never', (condition) => `The ${condition} can never hold`],
  ['suspect', (condition) => `A part of the ${condition} does not depend on the build`],
] as const satisfies readonly (readonly [name: string, title: (condition: string) => string])[]

/** Why nothing can be built. */
export interface Fault {
  title: string
  text: string
  source: Check['source']
}

export function faultOf(checks: readonly Check[]): Fault | undefined {
  const unusable = unusableCheck(checks)
  if (unusable) {
    const { values, source } = unusable
    const title = isBrought(source) ? unusableConfigTitle : unusableTitle
    const text = String(values.says)
    return { title: isUnfetched(unusable) ? unfetchedTitle : title, text, source }
  }
  const condition = faultyCondition(checks)
  if (!condition) return isJobUnreadable(checks) ? unreadableJob : undefined
  const { values, source } = condition
  const fault = conditionTitles.find(([name]) => (values[name] ?? null) !== null)
  if (!fault) return undefined
  const [name, titleOf] = fault
  const whose = isBrought(source) ? 'condition (if) of the request' : 'condition (if)'
  return { title: titleOf(whose), text: String(values[name]), source }
}

/** Whether the faulty text came with an API request. */
function isBrought(source: Check['source']): boolean {
  return source !== null && isApiSource(source.file)
}

/** A job is left out, but others are built: the finding about its condition has the line. */
const unreadableJob: Fault = {
  title: 'The condition (if) of a job cannot be read, so that job is left out',
  text: 'The other jobs are built. Correct the condition, or remove it.',
  source: null,
}
