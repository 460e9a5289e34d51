import { applyEdits } from './edits.ts'
import type { Finding, Fix } from './finding.ts'
import { type Linted, type LintOptions, lintText } from './lint-text.ts'

export interface FixOptions extends LintOptions {
  /** Also apply fixes that change the jobs. */
  unsafe?: boolean
  /** The findings to fix, if not all. */
  only?: (finding: Finding) => boolean
}

export interface Fixed {
  text: string
  /** In the order in which they were applied. */
  applied: Fix[]
  /** Lint result of the fixed text. */
  linted: Linted
}

/** One fix may enable another; real files need only a few rounds. */
const maximumRounds = 200

/** Fixes a build file until nothing more can be fixed. */
export function applyFixes(text: string, options: FixOptions): Fixed {
  const { unsafe = false, only = () => true } = options
  const applied: Fix[] = []
  let now = text
  let linted = lintText(now, options)
  for (let round = 0; round < maximumRounds; round += 1) {
    const fixes = linted.findings
      .filter(only)
      .flatMap(({ fix }) => (fix && (fix.safe || unsafe) ? [fix] : []))
    if (fixes.length === 0) break
    const next = applyEdits(now, fixes)
    applied.push(...next.applied)
    now = next.text
    linted = lintText(now, options)
  }
  return { text: now, applied, linted }
}
