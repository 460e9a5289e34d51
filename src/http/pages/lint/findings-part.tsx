import { visible } from '../../../domain/text/escape-control-characters.ts'
import { countsOf } from '../../../lint/counts.ts'
import { isAtLeast } from '../../../lint/finding.ts'
import { levelClass } from '../parts/level.tsx'
import { MoreFindings, mostFindings } from '../parts/more-findings.tsx'
import { stateClass } from '../parts/state-badge.tsx'
import type { CheckResult } from './check.ts'
import { SourceView } from './source-view.tsx'

/** The number of findings in a sentence; screen readers announce changes of it. */
export function Summary({ checked }: { checked: CheckResult | null }) {
  return (
    <p id="summary" role="status">
      {checked ? summaryOf(checked) : 'Findings will be shown here.'}
    </p>
  )
}

function summaryOf({ findings, expansion, fixed }: CheckResult): string {
  const done = fixed.length > 0 ? `Fixed: ${fixed.map(visible).join(', ')}. ` : ''
  if (!expansion) return `${done}This file cannot be used.`
  if (findings.length === 0) return `${done}No findings: the file is fine.`
  const counts = countsOf(findings)
  return `${done}${counts.charAt(0).toUpperCase()}${counts.slice(1)}.`
}

interface FindingsPartProps {
  prefix: string
  checked: CheckResult | null
}

/** The file with its findings. */
export function FindingsPart({ prefix, checked }: FindingsPartProps) {
  return (
    <div id="found" class={checked ? toneOf(checked) : undefined}>
      {checked && (
        <>
          <FixAll checked={checked} />
          <SourceView
            prefix={prefix}
            text={checked.text}
            findings={checked.findings.slice(0, mostFindings)}
          />
          <MoreFindings count={checked.findings.length} />
        </>
      )}
    </div>
  )
}

function FixAll({ checked: { findings } }: { checked: CheckResult }) {
  const count = findings.filter(({ fix }) => fix?.safe).length
  if (count < 2) return null
  return (
    <button name="fix" value="all">
      Fix all {count} that leave the jobs as they are
    </button>
  )
}

function toneOf({ findings }: CheckResult): string {
  const [worst] = findings
  return worst && isAtLeast('warn', worst) ? levelClass(worst.level) : stateClass('passed')
}
