import type { MessageLevel } from '../domain/request/request.ts'

/** A replacement in the file as written: offsets are UTF-16 units from 0, `end` is exclusive. */
export interface Edit {
  start: number
  end: number
  text: string
}

/** A fix that leaves nothing to decide. */
export interface Fix {
  /** The effect of the fix, for the person who decides whether to apply it. */
  title: string
  /** In file order, without overlap. */
  edits: Edit[]
  /** Whether the jobs stay the same; fixes that change jobs are applied only on request. */
  safe: boolean
}

/** A report on a build file: a message of the reader, or the advice of a rule. */
export interface Finding {
  level: MessageLevel
  code: string
  /** The path of the offending key itself, as written; [] for the file as a whole (D9). */
  key: string[]
  message: string
  file: string
  /** Lines and columns count from 1 in the original file (D30); null if the position is unknown. */
  line: number | null
  column: number | null
  end_line: number | null
  /** Column of the first character after the finding. */
  end_column: number | null
  /** The page about this code, below the root of the documentation. */
  docs: string
  /** The number of occurrences in the file, if there are several; the position is that of the first. */
  count?: number
  fix?: Fix
}

/** A checked file with its findings. */
export interface Report {
  file: string
  /** The file as written. */
  text: string
  findings: readonly Finding[]
}

const order: readonly MessageLevel[] = ['alert', 'error', 'warn', 'info']

/** Sorts by level, the worst first; findings of equal level keep their order (CF-11). */
export function byLevel(one: Pick<Finding, 'level'>, other: Pick<Finding, 'level'>): number {
  return order.indexOf(one.level) - order.indexOf(other.level)
}

/** Sorts by position in the file; findings without a position come first. */
export function byPosition(one: Finding, other: Finding): number {
  return (one.line ?? 0) - (other.line ?? 0) || (one.column ?? 0) - (other.column ?? 0)
}

/** Whether a finding is of this level or worse. */
export function isAtLeast(level: MessageLevel, finding: Pick<Finding, 'level'>): boolean {
  return order.indexOf(finding.level) <= order.indexOf(level)
}
