type Config = Readonly<Record<string, unknown>>

const hidden = '[secure]'

/** The add-ons of a job that hold no secrets and are shown (SV-35). */
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

/** A build's configuration as the API shows it: no secure value, sealed or not (D5, SV-35). */
export function shownBuildConfig(config: Config): Record<string, unknown> {
  const shown = masked(config) as Record<string, unknown>
  if (config.env === undefined || config.env === null) return shown
  return { ...shown, env: rowsOf(config.env).map(envLine) }
}

/** A job's configuration as the API shows it. From a fork, secure entries are left out altogether. */
export function shownJobConfig(config: Config, fromFork: boolean): Record<string, unknown> {
  const { deploy: _deploy, addons, env, global_env, ...rest } = config
  const shown = masked(rest) as Record<string, unknown>
  const kept = addonsShown(addons)
  return {
    ...shown,
    ...(kept === undefined ? {} : { addons: kept }),
    ...(env === undefined ? {} : { env: jobEnv(env, fromFork) }),
    ...(global_env === undefined ? {} : { global_env: jobEnv(global_env, fromFork) }),
  }
}

function addonsShown(addons: unknown): Record<string, unknown> | undefined {
  if (!isMap(addons)) return undefined
  return Object.fromEntries(
    Object.entries(masked(addons) as Config).filter(([name]) => shownAddons.includes(name)),
  )
}

function masked(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(masked)
  if (!isMap(value)) return value
  if ('secure' in value) return hidden
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => key !== 'source_key')
      .map(([key, member]) => [key, masked(member)]),
  )
}

/** The rows of a build's `env`: one string each, whatever form they were written in. */
function rowsOf(env: unknown): unknown[] {
  if (Array.isArray(env)) return env
  if (!isMap(env)) return [env]
  const { global, jobs, matrix, ...rest } = env
  const rows = [global, jobs ?? matrix].flatMap((part) => (part === undefined ? [] : part))
  return rows.length > 0 ? rows : [rest]
}

function jobEnv(env: unknown, fromFork: boolean): string | null {
  const entries = Array.isArray(env) ? env : [env]
  const shown = entries.filter((entry) => !(fromFork && isSecure(entry))).map(envLine)
  return shown.length > 0 ? shown.join(' ') : null
}

function envLine(entry: unknown): string {
  if (Array.isArray(entry)) return entry.map(envLine).join(' ')
  if (!isMap(entry)) return String(entry)
  if (isSecure(entry)) return hidden
  return Object.entries(entry)
    .map(([name, value]) => `${name}=${isMap(value) ? hidden : String(value)}`)
    .join(' ')
}

function isSecure(value: unknown): boolean {
  return isMap(value) && 'secure' in value
}

function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
