import { type Frame, Layout } from '../parts/layout.tsx'
import { Table } from '../parts/table.tsx'
import { actionPath, docsPath, documentPath, homePath, resourcePath } from '../paths.ts'
import type { ExplorerEntry } from './catalogue.ts'

interface IndexPageProps {
  frame: Frame
  catalogue: readonly ExplorerEntry[]
}

/** All resources of V3, with the actions of each. */
export function IndexPage({ frame, catalogue }: IndexPageProps) {
  const { prefix } = frame
  return (
    <Layout
      {...frame}
      title="API V3"
      crumbs={[
        { text: 'Repositories', href: homePath(prefix) },
        { text: 'Documentation', href: docsPath(prefix) },
        { text: 'API V3' },
      ]}
    >
      <h1>API V3</h1>
      <p class="prose">
        The current generation, chosen by <code>Service-API-Version: 3</code>, or by the path{' '}
        <code>{prefix}/v3/</code>. Each resource shows its type, its address and the rights of the
        caller. Programs read <a href={documentPath(prefix, 'v3')}>the same in OpenAPI</a>, or{' '}
        <code>GET {prefix}/v3/</code>.
      </p>
      <p class="prose">
        A token is sent as <code>Authorization: token …</code>; <code>build-service token</code>{' '}
        creates one. Each action has a form to try it.
      </p>
      <Table caption="Resources" columns={['Resource', 'Actions']}>
        {catalogue.map(({ type, actions }) => (
          <tr>
            <th scope="row">
              <a href={resourcePath(prefix, type)}>
                <code>{type}</code>
              </a>
            </th>
            <td data-name="Actions" class="many">
              {actions.map(({ name }) => (
                <>
                  <a href={actionPath(prefix, { resource: type, name })}>{name}</a>{' '}
                </>
              ))}
            </td>
          </tr>
        ))}
      </Table>
    </Layout>
  )
}
