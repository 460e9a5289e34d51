import type { OpenApi, Operation } from '../../openapi/operation.ts'
import { remarks } from '../../v2/openapi/document.ts'
import { type Frame, Layout } from '../parts/layout.tsx'
import { docsPath, documentPath, homePath } from '../paths.ts'

interface ApiPageProps {
  frame: Frame
  document: OpenApi
}

interface Listed {
  call: string
  operation: Operation
}

/** The calls of the API, made of the same document that programs read. */
export function ApiPage({ frame, document }: ApiPageProps) {
  const { prefix } = frame
  const { info, paths } = document
  const listed = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({
      call: `${method.toUpperCase()} ${path}`,
      operation,
    })),
  )
  const tags = [...new Set(listed.flatMap(({ operation }) => operation.tags))]
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
        The legacy generation, chosen by <code>Accept: application/vnd.service.2.1+json</code> or by
        no version at all. Programs read{' '}
        <a href={documentPath(prefix, 'v2.1')}>the same in OpenAPI</a>.
      </p>
      <p class="prose">
        A token is sent as <code>Authorization: token …</code>; <code>build-service token</code>{' '}
        creates one. Addresses begin with <code>{document.servers[0]?.url}</code>. This is version{' '}
        {info.version}.
      </p>
      <ul class="prose">
        {remarks.map((remark) => (
          <li>{withCode(remark)}</li>
        ))}
      </ul>
      {tags.map((tag) => (
        <Calls tag={tag} calls={listed.filter(({ operation }) => operation.tags.includes(tag))} />
      ))}
    </Layout>
  )
}

/** A text in which what is between backquotes is code. */
function withCode(text: string) {
  return text.split('`').map((part, index) => (index % 2 === 1 ? <code>{part}</code> : part))
}

function Calls({ tag, calls }: { tag: string; calls: readonly Listed[] }) {
  return (
    <>
      <h2 id={tag}>{tag}</h2>
      <table class="table">
        <caption class="unseen">{tag}</caption>
        <thead>
          <tr>
            <th scope="col">Call</th>
            <th scope="col">Parameters</th>
            <th scope="col">Statuses</th>
            <th scope="col">Login</th>
          </tr>
        </thead>
        <tbody>
          {calls.map(({ call, operation }) => (
            <tr>
              <th scope="row">
                <code>{call}</code>
                {operation.summary !== undefined && <p class="faint">{operation.summary}</p>}
              </th>
              <td data-name="Parameters">
                {parametersOf(operation).map((name) => (
                  <>
                    <code>{name}</code>{' '}
                  </>
                ))}
              </td>
              <td data-name="Statuses">{Object.keys(operation.responses).join(' ')}</td>
              <td data-name="Login">{isForAll(operation) ? '' : 'yes'}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  )
}

/** Those of the query, or of the body. */
function parametersOf({ parameters, requestBody }: Operation): string[] {
  const query = parameters.filter((parameter) => parameter.in === 'query')
  const [body] = Object.values(requestBody?.content ?? {})
  const { properties = {} } = (body?.schema ?? {}) as { properties?: object }
  return [...query.map(({ name }) => name), ...Object.keys(properties)]
}

function isForAll({ security }: Operation): boolean {
  return security.some((way) => Object.keys(way).length === 0)
}
