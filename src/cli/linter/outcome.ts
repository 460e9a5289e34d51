import { type Finding, isAtLeast, type Report } from '../../lint/finding.ts'
import { ignoreCode } from '../../lint/project/ignore-comments.ts'
import type { Linted, LintOptions } from '../../lint/lint-text.ts'
import type { LintSettings } from './lint-options.ts'
import type { Project } from './files/project.ts'
import { isAdvice } from './files/selection.ts'

/** What became of one file: its exit code, and its report unless it could not be read. */
export interface Outcome {
  code: number
  report?: Report
}

const exitCodes = { clean: 0, findings: 1, unreadable: 2 } as const

/** How the text of a file is looked at. */
export function textOptions(
  file: string,
  { advice }: LintSettings,
  { settings }: Project,
): LintOptions & { file: string } {
  return { advice, file, settings, comments: true }
}

/** Decides what is reported of a file, and whether it passes. */
export function outcomeOf(
  file: string,
  text: string,
  linted: Linted,
  settings: LintSettings,
): Outcome {
  const fails = (finding: Finding) => settings.strict || doesFail(finding)
  const findings = linted.findings.filter(
    (finding) => isReported(finding, settings) && (!settings.quiet || fails(finding)),
  )
  const report = { file, text, findings }
  if (linted.error !== null) return { code: exitCodes.unreadable, report }
  return { code: findings.some(fails) ? exitCodes.findings : exitCodes.clean, report }
}

/** What holds where the file says nothing is no fault; only `--strict` reports it. */
function isReported(finding: Finding, { strict, advice, isSelected }: LintSettings): boolean {
  // Without advice nobody knows whether a comment is about some.
  if (finding.code === ignoreCode && !advice) return false
  return isSelected(finding) && (strict || finding.code !== 'default')
}

/** A new rule must not stop what was fine with the version before, so advice does not count before the project makes an error of it. */
function doesFail(finding: Finding): boolean {
  return isAtLeast('error', finding) || (isAtLeast('warn', finding) && !isAdvice(finding))
}
