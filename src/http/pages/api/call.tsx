import { curlOf } from '../../openapi/curl.ts'
import type { Operation } from '../../openapi/operation.ts'
import { Prose } from '../parts/prose.tsx'
import { Parameters } from './parameters.tsx'

export interface ListedCall {
  method: string
  path: string
  operation: Operation
}

/** One call: what it does, what it takes, and how it is made. */
export function CallSection({ call, base }: { call: ListedCall; base: string }) {
  const { method, path, operation } = call
  const { operationId, summary = '', responses } = operation
  const line = curlOf({ ...call, base })
  return (
    <section aria-labelledby={operationId}>
      <h3 id={operationId}>
        <code>
          {method} {path}
        </code>
      </h3>
      <p>
        <Prose text={summary} />
      </p>
      <p class="faint">
        {isForAll(operation) ? 'Works without a login.' : 'Needs a login.'} Statuses:{' '}
        {Object.keys(responses).join(' ')}
      </p>
      <Parameters operation={operation} />
      {line !== undefined && <pre class="yaml">{line}</pre>}
    </section>
  )
}

function isForAll({ security }: Operation): boolean {
  return security.some((way) => Object.keys(way).length === 0)
}
