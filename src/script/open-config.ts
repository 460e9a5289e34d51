import { isMap, isSecure } from '../domain/config-value.ts'
import type { JobConfig } from '../domain/job/job.ts'
import type { Decrypt } from '../secrets/secure-value.ts'

interface OpenedConfig {
  config: JobConfig
  /** What was decrypted. */
  secrets: string[]
}

/**
 * A job's config with its encrypted values decrypted, wherever they stand; those of `env` are
 * left to `configEnv`, and others that cannot be decrypted stay as they are. Without `decrypt` the
 * parts that hold secrets are removed.
 */
export function openConfig(config: JobConfig, decrypt: Decrypt | null): OpenedConfig {
  if (!decrypt) return { config: withoutSecrets(config), secrets: [] }
  const secrets: string[] = []
  const opened = Object.entries(config).map(([key, value]) => [
    key,
    key === 'env' || key === 'deploy' ? value : open(value),
  ])
  return { config: Object.fromEntries(opened) as JobConfig, secrets }

  function open(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(open)
    if (!isMap(value)) return value
    if (isSecure(value)) {
      const text = decrypt?.(String(value.secure))
      if (text === undefined) return value
      secrets.push(text)
      return text
    }
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, open(member)]))
  }
}

/** The add-ons that need no secrets. */
const safeAddons = [
  ...['apt', 'apt_packages', 'apt_sources', 'browserstack', 'chrome', 'firefox', 'homebrew'],
  ...['hostname', 'hosts', 'mariadb', 'postgresql', 'rethinkdb', 'snaps', 'sonarcloud'],
  'ssh_known_hosts',
]

function withoutSecrets({ addons, deploy: _deploy, ...given }: JobConfig): JobConfig {
  const { env, ...others } = given
  const config = { ...(withoutSecure(others) as JobConfig), ...(env === undefined ? {} : { env }) }
  if (!isMap(addons)) return config
  const kept = Object.entries(addons).filter(([name]) => safeAddons.includes(name))
  return { ...config, addons: withoutSecure(Object.fromEntries(kept)) }
}

function withoutSecure(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter((each) => !isSecure(each)).map(withoutSecure)
  if (!isMap(value)) return value
  const kept = Object.entries(value).filter(([, member]) => !isSecure(member))
  return Object.fromEntries(kept.map(([key, member]) => [key, withoutSecure(member)]))
}
