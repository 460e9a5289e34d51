import { type BranchDecision, branchDecision } from '../../../buildfile/branches.ts'
import type { ConditionData } from '../../../buildfile/conditions/data.ts'
import { type Explanation, explainJobs } from '../../../buildfile/expand/explain-jobs.ts'
import { applyFixes } from '../../../lint/apply-fixes.ts'
import { applyEdits } from '../../../lint/edits.ts'
import type { Finding, Fix } from '../../../lint/finding.ts'
import { unmetCondition } from '../../../lint/jobs/job-notes.ts'
import { mostValues } from '../../../lint/limits.ts'
import { type LintOptions, lintText } from '../../../lint/lint-text.ts'
import { readSettings } from '../../../lint/project/read-settings.ts'
import type { LintForm } from './lint-form.ts'

/** All results that are shown for a build file. */
export interface CheckResult {
  /** The file, after its fixes. */
  text: string
  /** The titles of the fixes that were applied. */
  fixed: string[]
  findings: Finding[]
  /** Problems in the project's settings, which are then ignored. */
  problems: Finding[]
  /** The expansion of the file; null if it cannot be read. */
  expansion: CheckedExpansion | null
}

export interface CheckedExpansion {
  /** The normal form. */
  config: Readonly<Record<string, unknown>>
  explanation: Explanation
  /** Whether the section `branches` builds the branch in the form. */
  branches: BranchDecision | null
  unmet: string | null
}

const advised = { advice: true, mostValues }

/** Checks a build file, including advice (D31), after applying the requested fixes. */
export function check(form: LintForm): CheckResult {
  const { settings, problems } = readSettings(form.settings)
  const options = { ...advised, settings }
  const { text, applied } = withFixes(form, options)
  const { findings, config, lineOf, error } = lintText(text, options)
  const data = dataOf(form)
  return {
    text,
    fixed: applied.map(({ title }) => title),
    // A default is not a problem, and the normal form shows it.
    findings: findings.filter(({ code }) => code !== 'default'),
    problems,
    expansion: error
      ? null
      : {
          config,
          explanation: explainJobs(config, { lineOf, ...(data ? { data } : {}) }),
          branches: typeof data?.branch === 'string' ? branchDecision(config, data.branch) : null,
          unmet: unmetCondition(config, data),
        },
  }
}

/** A fix is named after its finding, so that a fix has no effect once its finding is gone. */
export function fixNameOf({ code, line, column }: Finding): string {
  return `${code}:${line}:${column}`
}

function withFixes(
  { text, fix }: LintForm,
  options: LintOptions,
): { text: string; applied: readonly Fix[] } {
  if (fix === '') return { text, applied: [] }
  if (fix === 'all') return applyFixes(text, options)
  const { findings } = lintText(text, options)
  const wanted = findings.find((finding) => finding.fix && fixNameOf(finding) === fix)
  return applyEdits(text, wanted?.fix ? [wanted.fix] : [])
}

/** The data that conditions are evaluated for; without an event all of them count as true. */
function dataOf({ event, branch, tag }: LintForm): ConditionData | undefined {
  if (event === '') return undefined
  // For a pushed tag, the tag name is also the branch (WH-23).
  return { type: event, branch: branch || tag || null, tag: tag || null, fork: false }
}
