import { reportKey } from '../messages/report.ts'
import { findMeant } from '../misspellings/misspelling.ts'
import { aliasesOf, isAccepted, keyCandidates } from '../schema/values/accepted-keys.ts'
import type { MapType } from '../schema/values/type.ts'
import type { Location } from '../tree/location.ts'
import type { Entry } from '../tree/node.ts'
import type { Changing } from './changing.ts'

export interface Correction {
  /** The key itself if no other key was meant. */
  corrected: string
  /** The other name under which the key was found. */
  aliased?: string
}

/** The name that an unaccepted key was meant to have. */
export function correctKey(
  entry: Entry,
  type: MapType,
  location: Location,
  changing: Changing,
): Correction {
  const aliases = aliasesOf(type)

  function resolve(name: string): Correction {
    const key = aliases.get(name) ?? aliases.get(name.replaceAll('-', '_'))
    if (key === undefined) return { corrected: name }
    reportKey(changing, location, entry, {
      level: 'info',
      code: 'alias_key',
      args: { alias: name, key },
    })
    return { corrected: key, aliased: name }
  }

  const { key: original } = entry
  const direct = resolve(original)
  if (direct.aliased !== undefined || !changing.options.fix) return direct
  for (const { level, code, meant } of steps) {
    const key = meant(original, type)
    if (key === undefined || key === original) continue
    reportKey(changing, location, entry, { level, code, args: { original, key } })
    return isAccepted(type, key) ? { corrected: key } : resolve(key)
  }
  return direct
}

interface Step {
  level: 'info' | 'warn'
  code: string
  /** A key of the map or, for misspellings only, one of its aliases. */
  meant: (original: string, type: MapType) => string | undefined
}

const ifAccepted =
  (form: (original: string) => string): Step['meant'] =>
  (original, type) => {
    const key = form(original)
    return isAccepted(type, key) ? key : undefined
  }

const steps: readonly Step[] = [
  { level: 'warn', code: 'strip_key', meant: ifAccepted((original) => original.trim()) },
  { level: 'info', code: 'underscore_key', meant: ifAccepted(underscored) },
  { level: 'warn', code: 'clean_key', meant: ifAccepted(cleanKey) },
  {
    level: 'warn',
    code: 'find_key',
    meant: (original, type) => findMeant(original, keyCandidates(type)),
  },
]

/** Converts camel case and dashes to lower case with underscores. */
function underscored(key: string): string {
  return key
    .replaceAll(/[A-Z](?=[A-Z][a-z])/g, '$&_')
    .replaceAll(/[a-z\d](?=[A-Z])/g, '$&_')
    .replaceAll('-', '_')
    .toLowerCase()
}

/** Removes characters that no key contains. */
function cleanKey(key: string): string {
  const plain = key.replaceAll(/[-\s]/g, '_').replaceAll(/[^\w.]/g, '')
  return withoutMargins(plain).replaceAll('__', '_')
}

/** One underscore at the start makes a key custom; more of them, or any at the end, do not. */
function withoutMargins(key: string): string {
  let start = 0
  while (key.charAt(start) === '_') start += 1
  let end = key.length
  while (end > start && key.charAt(end - 1) === '_') end -= 1
  return key.slice(start >= 2 ? start : 0, end)
}
