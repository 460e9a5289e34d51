import { enumAliases, enumCandidates, enumValues } from '../value-types/enum-values.ts'
import { findMeant } from '../misspellings/misspelling.ts'
import type { StrNode } from '../tree/node.ts'
import type { Location } from '../tree/location.ts'
import { reportValue } from '../messages/report.ts'
import type { StrType } from '../value-types/type.ts'
import type { Changing } from './changing.ts'

/** Corrects a text that is none of the known values, if one of them was meant. */
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
  const meant = changing.options.fix ? meantValue(original, type) : undefined
  if (!meant) return node
  const { code, value } = meant
  reportValue(changing, location, node, { level: 'warn', code, args: { original, value } })
  return { ...node, value }
}

/** Of several lines only the first is looked at, whether it is a value or not. */
function meantValue(text: string, type: StrType): { code: string; value: string } | undefined {
  const values = enumValues(type)
  const line = text.split('\n', 1).join().trim()
  if (text.includes('\n') && line !== '') return { code: 'clean_value', value: line }
  const found = findMeant(text, enumCandidates(type))
  if (found !== undefined) return { code: 'find_value', value: found }
  const value = partsOf(text).find((part) => values.has(part))
  return value === undefined ? undefined : { code: 'clean_value', value }
}

function partsOf(text: string): string[] {
  const [word = ''] = text.trim().split(/\s/, 1)
  return [word, text.replaceAll(/\W/g, '').toLowerCase(), word.replaceAll(/[^a-z]/g, '')]
}
