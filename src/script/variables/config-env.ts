import { isSecure } from '../../domain/config/config-value.ts'
import { type Decrypt, mostDecrypted } from '../../secrets/secure-value.ts'
import { firstText } from '../first-text.ts'
import { Uncompilable } from '../uncompilable.ts'
import { asWord, type Definition, readEnvLine, readSecretLine } from './env-line.ts'

export interface ConfigDefinition extends Definition {
  /** Whether it was encrypted, so that its value must not be seen. */
  secret: boolean
}

export interface ConfigEnv {
  definitions: ConfigDefinition[]
  /** Notes on skipped values, with their locations. */
  notes: string[]
  /** Whether anything was left out because the job gets no encrypted values. */
  withheld: boolean
  /** Number of values left out because there are too many encrypted ones. */
  beyond: number
}

/**
 * The variables of the job's `env`: lines, maps, or a list of both. Bash evaluates the values, so they
 * are not quoted (EN-01). Values that cannot be decrypted are skipped with a note; without `decrypt`,
 * all encrypted values are left out.
 */
export function configEnv(env: unknown, decrypt: Decrypt | null): ConfigEnv {
  const entries = Array.isArray(env) ? env.flat(nesting) : [env ?? []].flat()
  const { notes, ...read } = joined(
    entries.map((entry: unknown, index) => entryEnv(entry, `env, entry ${index + 1}`, decrypt)),
  )
  return { ...read, notes: read.beyond > 0 ? [...notes, tooMany(read.beyond)] : notes }
}

function tooMany(left: number): string {
  return (
    `Only the first ${mostDecrypted} different encrypted values of this job are decrypted. ${left} more are ` +
    `left out: encrypt several variables in one value (A=1 B=2), or put them into the repository settings.`
  )
}

function joined(all: readonly ConfigEnv[]): ConfigEnv {
  return {
    definitions: all.flatMap(({ definitions }) => definitions),
    notes: all.flatMap(({ notes }) => notes),
    withheld: all.some(({ withheld }) => withheld),
    beyond: all.reduce((sum, each) => sum + each.beyond, 0),
  }
}

/** More levels than a build file can have. */
const nesting = 100

const nothing: ConfigEnv = { definitions: [], notes: [], withheld: false, beyond: 0 }
const skipped = (note: string): ConfigEnv => ({ ...nothing, notes: [note] })
const defined = (definitions: readonly Definition[], secret: boolean): ConfigEnv => ({
  ...nothing,
  definitions: definitions.map(({ name, value }) => ({ name, value, secret })),
})

function entryEnv(entry: unknown, location: string, decrypt: Decrypt | null): ConfigEnv {
  if (entry === null || entry === undefined || entry === '') return nothing
  if (typeof entry === 'object') {
    const members = Object.entries(entry)
    const around = { location, decrypt, alone: members.length === 1 }
    return joined(members.map(([name, value]) => memberEnv(name, value, around)))
  }
  const line = firstText(entry) ?? ''
  const definitions = readEnvLine(line)
  if (definitions) return defined(definitions, false)
  throw new Uncompilable(
    `This is not a list of variables: ${line} (${location}). Write NAME=value, put quotes around values ` +
      'that contain spaces, and close each quote.',
  )
}

interface Member {
  location: string
  decrypt: Decrypt | null
  /** Whether the map has no other member. */
  alone: boolean
}

function memberEnv(name: string, value: unknown, { location, decrypt, alone }: Member): ConfigEnv {
  if (name === 'secure' && alone) {
    const at = decrypt?.where?.(String(value)) ?? location
    return secureLine(value, decrypt, `The encrypted variable at ${at}`)
  }
  if (!isName(name)) {
    return skipped(`"${name}" (${location}) cannot be the name of a variable and is left out.`)
  }
  const known = isSecure(value) ? decrypt?.where?.(String(value.secure)) : undefined
  const what = `The variable ${name} (${known ?? location})`
  if (isSecure(value)) {
    if (value.line !== true) return secureValue(name, value.secure, decrypt, what)
    const { definitions, ...others } = secureLine(value.secure, decrypt, what)
    return { ...others, definitions: definitions.filter((each) => each.name === name) }
  }
  const text = value === null ? '' : firstText(value)
  if (text === undefined) return skipped(`${what} has no plain value and is left out.`)
  return defined([{ name, value: asWord(text) }], false)
}

/** Definitions that are encrypted together with their names. */
function secureLine(encrypted: unknown, decrypt: Decrypt | null, what: string): ConfigEnv {
  if (!decrypt) return { ...nothing, withheld: true }
  const text = decrypt(String(encrypted))
  if (text === undefined) return unread(encrypted, decrypt, what)
  const definitions = readSecretLine(text)
  // The text must not be shown, so the note does not describe its error.
  if (!definitions) {
    return skipped(`${what} is left out: the encrypted text is not NAME=value.`)
  }
  return defined(definitions, true)
}

function secureValue(
  name: string,
  encrypted: unknown,
  decrypt: Decrypt | null,
  what: string,
): ConfigEnv {
  if (!decrypt) return { ...nothing, withheld: true }
  const text = decrypt(String(encrypted))
  if (text === undefined) return unread(encrypted, decrypt, what)
  return defined([{ name, value: asValue(text) }], true)
}

function unread(encrypted: unknown, decrypt: Decrypt, what: string): ConfigEnv {
  const isBeyond = decrypt.skips?.(String(encrypted)) === true
  return isBeyond ? { ...nothing, beyond: 1 } : skipped(`${what} ${undecryptable}`)
}

export const undecryptable =
  'is left out: no key that this job has decrypts it. Encrypt it for this repository, with ' +
  'build-service encrypt.'

/** Like `asWord`, but quotes special characters of bash if the text has no quoting of its own. */
export function asValue(text: string): string {
  const isPlain = !/["'\\`$]/.test(text)
  return isPlain && /[;&|<>()\n]/.test(text) ? `"${text}"` : asWord(text)
}

function isName(name: string): boolean {
  return /^[A-Za-z_]\w*$/.test(name)
}
