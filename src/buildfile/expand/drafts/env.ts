import { isMap } from '../../../domain/config/config-value.ts'
import { type Config, isEmpty, listOf } from '../values.ts'
import type { Identity } from './identity.ts'

/** The `env` entries of a job, without entries that all jobs share. */
export interface JobEnv {
  entries: readonly unknown[]
  /** Identity of the list of entries. */
  id: number
  /** Set if the job's `env` is not a list but `false`, as at the root. */
  off?: true
}

/** The root's settings for the `env` of its jobs (rule 17.7). */
export interface RootEnv {
  global: readonly unknown[]
  isGlobal(entry: unknown): boolean
  /**
   * Reads the `env` of a job; a job without one has the first of `env.jobs`, even if that is empty. Null
   * where neither the job nor the root has a setting.
   */
  of(env: unknown): JobEnv | null
}

/** The old key `global_env` is used where `env.global` is missing. */
export function readEnv({ env, global_env }: Config, idOf: Identity): RootEnv {
  const shared = isMap(env) ? (env.global ?? global_env) : global_env
  const global = unique(listOf(shared), idOf)
  const ids = new Set(global.map(idOf))
  const isGlobal = (entry: unknown) => ids.has(idOf(entry))
  const isSet = env !== undefined && env !== null
  const known = new Map<unknown, JobEnv>()

  function jobEnv(entries: readonly unknown[]): JobEnv {
    return { entries, id: idOf(entries) }
  }

  function read(env: unknown): JobEnv {
    const own = listOf(env).map(withoutGlobal)
    const once = isSet ? unique(own, idOf) : own
    return jobEnv(once.filter((entry) => !isEmpty(entry) && !isGlobal(entry)))
  }

  function inherited(): JobEnv | null {
    if (env === false) return { entries: [], id: idOf(false), off: true }
    const rows = isMap(env) ? env.jobs : undefined
    const saysNothing = !isSet || (Array.isArray(rows) && rows.length === 0)
    if (saysNothing && !hasGlobal({ env, global_env })) return null
    const first = listOf(rows).slice(0, 1).map(withoutGlobal)
    return jobEnv(first.filter((entry) => !isGlobal(entry)))
  }

  const ofRoot = inherited()

  return {
    global,
    isGlobal,
    of(env) {
      if (env === undefined || env === null) return ofRoot
      const job = known.get(env) ?? read(env)
      known.set(env, job)
      return job
    },
  }
}

function hasGlobal({ env, global_env }: Config): boolean {
  return listOf(global_env).length > 0 || (isMap(env) && Array.isArray(env.global))
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
