import { type Condition, ConditionError, variableNames } from '../conditions/condition.ts'
import type { ConditionData } from '../conditions/data.ts'
import { evaluate } from '../conditions/evaluate.ts'
import { parseCondition } from '../conditions/parse.ts'
import { type Draft, type Root, valueOf } from './draft.ts'
import { type Config, isMap, listOf } from './values.ts'

/** Decides the conditions of one build. */
export interface Judge {
  /** Whether the `if` of a job or a rule holds for the job; what has none holds. */
  holdsFor(draft: Draft, condition: unknown): boolean
  /** The same for what belongs to the whole build. */
  holds(condition: unknown): boolean
}

/** Without an event every condition counts as true. */
export function judgeOf(root: Root, event: ConditionData | undefined): Judge {
  if (!event) return { holdsFor: () => true, holds: () => true }
  const read = reader()
  const whole = dataOfRoot(root, event)
  const dataOf = dataOfJobs(root, event)

  return {
    holds: (condition) => isAbsent(condition) || isTrue(read(condition), whole),
    holdsFor: (draft, condition) => isAbsent(condition) || isTrue(read(condition), dataOf(draft)),
  }
}

function isAbsent(condition: unknown): boolean {
  return condition === undefined || condition === null
}

/** CF-30: what cannot be read or decided is false. */
function isTrue(condition: Condition | null, data: ConditionData): boolean {
  try {
    return condition !== null && evaluate(condition, data)
  } catch (error) {
    if (!(error instanceof ConditionError)) throw error
    return false
  }
}

/** Many jobs may have the same condition; it is read once. */
function reader(): (condition: unknown) => Condition | null {
  const known = new Map<unknown, Condition | null>()
  return (condition) => {
    const parsed = known.get(condition)
    if (parsed !== undefined) return parsed
    const fresh = typeof condition === 'string' ? readCondition(condition) : null
    known.set(condition, fresh)
    return fresh
  }
}

function readCondition(text: string): Condition | null {
  try {
    return parseCondition(text)
  } catch (error) {
    if (!(error instanceof ConditionError)) throw error
    return null
  }
}

function dataOfRoot({ config, env }: Root, event: ConditionData): ConditionData {
  const jobs = isMap(config.env) ? listOf(config.env.jobs) : []
  return laidOver(
    event,
    (name) => config[name],
    () => [...env.global, ...jobs],
  )
}

/** What it gives is good until the next job is asked about. */
function dataOfJobs(root: Root, event: ConditionData): (draft: Draft) => ConditionData {
  let current: Draft
  const data = laidOver(
    event,
    (name) => valueOf(root, current, name),
    () => [...root.env.global, ...(current.env?.entries ?? [])],
  )
  return (draft) => {
    current = draft
    return data
  }
}

/** The keys of what is tested count rather than those of the event; of `env`, the last ones. */
function laidOver(
  event: ConditionData,
  valueOf: (name: string) => unknown,
  envOf: () => unknown[],
): ConditionData {
  // Few of them are asked for, and `env` may be long.
  const getters = variableNames.map((name) => [name, { get: () => valueOf(name) ?? event[name] }])
  const env = { get: () => [...(event.env ?? []), ...envOf().filter(isDefinition)] }
  return Object.defineProperties({}, Object.fromEntries([...getters, ['env', env]]))
}

function isDefinition(entry: unknown): entry is string | Config {
  return typeof entry === 'string' || isMap(entry)
}
