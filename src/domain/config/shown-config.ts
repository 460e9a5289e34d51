import { isMap, isSecure } from './config-value.ts'

type ShownConfig = Record<string, unknown>
type Config = Readonly<ShownConfig>

const hidden = '[secure]'

/** The add-ons of a job that contain no secrets and may be shown. */
const shownAddons = [
  'apt',
  'apt_packages',
  'apt_sources',
  'chrome',
  'firefox',
  'hosts',
  'mariadb',
  'postgresql',
  'ssh_known_hosts',
]

/** A build's configuration as the API shows it: no secure value, sealed or not (D5). */
export function presentBuildConfig({ global_env, ...config }: Config): ShownConfig {
  const shown = masked(config)
  const everywhere = listed(masked(global_env))
  if (!isNothing(config.env))
    return { ...shown, ...presentBuildEnv(masked(config.env), everywhere) }
  return everywhere.length === 0 ? shown : { ...shown, global_env: lineOf(everywhere) }
}

/** A request's configuration as V3 shows it: `env` is one string, and only add-ons shown for jobs appear. */
export function presentRequestConfig(config: Config): ShownConfig {
  const { addons, env, global_env, ...rest } = presentBuildConfig(config)
  return {
    ...rest,
    ...(isMap(addons) ? { addons: safeAddons(addons) } : {}),
    ...(isNothing(env) ? {} : { env: lineOf(env) }),
    ...(isNothing(global_env) ? {} : { global_env: lineOf(global_env) }),
  }
}

/** A job's configuration as the API shows it. For a fork, secure entries are omitted. */
export function presentJobConfig(config: Config, fromFork: boolean): ShownConfig {
  const { deploy: _deploy, addons, env, global_env, ...rest } = config
  return {
    ...masked(rest),
    ...(isMap(addons) ? { addons: safeAddons(addons) } : {}),
    ...(env === undefined ? {} : { env: presentJobEnv(env, fromFork) }),
    ...(global_env === undefined ? {} : { global_env: presentJobEnv(global_env, fromFork) }),
  }
}

function safeAddons(addons: Config): ShownConfig {
  return Object.fromEntries(
    Object.entries(masked(addons)).filter(([name]) => shownAddons.includes(name)),
  )
}

/** The value with its secure values masked. */
export function masked<T>(value: T): T
export function masked(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((member) => masked(member))
  if (!isMap(value)) return value
  if (isSecure(value)) return hidden
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => key !== 'source_key')
      .map(([key, member]) => [key, masked(member)]),
  )
}

/**
 * `env` as one string for each row of the matrix; variables of every job are in `global_env`, a key that
 * older files have themselves.
 */
function presentBuildEnv(
  env: unknown,
  ofOlderKey: readonly unknown[],
): { env: string[]; global_env?: string } {
  const { global, jobs, matrix, ...others } = isMap(env) ? env : { jobs: [env].flat() }
  const shared = [...ofOlderKey, ...listed(global), ...listed(others)].map(lineOf)
  const rows = listed(jobs ?? matrix).map(lineOf)
  const everywhere = shared.filter((line) => line !== '').join(' ')
  if (rows.length === 0 && isMap(env)) return { env: everywhere === '' ? [] : [everywhere] }
  return { env: rows, ...(everywhere === '' ? {} : { global_env: everywhere }) }
}

function presentJobEnv(env: unknown, fromFork: boolean): string | null {
  const entries = listed(env)
  const shown = fromFork ? entries.flatMap(withoutSecure) : entries
  const lines = shown.map((entry) => lineOf(masked(entry))).filter((line) => line !== '')
  return lines.length > 0 ? lines.join(' ') : null
}

function withoutSecure(entry: unknown): unknown[] {
  if (Array.isArray(entry)) return entry.flatMap(withoutSecure)
  if (!isMap(entry)) return [entry]
  if (isSecure(entry)) return []
  return [Object.fromEntries(Object.entries(entry).filter(([, value]) => !isSecure(value)))]
}

/** An entry of `env`, in any written form, as `NAME=value NAME2=value2`. */
function lineOf(entry: unknown): string {
  if (isNothing(entry)) return ''
  if (Array.isArray(entry)) return entry.map(lineOf).join(' ')
  if (!isMap(entry)) return textOf(entry)
  return Object.entries(entry)
    .map(([name, value]) => `${name}=${textOf(value)}`)
    .join(' ')
}

function textOf(value: unknown): string {
  if (isNothing(value)) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function listed(value: unknown): unknown[] {
  return isNothing(value) ? [] : [value].flat()
}

function isNothing(value: unknown): value is null | undefined {
  return value === undefined || value === null
}
