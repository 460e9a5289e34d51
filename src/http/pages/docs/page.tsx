import { type Frame, Layout } from '../parts/layout.tsx'
import { apiPath, codesPath, documentPath, explorerPath, homePath } from '../paths.ts'

interface DocsPageProps {
  frame: Frame
}

/** What the service says of itself. */
export function DocsPage({ frame }: DocsPageProps) {
  const { prefix } = frame
  return (
    <Layout
      {...frame}
      title="Documentation"
      crumbs={[{ text: 'Repositories', href: homePath(prefix) }, { text: 'Documentation' }]}
    >
      <h1>Documentation</h1>
      <dl class="facts">
        <div>
          <dt>
            <a href={explorerPath(prefix)}>API V3</a>
          </dt>
          <dd>
            The current generation: every resource and action, with forms to try them. In OpenAPI:{' '}
            <a href={documentPath(prefix, 'v3')}>v3.json</a>
          </dd>
        </div>
        <div>
          <dt>
            <a href={apiPath(prefix)}>API V2.1</a>
          </dt>
          <dd>
            The legacy generation: every call. In OpenAPI:{' '}
            <a href={documentPath(prefix, 'v2.1')}>v2.1.json</a>
          </dd>
        </div>
        <div>
          <dt>
            <a href={codesPath(prefix)}>What the linter finds</a>
          </dt>
          <dd>Every message about a build file, with examples and fixes.</dd>
        </div>
      </dl>
    </Layout>
  )
}
