import type { OpenApi } from '../../openapi/operation.ts'
import { general, remarks } from '../../v2/openapi/document.ts'
import { Prose } from '../parts/prose.tsx'
import { type Frame, Layout } from '../parts/layout.tsx'
import { docsPath, documentPath, homePath } from '../paths.ts'
import { CallSection } from './call.tsx'

interface ApiPageProps {
  frame: Frame
  document: OpenApi
}

/** The calls of the API, made of the same document that programs read. */
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
