import { type BranchDecision, branchDecision } from '../../../buildfile/branches.ts'
import type { ConditionData } from '../../../buildfile/conditions/data.ts'
import { type Explanation, explainJobs } from '../../../buildfile/expand/explain-jobs.ts'
import { applyFixes } from '../../../lint/apply-fixes.ts'
import { applyEdits } from '../../../lint/edits.ts'
import type { Finding, Fix } from '../../../lint/finding.ts'
import { lintText } from '../../../lint/lint-text.ts'
import type { Asked } from './lint-form.ts'

/** Everything that is shown about a build file. */
export interface Checked {
  /** The file, after its fixes. */
  text: string
  /** What was done to it, in words. */
  fixed: string[]
  findings: Finding[]
  /** What it makes; nothing where it cannot be read. */
  made: Made | null
}

export interface Made {
  /** The normal form. */
  config: Readonly<Record<string, unknown>>
  explanation: Explanation
  /** What the section `branches` says to the branch that was asked about. */
  branches: BranchDecision | null
}

/** Checks a build file, advice included (D31), after it was mended as asked. */
export function check(asked: Asked): Checked {
  const { text, applied } = mended(asked)
  const { findings, config, lineOf, error } = lintText(text, { advice: true })
  const data = dataOf(asked)
  return {
    text,
    fixed: applied.map(({ title }) => title),
    // What holds where the file says nothing is no fault, and stands in the normal form.
    findings: findings.filter(({ code }) => code !== 'default'),
    made: error
      ? null
      : {
          config,
          explanation: explainJobs(config, { lineOf, ...(data ? { data } : {}) }),
          branches: typeof data?.branch === 'string' ? branchDecision(config, data.branch) : null,
        },
  }
}

/** Fixes are told apart by what they mend, so that one that is not there any more does nothing. */
export function fixNameOf({ code, line, column }: Finding): string {
  return `${code}:${line}:${column}`
}

function mended({ text, fix }: Asked): { text: string; applied: readonly Fix[] } {
  if (fix === '') return { text, applied: [] }
  if (fix === 'all') return applyFixes(text, { advice: true })
  const { findings } = lintText(text, { advice: true })
  const wanted = findings.find((finding) => finding.fix && fixNameOf(finding) === fix)
  return applyEdits(text, wanted?.fix ? [wanted.fix] : [])
}

/** What conditions are held against; without an event all of them count as true. */
function dataOf({ event, branch, tag }: Asked): ConditionData | undefined {
  if (event === '') return undefined
  // A tag that is pushed is its own branch (WH-23).
  return { type: event, branch: branch || tag || null, tag: tag || null, fork: false }
}
