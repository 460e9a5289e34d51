import { countsOf, plural } from '../../../lint/counts.ts'
import { isAtLeast } from '../../../lint/finding.ts'
import { visible } from '../../../lint/quote.ts'
import { levelClass } from '../parts/level.tsx'
import { stateClass } from '../parts/state-badge.tsx'
import type { Checked } from './check.ts'
import { SourceView } from './source-view.tsx'

/** Nobody reads more of them at once. */
const mostFindings = 300

/** What was found, in a sentence; read out when it changes. */
export function Summary({ checked }: { checked: Checked | null }) {
  return (
    <p id="summary" role="status">
      {checked ? summaryOf(checked) : 'What is found in it will stand here.'}
    </p>
  )
}

function summaryOf({ findings, made, fixed }: Checked): string {
  const done = fixed.length > 0 ? `Fixed: ${fixed.map(visible).join(', ')}. ` : ''
  if (!made) return `${done}This file cannot be read.`
  if (findings.length === 0) return `${done}Nothing to say: the file is as it should be.`
  const counts = countsOf(findings)
  return `${done}${counts.charAt(0).toUpperCase()}${counts.slice(1)}.`
}

interface FindingsPartProps {
  prefix: string
  checked: Checked | null
}

/** The file with what was found in it. */
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
          {checked.findings.length > mostFindings && (
            <p class="faint">
              {plural(checked.findings.length - mostFindings, 'more finding')}: mend these first
            </p>
          )}
        </>
      )}
    </div>
  )
}

function FixAll({ checked: { findings } }: { checked: Checked }) {
  const count = findings.filter(({ fix }) => fix?.safe).length
  if (count < 2) return null
  return (
    <button name="fix" value="all">
      Fix all {count} that leave the jobs as they are
    </button>
  )
}

function toneOf({ findings }: Checked): string {
  const [worst] = findings
  return worst && isAtLeast('warn', worst) ? levelClass(worst.level) : stateClass('passed')
}
