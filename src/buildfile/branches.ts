import { listed, textOf } from './listed.ts'
import { isRecord } from './plain.ts'
import { readRegularExpression, RegularExpressionError } from './regular-expression.ts'

export interface BranchDecision {
  included: boolean
  /** The list that decided; null where no list names the branch. */
  by: 'only' | 'except' | null
  /** The entry that matched. */
  entry?: string
  /** All entries of `only`. */
  only: string[]
}

/** Whether `branches` of a build file lets a name build (CF-20 to CF-23). */
export function branchDecision(config: Record<string, unknown>, name: string): BranchDecision {
  const { branches } = config
  const only = entriesOfFilter(isRecord(branches) ? branches.only : branches)
  const except = isRecord(branches) ? entriesOfFilter(branches.except) : []

  const wanted = only.find((entry) => matches(entry, name))
  if (only.length > 0 && wanted === undefined) return { included: false, by: 'only', only }
  const unwanted = except.find((entry) => matches(entry, name))
  if (unwanted !== undefined) return { included: false, by: 'except', entry: unwanted, only }
  if (wanted !== undefined) return { included: true, by: 'only', entry: wanted, only }
  return { included: true, by: null, only }
}

/** Text is split at commas, unless it is one regular expression: there a comma may count. */
function entriesOfFilter(value: unknown): string[] {
  const isList = typeof value === 'string' && !isExpression(value)
  return listed(isList ? value.split(',') : value).flatMap(
    ({ entry }) => textOf(entry)?.trim() || [],
  )
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
    // What does not compile matches nothing (CF-24).
    return false
  }
}
