import type { Check } from '../../../domain/request/check.ts'
import { sourceName } from '../../../domain/request/request.ts'
import { checkValues, checkText } from '../../../texts/check-text.ts'
import { stateClass } from './state-badge.tsx'

/** All checks that led to a decision, in their order (D34). */
export function CheckList({ checks }: { checks: readonly Check[] }) {
  return <ol class="checks">{checks.map(Row)}</ol>
}

function Row(check: Check) {
  const values = checkValues(check)
  const { passed, source } = check
  return (
    <li class={stateClass(passed ? 'passed' : 'failed')}>
      <span class="mark" role="img" aria-label={passed ? 'Yes' : 'No'}>
        {passed ? '✓' : '✗'}
      </span>
      <span>
        {checkText(check)}
        {values.map((value) => (
          <>
            {' '}
            <code class="value">{value}</code>
          </>
        ))}{' '}
        {source && (
          <span class="faint">
            {sourceName(source.file)}, line {source.line}
          </span>
        )}
      </span>
    </li>
  )
}
