import { isDeepStrictEqual } from 'node:util'
import type { PlannedJob } from '../../buildfile/expand/plan.ts'
import type { Config } from '../../buildfile/expand/values.ts'
import { isMap } from '../../domain/config/config-value.ts'
import type { AskedMachine } from '../../domain/job/machine.ts'
import type { BuildPlan } from './plan-build.ts'

type Read = Pick<BuildPlan, 'config' | 'messages' | 'raw'>
type Job = Pick<PlannedJob, 'config' | 'origin'>

/** The keys of a job's config that no text names: their values are defaults, and request nothing. */
export function assumedKeys(
  { config, origin }: Job,
  { config: root, messages, raw }: Read,
): string[] {
  if (raw.length === 0) return Object.keys(config)
  const own = entryOf(root, origin.entry)
  return messages
    .filter(({ code }) => code === 'default')
    .flatMap(({ args: { key, default: value } }) =>
      typeof key === 'string' &&
      !Object.hasOwn(own, key) &&
      isDeepStrictEqual([config[key]].flat(), [value].flat())
        ? key
        : [],
    )
}

/** The machine that the texts request for a job; no machine matches a value that is not a string. */
export function askedMachine({ config }: Job, assumed: readonly string[]): AskedMachine {
  const named = (key: string) => {
    const [value = null] = [config[key]].flat()
    if (value === null || assumed.includes(key)) return null
    return typeof value === 'string' ? value : JSON.stringify(value)
  }
  return { os: named('os'), arch: named('arch') }
}

/** The entry of `jobs.include` that a job is made of, counted from 1. */
function entryOf({ jobs }: Config, entry: number | undefined): object {
  if (entry === undefined || !isMap(jobs) || !Array.isArray(jobs.include)) return {}
  const found: unknown = jobs.include[entry - 1]
  return isMap(found) ? found : {}
}
