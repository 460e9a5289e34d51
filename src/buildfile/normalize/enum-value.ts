import { reportValue } from '../messages/report.ts'
import { findMeant } from '../misspellings/misspelling.ts'
import { enumAliases, enumCandidates, enumValues } from '../schema/values/enum-values.ts'
import type { StrType } from '../schema/values/type.ts'
import type { Location } from '../tree/location.ts'
import type { StrNode } from '../tree/node.ts'
import type { Changing } from './changing.ts'

/** Corrects an unknown text, if a known value was meant. */
export function enumValue(
  node: StrNode,
  type: StrType,
  location: Location,
  changing: Changing,
): StrNode {
  const { value: original } = node
  if (!type.values || enumValues(type).has(original)) return node
  const alias = enumAliases(type).get(original)
  if (alias !== undefined) {
    const args = { alias: original, value: alias }
    reportValue(changing, location, node, { level: 'info', code: 'alias_value', args })
    return { ...node, value: alias }
  }
  if (!changing.options.fix) return node
  const line = firstLine(original)
  const meant = enumValues(type).has(line) ? undefined : meantValue(line, type)
  const steps = [{ code: 'clean_value', value: line }, ...(meant ? [meant] : [])]
  let value = original
  for (const step of steps) {
    if (step.value === value) continue
    const args = { original: value, value: step.value }
    reportValue(changing, location, node, { level: 'warn', code: step.code, args })
    value = step.value
  }
  return value === original ? node : { ...node, value }
}

/** Only the first of several lines counts, whether it is a known value or not. */
function firstLine(text: string): string {
  if (!text.includes('\n')) return text
  const line = text.split('\n', 1).join().trim()
  return line === '' ? text : line
}

function meantValue(text: string, type: StrType): { code: string; value: string } | undefined {
  const values = enumValues(type)
  const found = findMeant(text, enumCandidates(type))
  if (found !== undefined) return { code: 'find_value', value: found }
  const value = partsOf(text).find((part) => values.has(part))
  return value === undefined ? undefined : { code: 'clean_value', value }
}

function partsOf(text: string): string[] {
  const [word = ''] = text.trim().split(/\s/, 1)
  return [word, text.replaceAll(/\W/g, '').toLowerCase(), word.replaceAll(/[^a-z]/g, '')]
}
