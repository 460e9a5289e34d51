import { isMap, isSecure } from '../domain/config/config-value.ts'
import type { JobConfig } from '../domain/job/job.ts'
import { type Decrypt, mostDecrypted } from '../secrets/secure-value.ts'
import { phaseNames } from './phases.ts'
import { undecryptable } from './variables/config-env.ts'

export interface OpenedConfig {
  config: JobConfig
  /** The decrypted texts. */
  secrets: string[]
  /** Notes on values that were left out, with their locations. */
  notes: string[]
  /** Whether anything was left out because the job gets no encrypted values. */
  withheld: boolean
}

/**
 * A job's config with its encrypted values decrypted, at any depth. Values of `env` are left to
 * `configEnv`; values of `deploy`, and values that cannot be decrypted, stay as they are. Without
 * `decrypt`, the parts that hold secrets are removed.
 */
export function openConfig(config: JobConfig, decrypt: Decrypt | null): OpenedConfig {
  return decrypt ? decrypted(config, decrypt) : withheldFrom(config)
}

function withheldFrom(config: JobConfig): OpenedConfig {
  const { env: _env, deploy: _deploy, ...others } = config
  const withheld = Object.values(others).some(hasSecure)
  return { config: withoutSecrets(config), secrets: [], notes: [], withheld }
}

function decrypted(config: JobConfig, decrypt: Decrypt): OpenedConfig {
  const secrets: string[] = []
  const notes: string[] = []
  const opened = Object.entries(config).map(([key, value]) => [
    key,
    key === 'env' || key === 'deploy' ? value : open(value, key),
  ])
  return { config: Object.fromEntries(opened) as JobConfig, secrets, notes, withheld: false }

  function open(value: unknown, path: string): unknown {
    if (Array.isArray(value)) {
      return value.map((each: unknown, index) => open(each, `${path}[${index}]`))
    }
    if (!isMap(value)) return value
    if (isSecure(value)) return openValue(value, path)
    const members = Object.entries(value)
    return Object.fromEntries(members.map(([key, each]) => [key, open(each, `${path}.${key}`)]))
  }

  function openValue(value: { secure: unknown }, path: string): unknown {
    const encrypted = String(value.secure)
    const text = decrypt(encrypted)
    if (text !== undefined) secrets.push(text)
    else if (!isOfPhase(path)) notes.push(noteOn(encrypted, path, decrypt))
    return text ?? value
  }
}

function noteOn(encrypted: string, path: string, decrypt: Decrypt): string {
  const what = `The encrypted value at ${decrypt.where?.(encrypted) ?? path}`
  if (decrypt.skips?.(encrypted) !== true) return `${what} ${undecryptable}`
  return `${what} is left out: only the first ${mostDecrypted} different encrypted values of a job are decrypted.`
}

/** Whether a value is a line of a phase: if not decrypted, the line ends the job, and prints the reason. */
function isOfPhase(path: string): boolean {
  return phaseNames.some((name) => path === name || path.startsWith(`${name}[`))
}

function hasSecure(value: unknown): boolean {
  if (isSecure(value)) return true
  if (Array.isArray(value)) return value.some(hasSecure)
  return isMap(value) && Object.values(value).some(hasSecure)
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
