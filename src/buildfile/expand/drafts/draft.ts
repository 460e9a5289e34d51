import { type Config, isEmpty } from '../values.ts'
import { type Axis, axesOf, type Cell } from './axes.ts'
import { type JobEnv, readEnv, type RootEnv } from './env.ts'
import { identities, type Identity } from './identity.ts'
import { matrixKeys } from './support.ts'

/** What all jobs of a build file have in common. */
export interface Root {
  config: Config
  axes: readonly Axis[]
  /** The keys that every job inherits. */
  shared: ReadonlyMap<string, unknown>
  env: RootEnv
  idOf: Identity
}

/** The origin of a job: a cell of the matrix, an entry of `jobs.include`, or the root alone. */
export type DraftSource =
  | { kind: 'matrix'; cell: Cell }
  | { kind: 'include'; index: number }
  | { kind: 'root' }

/** A job as its difference from the root; whole jobs are only made at the end. */
export interface Draft {
  source: DraftSource
  /** The job's own keys, except for `env`. They override shared keys. */
  own: Map<string, unknown>
  env: JobEnv | null
  /** The shared keys that the job does not have. */
  hidden: ReadonlySet<string>
}

const notShared = new Set([
  ...['jobs', 'import', 'stages', 'notifications', 'version', 'allow_failure', 'merge_mode'],
  'global_env',
])

/** Rule 17.5: jobs inherit all keys that are not empty, except for keys of the whole build. */
export function rootOf(config: Config): Root {
  const idOf = identities()
  const matrix = matrixKeys()
  const shared = Object.entries(config).filter(
    ([key, value]) => !matrix.has(key) && !notShared.has(key) && !isEmpty(value),
  )
  return { config, axes: axesOf(config), shared: new Map(shared), env: readEnv(config, idOf), idOf }
}

export function valueOf(root: Root, { own, hidden }: Draft, key: string): unknown {
  if (own.has(key)) return own.get(key)
  return hidden.has(key) ? undefined : root.shared.get(key)
}

/** The whole job. */
export function configOf(root: Root, { own, hidden, env }: Draft): Config {
  const job: Record<string, unknown> = {}
  // Spreading objects is several times slower here, and there may be many jobs.
  for (const [key, value] of own) put(job, key, value)
  for (const [key, value] of root.shared) {
    if (!own.has(key) && !hidden.has(key)) put(job, key, value)
  }
  if (env !== null) job.env = env.off ? false : [...root.env.global, ...env.entries]
  return job
}

/** Sets an own key, even `__proto__`, which objects treat specially. */
function put(job: Record<string, unknown>, key: string, value: unknown): void {
  if (key !== '__proto__') job[key] = value
  else Object.defineProperty(job, key, { value, enumerable: true })
}

/** A key for a job's difference from the root; jobs that are equal as a whole have the same key. */
export function keyOf({ shared, idOf }: Root, { own, hidden, env }: Draft): string {
  const differences: string[] = []
  for (const [key, value] of own) {
    const isInherited = shared.has(key) && idOf(shared.get(key)) === idOf(value)
    if (!isInherited) differences.push(`${idOf(key)}=${idOf(value)}`)
  }
  for (const key of hidden) if (!own.has(key)) differences.push(`${idOf(key)}=`)
  return `${env?.id ?? ''} ${differences.toSorted().join(' ')}`
}
