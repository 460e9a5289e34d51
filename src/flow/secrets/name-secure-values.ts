import { isMap } from '../../domain/config/config-value.ts'
import { readSecretLine } from '../../script/variables/env-line.ts'
import type { Decrypt } from '../../secrets/secure-value.ts'
import type { BuildPlan } from '../build-file/plan-build.ts'

/**
 * Returns the plan with the names of variables whose names are encrypted together with their values: the
 * entry `{secure: …}` of an `env` becomes `{NAME: {secure: …, line: true}}`, which shows the name
 * without a key.
 */
export function nameSecureValues(plan: BuildPlan, decrypt: Decrypt): BuildPlan {
  const named = (env: unknown) => namedEnv(env, (encrypted) => namesIn(decrypt(encrypted)))
  return {
    ...plan,
    config: namedConfig(plan.config, named),
    plan: {
      ...plan.plan,
      jobs: plan.plan.jobs.map((job) => ({ ...job, config: withEnv(job.config, named) })),
    },
  }
}

/** The encrypted values of a plan whose variable names may be encrypted with them. */
export function unnamedValues({ config, plan }: BuildPlan): string[] {
  const found = new Set<string>()
  const look = (env: unknown) => {
    for (const entry of [env].flat(2)) {
      const encrypted = unnamedIn(entry)
      if (encrypted !== undefined) found.add(encrypted)
    }
    return env
  }
  namedConfig(config, look)
  for (const job of plan.jobs) look(job.config.env)
  return [...found]
}

function namesIn(text: string | undefined): string[] {
  const names = (readSecretLine(text ?? '') ?? []).map(({ name }) => name)
  // As the key of a mapping, this name would mark the whole entry as encrypted.
  return names.includes('secure') ? [] : names
}

type Named = (env: unknown) => unknown

/** Applies `named` in the whole file: to `env` or its parts, `global_env`, and the `env` of included jobs. */
function namedConfig(config: Record<string, unknown>, named: Named): Record<string, unknown> {
  const { env, global_env, jobs } = config
  const parts = isMap(env) && ('global' in env || 'jobs' in env) ? env : undefined
  const namedParts = parts && mapValues(parts, named)
  const include = isMap(jobs) && Array.isArray(jobs.include) ? jobs.include : undefined
  return {
    ...config,
    ...(env === undefined ? {} : { env: namedParts ?? named(env) }),
    ...(global_env === undefined ? {} : { global_env: named(global_env) }),
    ...(isMap(jobs) && include
      ? {
          jobs: {
            ...jobs,
            include: include.map((job: unknown) => (isMap(job) ? withEnv(job, named) : job)),
          },
        }
      : {}),
  }
}

function withEnv<T extends Record<string, unknown>>(config: T, named: Named): T {
  return config.env === undefined ? config : { ...config, env: named(config.env) }
}

function namedEnv(env: unknown, namesOf: (encrypted: string) => string[]): unknown {
  if (Array.isArray(env)) return env.map((entry) => namedEnv(entry, namesOf))
  const encrypted = unnamedIn(env)
  const names = encrypted === undefined ? [] : namesOf(encrypted)
  if (names.length === 0) return env
  return Object.fromEntries(names.map((name) => [name, { secure: encrypted, line: true }]))
}

function unnamedIn(entry: unknown): string | undefined {
  if (!isMap(entry) || Object.keys(entry).length !== 1) return
  return typeof entry.secure === 'string' ? entry.secure : undefined
}

function mapValues(map: Record<string, unknown>, change: Named): Record<string, unknown> {
  return Object.fromEntries(Object.entries(map).map(([key, value]) => [key, change(value)]))
}
