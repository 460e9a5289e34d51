import { isMap } from '../../../domain/config/config-value.ts'
import { type Condition, ConditionError, variableNames } from '../../conditions/condition.ts'
import type { ConditionData } from '../../conditions/data.ts'
import { evaluate, resultOf } from '../../conditions/evaluate.ts'
import { explain } from '../../conditions/explain.ts'
import { parseCondition } from '../../conditions/parse.ts'
import { type Draft, type Root, valueOf } from '../drafts/draft.ts'
import { type Config, listOf } from '../values.ts'

/** Decides the conditions of one build. */
export interface Judge {
  /** Whether the `if` of a job or a rule holds for the job; a missing condition holds. */
  holdsFor(draft: Draft, condition: unknown): boolean
  /** Whether a condition of the whole build holds; a missing condition holds. */
  holds(condition: unknown): boolean
  /** Why a condition failed, for a job or else for the whole build. */
  findings(condition: unknown, draft?: Draft): Findings
}

export interface Findings {
  /** The variables and calls in the condition, as written, with their values. */
  saw: { text: string; value: unknown }[]
  /** Why the condition cannot be read or evaluated, which counts as false (CF-30). */
  error: string | null
}

/** Without an event every condition counts as true. */
export function judgeOf(root: Root, event: ConditionData | undefined): Judge {
  if (!event) {
    return { holdsFor: () => true, holds: () => true, findings: () => ({ saw: [], error: null }) }
  }
  const read = reader()
  const whole = dataOfRoot(root, event)
  const dataOf = dataOfJobs(root, event)

  function holdsWith(condition: unknown, data: ConditionData): boolean {
    const { parsed } = read(condition)
    return parsed !== null && resultOf(() => evaluate(parsed, data)).result
  }

  return {
    holds: (condition) => isAbsent(condition) || holdsWith(condition, whole),
    holdsFor: (draft, condition) => isAbsent(condition) || holdsWith(condition, dataOf(draft)),
    findings(condition, draft) {
      const { parsed, error } = read(condition)
      return parsed ? findingsOf(parsed, draft ? dataOf(draft) : whole) : { saw: [], error }
    },
  }
}

function isAbsent(condition: unknown): boolean {
  return condition === undefined || condition === null
}

interface Read {
  parsed: Condition | null
  error: string | null
}

/** Reads each condition once, because many jobs may have the same condition. */
function reader(): (condition: unknown) => Read {
  const known = new Map<unknown, Read>()
  return (condition) => {
    const read = known.get(condition) ?? readCondition(condition)
    known.set(condition, read)
    return read
  }
}

function readCondition(condition: unknown): Read {
  if (typeof condition !== 'string') return { parsed: null, error: 'it is not a text' }
  try {
    return { parsed: parseCondition(condition), error: null }
  } catch (error) {
    if (!(error instanceof ConditionError)) throw error
    return { parsed: null, error: error.message }
  }
}

function findingsOf(condition: Condition, data: ConditionData): Findings {
  const { terms } = explain(condition, data)
  const seen = new Map(terms.flatMap(({ saw }) => saw).map((one) => [one.text, one]))
  return {
    saw: [...seen.values()],
    error: terms.find(({ error }) => error !== null)?.error ?? null,
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

/** The data returned is valid until the next call. */
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

/** The job's or root's keys override the event's; their `env` comes last, and the last values win. */
function laidOver(
  event: ConditionData,
  valueOf: (name: string) => unknown,
  envOf: () => unknown[],
): ConditionData {
  // Getters, because few variables are read, and `env` may be long.
  const getters = variableNames.map((name) => [name, { get: () => valueOf(name) ?? event[name] }])
  const env = { get: () => [...(event.env ?? []), ...envOf().filter(isDefinition)] }
  return Object.defineProperties({}, Object.fromEntries([...getters, ['env', env]]))
}

function isDefinition(entry: unknown): entry is string | Config {
  return typeof entry === 'string' || isMap(entry)
}
