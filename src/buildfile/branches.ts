import { isMap } from '../domain/config/config-value.ts'
import { type Config, listOf } from './expand/values.ts'
import { readRegularExpression, RegularExpressionError } from './regular-expression.ts'

export interface BranchDecision {
  included: boolean
  /** The list that decided; null if no list names the branch. */
  by: 'only' | 'except' | null
  /** The entry that matched, and its index in the list of the normal form. */
  entry?: string
  index?: number
  /** All entries of `only`. */
  only: string[]
}

/** Whether `branches` of a build file allows builds of a branch or tag name (CF-20, CF-23). */
export function branchDecision(config: Config, name: string): BranchDecision {
  const { branches } = config
  const listed = entriesOfFilter(isMap(branches) ? branches.only : branches)
  const except = isMap(branches) ? entriesOfFilter(branches.except) : []
  const only = listed.map(({ entry }) => entry)

  const wanted = listed.find(({ entry }) => matches(entry, name))
  if (only.length > 0 && wanted === undefined) return { included: false, by: 'only', only }
  const unwanted = except.find(({ entry }) => matches(entry, name))
  if (unwanted !== undefined) return { included: false, by: 'except', ...unwanted, only }
  if (wanted !== undefined) return { included: true, by: 'only', ...wanted, only }
  return { included: true, by: null, only }
}

interface FilterEntry {
  entry: string
  /** Index of the list's text that contains the entry. */
  index: number
}

/**
 * A single text is split at commas, unless it is a regular expression, where a comma may belong to the
 * pattern. The normal form has a single text as a list of one.
 */
function entriesOfFilter(value: unknown): FilterEntry[] {
  const texts = listOf(value).flatMap((entry, index) =>
    typeof entry === 'string' || typeof entry === 'number' ? { entry: String(entry), index } : [],
  )
  const [text] = texts
  const entries =
    texts.length === 1 && text !== undefined && !isExpression(text.entry)
      ? text.entry.split(',').map((entry) => ({ entry, index: text.index }))
      : texts
  return entries
    .map(({ entry, index }) => ({ entry: entry.trim(), index }))
    .filter(({ entry }) => entry !== '')
}

function isExpression(entry: string): boolean {
  return /^\/.*\/$/s.test(entry.trim()) && !/\/\s*,\s*\//.test(entry)
}

function matches(entry: string, name: string): boolean {
  if (!isExpression(entry)) return entry === name
  try {
    return readRegularExpression(entry.slice(1, -1)).test(name)
  } catch (error) {
    if (!(error instanceof RegularExpressionError)) throw error
    // A pattern that does not compile matches nothing (CF-24).
    return false
  }
}
