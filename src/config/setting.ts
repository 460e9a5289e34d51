import { isQueueName, type QueueRule, readQueueRules } from '../domain/job/queue-rules.ts'
import { isNetwork } from './networks.ts'
import { readTrustProxy, type TrustProxy } from './trust-proxy.ts'

/** One setting: its variable, default, meaning, and how its text is parsed. */
export interface Setting<T> {
  variable: string
  /** What the table in `docs/settings.md` shows for a missing value. */
  shown: string
  meaning: string
  /** A secret is never shown, not even in an error. */
  secret: boolean
  fallback: T
  /** Throws an error that does not contain the value if the text is invalid. */
  read(text: string): T
}

interface SettingOptions {
  shown?: string
  secret?: boolean
}

function setting<T>(
  variable: string,
  fallback: T,
  meaning: string,
  read: (text: string) => T,
  { shown = String(fallback), secret = false }: SettingOptions = {},
): Setting<T> {
  return { variable, shown, meaning, secret, fallback, read }
}

export function text(variable: string, fallback: string, meaning: string, extra?: SettingOptions) {
  return setting(variable, fallback, meaning, (value) => value, extra)
}

/** An optional text; `shown` says what happens without it. */
export function optional(
  variable: string,
  shown: string,
  meaning: string,
  extra: SettingOptions = {},
) {
  return setting<string | undefined>(variable, undefined, meaning, (value) => value, {
    ...extra,
    shown,
  })
}

export function secret(variable: string, shown: string, meaning: string) {
  return optional(variable, shown, meaning, { secret: true })
}

/** A host name or an IP address. */
export function host(variable: string, fallback: string, meaning: string) {
  return setting(variable, fallback, meaning, (value) => {
    const named = value.includes(':') ? `[${value}]` : value
    if (/[\s/@?#]/.test(value) || !URL.canParse(`http://${named}`)) {
      throw new Error('must be a host name or an IP address')
    }
    return value
  })
}

/** An address and port to listen on: `127.0.0.1:9464`, `[::1]:9464`. */
export function address(variable: string, shown: string, meaning: string) {
  return setting<{ host: string; port: number } | undefined>(
    variable,
    undefined,
    meaning,
    (value) => {
      const [, host = '', port = ''] = /^(\[[\da-f:.]+\]|[^\s/@?#:]+):(\d{1,5})$/i.exec(value) ?? []
      if (host === '' || Number(port) > 65_535 || !URL.canParse(`http://${host}`)) {
        throw new Error('must be an address and a port, such as 127.0.0.1:9464')
      }
      return { host: host.replaceAll(/[[\]]/g, ''), port: Number(port) }
    },
    { shown },
  )
}

interface Range {
  min: number
  max: number
}

/** A whole number; `fallback` can be undefined where a missing value means several numbers. */
export function integer<T extends number | undefined>(
  variable: string,
  fallback: T,
  meaning: string,
  { min, max, ...extra }: Range & SettingOptions,
) {
  return setting<number | T>(
    variable,
    fallback,
    meaning,
    (value) => {
      const number = Number(value)
      if (!/^-?\d+$/.test(value) || number < min || number > max) {
        throw new Error(`must be a whole number from ${min} to ${max}`)
      }
      return number
    },
    extra,
  )
}

/** A number of bytes: `536870912`, `512m` or `2g`. */
export function bytes(variable: string, shown: string, meaning: string, least: number) {
  return setting<number | undefined>(
    variable,
    undefined,
    meaning,
    (value) => {
      const [, number = '', unit = ''] = /^(\d+(?:\.\d+)?)\s*([kmgt]?)(?:i?b)?$/i.exec(value) ?? []
      const found = Math.floor(Number(number) * 1024 ** ' kmgt'.indexOf(unit.toLowerCase() || ' '))
      if (number === '' || found < least) {
        throw new Error(`must be a number of bytes, such as 512m or 2g, and at least ${least}`)
      }
      return found
    },
    { shown },
  )
}

/** A number that need not be whole, above 0. */
export function decimal(variable: string, shown: string, meaning: string) {
  return setting<number | undefined>(
    variable,
    undefined,
    meaning,
    (value) => {
      const number = Number(value)
      if (!/^\d+(?:\.\d+)?$/.test(value) || number <= 0) {
        throw new Error('must be a number above 0, such as 1.5')
      }
      return number
    },
    { shown },
  )
}

/** The account of jobs in containers, as numbers: `1000` or `1000:1000`. */
export function account(variable: string, shown: string, meaning: string) {
  return setting(
    variable,
    { uid: 0, gid: 0 },
    meaning,
    (value) => {
      const [, uid, gid = uid] = /^(\d{1,9})(?::(\d{1,9}))?$/.exec(value) ?? []
      if (uid === undefined)
        throw new Error('must be numbers of a user and a group, such as 1000:1000')
      return { uid: Number(uid), gid: Number(gid) }
    },
    { shown },
  )
}

export function flag(variable: string, fallback: boolean, meaning: string) {
  return setting(variable, fallback, meaning, (value) => {
    if (value === 'true' || value === '1') return true
    if (value === 'false' || value === '0') return false
    throw new Error('must be true or false')
  })
}

export function oneOf<const T extends string>(
  variable: string,
  choices: readonly T[],
  fallback: T,
  meaning: string,
  extra?: SettingOptions,
) {
  return setting<T>(variable, fallback, meaning, (value) => chosen(choices, value), extra)
}

/** A comma-separated list of choices, at least one of them. */
export function someOf<const T extends string>(
  variable: string,
  choices: readonly T[],
  fallback: readonly T[],
  meaning: string,
) {
  return setting<readonly T[]>(
    variable,
    fallback,
    meaning,
    (value) => value.split(',').map((word) => chosen(choices, word.trim())),
    { shown: fallback.join(',') },
  )
}

function chosen<T extends string>(choices: readonly T[], value: string): T {
  const found = choices.find((choice) => choice === value)
  if (found === undefined) throw new Error(`must be one of ${choices.join(', ')}`)
  return found
}

export function url(
  variable: string,
  schemes: readonly string[],
  shown: string,
  meaning: string,
  extra: SettingOptions = {},
) {
  return setting<string | undefined>(
    variable,
    undefined,
    meaning,
    (value) => {
      // PostgreSQL URLs can name a socket's folder in the query, without a host.
      const address = value.replace(/@\//, '@localhost/')
      if (!URL.canParse(address) || !schemes.includes(new URL(address).protocol)) {
        throw new Error(`must be an address that begins with ${schemes.join('// or ')}//`)
      }
      return value
    },
    { ...extra, shown },
  )
}

/** Absolute folders separated by colons, as in `PATH`. */
export function folders(variable: string, shown: string, meaning: string) {
  return setting<readonly string[] | undefined>(
    variable,
    undefined,
    meaning,
    (value) => {
      const listed = value.split(':').filter((folder) => folder !== '')
      if (!listed.every((folder) => folder.startsWith('/'))) {
        throw new Error('must be absolute folders separated by colons')
      }
      return listed
    },
    { shown },
  )
}

/** The addresses of proxies in front of the service. */
export function proxies(variable: string, shown: string, meaning: string) {
  return setting<TrustProxy>(variable, false, meaning, readTrustProxy, { shown })
}

/** Addresses and networks, separated by commas. */
export function networks(variable: string, shown: string, meaning: string) {
  return setting<readonly string[]>(
    variable,
    [],
    meaning,
    (value) => {
      const listed = value.split(',').map((word) => word.trim())
      if (!listed.every(isNetwork)) {
        throw new Error('must be addresses and networks such as 10.0.0.0/8, separated by commas')
      }
      return listed
    },
    { shown },
  )
}

/** Addresses, networks and host names, separated by commas. */
export function destinations(variable: string, shown: string, meaning: string) {
  return setting<readonly string[]>(
    variable,
    [],
    meaning,
    (value) => {
      const listed = value.split(',').map((word) => word.trim())
      if (
        !listed.every((word) => isNetwork(word) || /^[a-z\d](?:[a-z\d.-]*[a-z\d])?$/i.test(word))
      ) {
        throw new Error('must be addresses, networks or host names, separated by commas')
      }
      return listed
    },
    { shown },
  )
}

/** Which jobs go to which queue, as `NAME: CONDITION…; …`. */
export function queueRules(variable: string, meaning: string) {
  return setting<readonly QueueRule[]>(variable, [], meaning, readQueueRules, { shown: 'none' })
}

/** Names of queues, separated by commas; undefined for all. */
export function queueNames(variable: string, shown: string, meaning: string) {
  return setting<readonly string[] | undefined>(
    variable,
    undefined,
    meaning,
    (value) => {
      const names = value.split(',').map((word) => word.trim())
      if (!names.every(isQueueName)) throw new Error('must be names of queues, separated by commas')
      return names
    },
    { shown },
  )
}

/** `off`, or `dind:` and owners of repositories, separated by commas; returns the owners in lower case. */
export function engineOwners(variable: string, meaning: string) {
  return setting<readonly string[]>(
    variable,
    [],
    meaning,
    (value) => {
      if (value === 'off') return []
      const [, listed = ''] = /^dind:(.+)$/.exec(value) ?? []
      const owners = listed.split(',').map((word) => word.trim().toLowerCase())
      if (!owners.every((word) => /^[a-z\d][\w.-]*$/.test(word))) {
        throw new Error('must be off, or dind: and owners, such as dind:acme,octavia')
      }
      return owners
    },
    { shown: 'off' },
  )
}

/** The address that mail comes from, or a name with it: `Builds <ci@example.org>`. */
export function mailbox(variable: string, shown: string, meaning: string) {
  return setting<string | undefined>(
    variable,
    undefined,
    meaning,
    (value) => {
      if (!/^(?:[^<>@\r\n]*<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/.test(value)) {
        throw new Error('must be an email address, such as ci@example.org')
      }
      return value
    },
    { shown },
  )
}

/** Logins at a code host, as `provider:login` in lower case. */
export function logins(variable: string, shown: string, meaning: string) {
  return setting<readonly string[]>(
    variable,
    [],
    meaning,
    (value) => value.split(',').map((word) => loginIn(word.trim())),
    { shown },
  )
}

function loginIn(word: string): string {
  const [, provider = '', login = ''] = /^(codehost|github|local):([^\s:/]+)$/i.exec(word) ?? []
  if (login === '') throw new Error('must be logins like codehost:octavia or local:octavia')
  return `${provider.toLowerCase() === 'local' ? 'local' : 'codehost'}:${login.toLowerCase()}`
}

export function origins(variable: string, shown: string, meaning: string) {
  return setting<readonly string[]>(
    variable,
    [],
    meaning,
    (value) => value.split(',').map((word) => originIn(word.trim())),
    { shown },
  )
}

/** Other origins would never match: logins are handed over to https origins only. */
function originIn(word: string): string {
  const { protocol, origin, href } = URL.canParse(word) ? new URL(word) : ({} as Partial<URL>)
  if (protocol !== 'https:' || origin === undefined || href !== `${origin}/`) {
    throw new Error('must be origins such as https://app.example.org, separated by commas')
  }
  return origin
}
