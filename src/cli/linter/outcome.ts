import { type Finding, isAtLeast, type Report } from '../../lint/finding.ts'
import type { Linted } from '../../lint/lint-text.ts'
import type { LintSettings } from './lint-options.ts'
import { isAdvice } from './selection.ts'

/** What became of one file: its exit code, and its report unless it could not be read. */
export interface Outcome {
  code: number
  report?: Report
}

const exitCodes = { clean: 0, findings: 1, unreadable: 2 } as const

/** Decides what is reported of a file, and whether it passes. */
export function outcomeOf(
  file: string,
  text: string,
  linted: Linted,
  settings: LintSettings,
): Outcome {
  const findings = linted.findings.filter((finding) => isReported(finding, settings))
  const report = { file, text, findings }
  if (linted.error !== null) return { code: exitCodes.unreadable, report }
  const fails = findings.some((finding) => settings.strict || doesFail(finding))
  return { code: fails ? exitCodes.findings : exitCodes.clean, report }
}

/** What holds where the file says nothing is no fault; only `--strict` reports it. */
function isReported(finding: Finding, { strict, isSelected }: LintSettings): boolean {
  return isSelected(finding) && (strict || finding.code !== 'default')
}

/** A new rule must not stop what was fine with the version before, so advice does not count. */
function doesFail(finding: Finding): boolean {
  return isAtLeast('warn', finding) && !isAdvice(finding)
}
