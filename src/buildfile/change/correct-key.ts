import { aliasesOf, isAccepted, keyCandidates } from '../value-types/accepted-keys.ts'
import { findMeant } from '../misspellings/misspelling.ts'
import type { Entry } from '../tree/node.ts'
import type { Location } from '../tree/location.ts'
import { reportKey } from '../messages/report.ts'
import type { MapType } from '../value-types/type.ts'
import type { Changing } from './changing.ts'
import { cleanKey, underscored } from './key-forms.ts'

export interface Correction {
  /** The key itself where nothing else was meant. */
  corrected: string
  /** The other name by which it was found. */
  aliased?: string
}

/** The name that a key that is not accepted was meant to have. */
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
  /** A key of the map or, of a misspelling only, one of its aliases. */
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
