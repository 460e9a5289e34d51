import type { Identity } from './identity.ts'
import { type Config, isEmpty, isMap, listOf } from '../values.ts'

/** The entries of a job that it does not share with all others. */
export interface JobEnv {
  entries: readonly unknown[]
  /** Of the list of entries. */
  id: number
}

/** What the root says about the env of its jobs (rule 17.7). */
export interface RootEnv {
  /** Every job has an `env` then, if only an empty one. */
  isSet: boolean
  global: readonly unknown[]
  isGlobal(entry: unknown): boolean
  /** Reads the env of a job; without one it has the first of `env.jobs`. */
  of(env: unknown): JobEnv
}

export function readEnv({ env }: Config, idOf: Identity): RootEnv {
  const global = unique(listOf(isMap(env) ? env.global : undefined), idOf)
  const ids = new Set(global.map(idOf))
  const first = listOf(isMap(env) ? env.jobs : undefined).slice(0, 1)
  const isGlobal = (entry: unknown) => ids.has(idOf(entry))
  const known = new Map<unknown, JobEnv>()

  function read(env: unknown): JobEnv {
    const own = listOf(env ?? first).map(withoutGlobal)
    const entries = unique(own, idOf).filter((entry) => !isEmpty(entry) && !isGlobal(entry))
    return { entries, id: idOf(entries) }
  }

  return {
    isSet: env !== undefined && env !== null,
    global,
    isGlobal,
    of(env) {
      const job = known.get(env) ?? read(env)
      known.set(env, job)
      return job
    },
  }
}

/** `global` has no meaning in a job. */
function withoutGlobal(entry: unknown): unknown {
  if (!isMap(entry) || !Object.hasOwn(entry, 'global')) return entry
  const { global: _global, ...others } = entry
  return others
}

function unique(values: readonly unknown[], idOf: Identity): unknown[] {
  const seen = new Set<number>()
  return values.filter((value) => seen.size < seen.add(idOf(value)).size)
}
