import { curlOf } from '../../openapi/curl.ts'
import type { OpenApi, Operation } from '../../openapi/operation.ts'
import { general, remarks } from '../../v2/openapi/document.ts'
import { type Frame, Layout } from '../parts/layout.tsx'
import { Prose } from '../parts/prose.tsx'
import { docsPath, documentPath, homePath } from '../paths.ts'
import { Parameters } from './parameters.tsx'

interface ApiPageProps {
  frame: Frame
  document: OpenApi
}

/** The calls of the API, generated from the document that programs read. */
export function ApiPage({ frame, document }: ApiPageProps) {
  const { prefix } = frame
  const { info, paths, servers } = document
  const base = servers[0]?.url ?? ''
  const calls = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      operation,
    })),
  )
  const tags = [...new Set(calls.flatMap(({ operation }) => operation.tags))]
  return (
    <Layout
      {...frame}
      title="API V2.1"
      crumbs={[
        { text: 'Repositories', href: homePath(prefix) },
        { text: 'Documentation', href: docsPath(prefix) },
        { text: 'API V2.1' },
      ]}
    >
      <h1>API V2.1</h1>
      <p class="prose">
        <Prose text={general} /> Programs read{' '}
        <a href={documentPath(prefix, 'v2.1')}>the same in OpenAPI</a>.
      </p>
      <p class="prose">
        A token is sent as <code>Authorization: token …</code>; <code>build-service token</code>{' '}
        creates one. Addresses begin with <code>{base}</code>. This is version {info.version}.
      </p>
      <p class="prose">
        The lines with <code>curl</code> work once <code>TOKEN</code> is your token (
        <code>export TOKEN=…</code>), and ids and names such as <code>octavia/hello</code> are
        yours.
      </p>
      <ul class="prose">
        {remarks.map((remark) => (
          <li>
            <Prose text={remark} />
          </li>
        ))}
      </ul>
      <p>
        {tags.map((tag) => (
          <>
            <a href={`#${tag}`}>{tag}</a>{' '}
          </>
        ))}
      </p>
      {tags.map((tag) => (
        <>
          <h2 id={tag}>{tag}</h2>
          {calls
            .filter(({ operation }) => operation.tags.includes(tag))
            .map((call) => (
              <CallSection call={call} base={base} />
            ))}
        </>
      ))}
    </Layout>
  )
}

interface ListedCall {
  method: string
  path: string
  operation: Operation
}

/** One call: its purpose, its parameters, and an example. */
function CallSection({ call, base }: { call: ListedCall; base: string }) {
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
