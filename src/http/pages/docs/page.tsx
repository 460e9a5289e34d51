import { type Frame, Layout } from '../parts/layout.tsx'
import { apiPath, codesPath, documentPath, explorerPath, homePath } from '../paths.ts'

interface DocsPageProps {
  frame: Frame
}

/** The list of the service's documentation. */
export function DocsPage({ frame }: DocsPageProps) {
  const { prefix } = frame
  return (
    <Layout
      {...frame}
      title="Documentation"
      crumbs={[{ text: 'Repositories', href: homePath(prefix) }, { text: 'Documentation' }]}
    >
      <h1>Documentation</h1>
      <h2>
        <a href={explorerPath(prefix)}>API V3</a>
      </h2>
      <p>
        The current generation: every resource and action, with forms to try them. In OpenAPI:{' '}
        <a href={documentPath(prefix, 'v3')}>v3.json</a>
      </p>
      <h2>
        <a href={apiPath(prefix)}>API V2.1</a>
      </h2>
      <p>
        The legacy generation: every call. In OpenAPI:{' '}
        <a href={documentPath(prefix, 'v2.1')}>v2.1.json</a>
      </p>
      <h2>
        <a href={codesPath(prefix)}>What the linter finds</a>
      </h2>
      <p>Every message about a build file, with examples and fixes.</p>
    </Layout>
  )
}
