import type { MessageLevel } from '../domain/request/request.ts'
import type { Finding } from './finding.ts'

const nouns: Record<MessageLevel, string> = {
  alert: 'alert',
  error: 'error',
  warn: 'warning',
  info: 'note',
}

/** Counts such as `2 errors, 1 warning`, or a note that there are none. */
export function countsOf(findings: readonly Pick<Finding, 'level'>[]): string {
  const counts = Object.entries(nouns).flatMap(([level, noun]) => {
    const count = findings.filter((finding) => finding.level === level).length
    return count === 0 ? [] : [plural(count, noun)]
  })
  return counts.join(', ') || 'nothing found'
}

export function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}
