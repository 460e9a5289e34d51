import { type BranchDecision, branchDecision } from '../../../buildfile/branches.ts'
import type { ConditionData } from '../../../buildfile/conditions/data.ts'
import { type Explanation, explainJobs } from '../../../buildfile/expand/explain-jobs.ts'
import { applyFixes } from '../../../lint/apply-fixes.ts'
import { applyEdits } from '../../../lint/edits.ts'
import type { Finding, Fix } from '../../../lint/finding.ts'
import { unmetCondition } from '../../../lint/jobs/job-notes.ts'
import { type LintOptions, lintText } from '../../../lint/lint-text.ts'
import { mostValues } from '../../../lint/limits.ts'
import { readSettings } from '../../../lint/project/read-settings.ts'
import type { LintForm } from './lint-form.ts'

/** Everything that is shown about a build file. */
export interface CheckResult {
  /** The file, after its fixes. */
  text: string
  /** The titles of the fixes that were applied. */
  fixed: string[]
  findings: Finding[]
  /** What is wrong with the project's settings, which then do not count. */
  problems: Finding[]
  /** What it expands to; null if it cannot be read. */
  expansion: Expansion | null
}

export interface Expansion {
  /** The normal form. */
  config: Readonly<Record<string, unknown>>
  explanation: Explanation
  /** Whether the section `branches` builds the branch in the form. */
  branches: BranchDecision | null
  unmet: string | null
}

const advised = { advice: true, mostValues }

/** Checks a build file, advice included (D31), after applying the fixes asked for. */
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

/** A fix is named after its finding, so that one whose finding is gone does nothing. */
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

/** What conditions are evaluated against; without an event all of them count as true. */
function dataOf({ event, branch, tag }: LintForm): ConditionData | undefined {
  if (event === '') return undefined
  // A tag that is pushed is its own branch (WH-23).
  return { type: event, branch: branch || tag || null, tag: tag || null, fork: false }
}
