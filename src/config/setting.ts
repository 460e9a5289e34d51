/** One setting: its variable, what holds without it, what it means, and how its text is read. */
export interface Setting<T> {
  variable: string
  /** What the table in the README shows for a missing value. */
  shown: string
  meaning: string
  /** A secret is never shown, not even in an error. */
  secret: boolean
  fallback: T
  /** Throws a sentence without the value when the text is no good. */
  read(text: string): T
}

interface Extra {
  shown?: string
  secret?: boolean
}

function setting<T>(
  variable: string,
  fallback: T,
  meaning: string,
  read: (text: string) => T,
  { shown = String(fallback), secret = false }: Extra = {},
): Setting<T> {
  return { variable, shown, meaning, secret, fallback, read }
}

export function text(variable: string, fallback: string, meaning: string, extra?: Extra) {
  return setting(variable, fallback, meaning, (given) => given, extra)
}

/** A text that may be missing; `shown` says what happens then. */
export function optional(variable: string, shown: string, meaning: string, extra: Extra = {}) {
  return setting<string | undefined>(variable, undefined, meaning, (given) => given, {
    ...extra,
    shown,
  })
}

export function secret(variable: string, shown: string, meaning: string) {
  return optional(variable, shown, meaning, { secret: true })
}

/** A name or an address that something can be reached at. */
export function host(variable: string, fallback: string, meaning: string) {
  return setting(variable, fallback, meaning, (given) => {
    const named = given.includes(':') ? `[${given}]` : given
    if (/[\s/@?#]/.test(given) || !URL.canParse(`http://${named}`)) {
      throw new Error('must be a host name or an IP address')
    }
    return given
  })
}

interface Range {
  min: number
  max: number
}

export function integer(
  variable: string,
  fallback: number,
  meaning: string,
  { min, max, ...extra }: Range & Extra,
) {
  return setting(
    variable,
    fallback,
    meaning,
    (given) => {
      const number = Number(given)
      if (!/^-?\d+$/.test(given) || number < min || number > max) {
        throw new Error(`must be a whole number from ${min} to ${max}`)
      }
      return number
    },
    extra,
  )
}

export function flag(variable: string, fallback: boolean, meaning: string) {
  return setting(variable, fallback, meaning, (given) => {
    if (given === 'true' || given === '1') return true
    if (given === 'false' || given === '0') return false
    throw new Error('must be true or false')
  })
}

export function oneOf<const T extends string>(
  variable: string,
  choices: readonly T[],
  fallback: T,
  meaning: string,
  extra?: Extra,
) {
  return setting<T>(variable, fallback, meaning, (given) => chosen(choices, given), extra)
}

/** A comma list of choices, at least one of them. */
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
    (given) => given.split(',').map((word) => chosen(choices, word.trim())),
    { shown: fallback.join(',') },
  )
}

function chosen<T extends string>(choices: readonly T[], given: string): T {
  const found = choices.find((choice) => choice === given)
  if (found === undefined) throw new Error(`must be one of ${choices.join(', ')}`)
  return found
}

export function url(
  variable: string,
  schemes: readonly string[],
  shown: string,
  meaning: string,
  extra: Extra = {},
) {
  return setting<string | undefined>(
    variable,
    undefined,
    meaning,
    (given) => {
      // PostgreSQL's addresses may name a socket's folder in the query, and no host before it.
      const address = given.replace(/@\//, '@localhost/')
      if (!URL.canParse(address) || !schemes.includes(new URL(address).protocol)) {
        throw new Error(`must be an address that begins with ${schemes.join('// or ')}//`)
      }
      return given
    },
    { ...extra, shown },
  )
}

export function origins(variable: string, shown: string, meaning: string) {
  return setting<readonly string[]>(
    variable,
    [],
    meaning,
    (given) =>
      given.split(',').map((word) => {
        if (!URL.canParse(word.trim())) throw new Error('must be a comma list of origins')
        return new URL(word.trim()).origin
      }),
    { shown },
  )
}
