import { isMap } from '../../domain/config/config-value.ts'
import { phases } from '../context/sections.ts'
import type { Args } from './entry.ts'

const commands: ReadonlySet<string> = new Set(phases)

/**
 * Whether a value that must be a string is a mapping only because there is a colon in that text, as in
 * `- echo "a: b"`.
 */
export function becameMap({ expected, actual, value }: Args, key: readonly string[]): boolean {
  if (expected !== 'str' || actual !== 'map' || !isMap(value)) return false
  const [name, ...others] = Object.keys(value)
  if (
    name === undefined ||
    others.length > 0 ||
    (typeof value[name] === 'object' && value[name] !== null)
  )
    return false
  return commands.has(key.at(-1) ?? '') || /\S\s/.test(name)
}
