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

  function decide(condition: unknown, data: () => ConditionData): boolean {
    if (condition === undefined || condition === null) return true
    const parsed = read(condition)
    return parsed !== null && isTrue(parsed, data())
  }

  return {
    holdsFor: (draft, condition) => decide(condition, () => dataOfJob(root, draft, event)),
    holds: (condition) => decide(condition, () => dataOfRoot(root, event)),
  }
}

/** CF-30: what cannot be decided is false. */
function isTrue(condition: Condition, data: ConditionData): boolean {
  try {
    return evaluate(condition, data)
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

function dataOfJob(root: Root, draft: Draft, event: ConditionData): ConditionData {
  const { env } = root
  return laidOver(
    event,
    (name) => valueOf(root, draft, name),
    () => [...env.global, ...(draft.env?.entries ?? [])],
  )
}

function dataOfRoot({ config, env }: Root, event: ConditionData): ConditionData {
  const jobs = isMap(config.env) ? listOf(config.env.jobs) : []
  return laidOver(
    event,
    (name) => config[name],
    () => [...env.global, ...jobs],
  )
}

/** The keys of what is tested count rather than those of the event; of `env`, the last ones. */
function laidOver(
  event: ConditionData,
  valueOf: (name: string) => unknown,
  envOf: () => unknown[],
): ConditionData {
  const given = variableNames.map((name) => [name, valueOf(name)] as const)
  const values = Object.fromEntries(given.filter(([, value]) => value !== undefined))
  return {
    ...event,
    ...values,
    // Seldom asked for, and long where there are many variables.
    get env() {
      return [...(event.env ?? []), ...envOf().filter(isDefinition)]
    },
  }
}

function isDefinition(entry: unknown): entry is string | Config {
  return typeof entry === 'string' || isMap(entry)
}
