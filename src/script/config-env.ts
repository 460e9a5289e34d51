import { asWord, type Definition, readEnvLine } from './env-line.ts'
import { firstText } from './first-text.ts'
import { Uncompilable } from './uncompilable.ts'

export interface ConfigEnv {
  definitions: Definition[]
  /** What was skipped, with its location. */
  notes: string[]
}

/**
 * The variables of the job's `env`: lines, maps, or a list of both. Bash evaluates the values,
 * so they are not quoted (EN-01). Encrypted ones are skipped with a note.
 */
export function configEnv(env: unknown): ConfigEnv {
  const entries = Array.isArray(env) ? env.flat(nesting) : [env ?? []].flat()
  const all = entries.map((entry: unknown, index) => entryEnv(entry, `env, entry ${index + 1}`))
  return {
    definitions: all.flatMap(({ definitions }) => definitions),
    notes: all.flatMap(({ notes }) => notes),
  }
}

/** More levels than a build file can have. */
const nesting = 100

function entryEnv(entry: unknown, location: string): ConfigEnv {
  if (entry === null || entry === undefined || entry === '') return { definitions: [], notes: [] }
  if (typeof entry === 'object') return mapEnv(Object.entries(entry), location)
  const line = firstText(entry) ?? ''
  const definitions = readEnvLine(line)
  if (definitions) return { definitions, notes: [] }
  throw new Uncompilable(
    `This is not a list of variables: ${line} (${location}). Write NAME=value, with quotes around ` +
      'values that have blanks, and close each quote.',
  )
}

function mapEnv(entries: readonly [string, unknown][], location: string): ConfigEnv {
  const notes: string[] = []
  const definitions = entries.flatMap(([name, value]): Definition[] => {
    const text = value === null ? '' : firstText(value)
    if (name === 'secure' && entries.length === 1) {
      notes.push(`The encrypted variable at ${location} is left out: it cannot be decrypted here.`)
    } else if (isSecure(value)) {
      notes.push(`The variable ${name} (${location}) is encrypted and left out.`)
    } else if (!/^[A-Za-z_]\w*$/.test(name)) {
      notes.push(`"${name}" (${location}) cannot be the name of a variable and is left out.`)
    } else if (text === undefined) {
      notes.push(`The variable ${name} (${location}) has no plain value and is left out.`)
    } else {
      return [{ name, value: asWord(text) }]
    }
    return []
  })
  return { definitions, notes }
}

function isSecure(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, 'secure')
}
