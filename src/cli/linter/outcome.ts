import { type Finding, isAtLeast, type Report } from '../../lint/finding.ts'
import type { Linted, LintOptions } from '../../lint/lint-text.ts'
import { ignoreCode } from '../../lint/project/ignore-comments.ts'
import type { LintedProject } from './files/project.ts'
import { isAdvice } from './files/selection.ts'
import type { LintSettings } from './lint-options.ts'

/** Result for one file: its exit code, and its report unless the file could not be read. */
export interface LintOutcome {
  code: number
  report?: Report
}

export const lintCodes = { clean: 0, findings: 1, unreadable: 2 } as const

/** The options for linting a file. */
export function textOptions(
  file: string,
  { advice }: LintSettings,
  { settings }: LintedProject,
): LintOptions & { file: string } {
  return { advice, file, settings, comments: true }
}

/** Decides which findings of a file are reported, and whether the file passes. */
export function outcomeOf(
  file: string,
  text: string,
  linted: Linted,
  settings: LintSettings,
): LintOutcome {
  const fails = (finding: Finding) => settings.strict || doesFail(finding)
  const findings = linted.findings.filter(
    (finding) => isReported(finding, settings) && (!settings.quiet || fails(finding)),
  )
  const report = { file, text, findings }
  if (linted.error !== null) return { code: lintCodes.unreadable, report }
  return { code: findings.some(fails) ? lintCodes.findings : lintCodes.clean, report }
}

/** A default in effect is not a mistake; only `--strict` reports it. */
function isReported(finding: Finding, { strict, advice, isSelected }: LintSettings): boolean {
  // Without advice it is unknown whether a comment refers to some.
  if (finding.code === ignoreCode && !advice) return false
  return isSelected(finding) && (strict || finding.code !== 'default')
}

/** A new rule must not fail files that passed before: advice fails only if the project makes it an error. */
function doesFail(finding: Finding): boolean {
  return isAtLeast('error', finding) || (isAtLeast('warn', finding) && !isAdvice(finding))
}
