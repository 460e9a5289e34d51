import type { ComponentChildren } from 'preact'
import { type Crumb, type Frame, Layout } from '../parts/layout.tsx'
import { docsPath, explorerPath, homePath } from '../paths.ts'

interface ExplorerFrameProps {
  frame: Frame
  title: string
  /** The parent page, if it is not the list of resources. */
  above?: Crumb
  children: ComponentChildren
}

/** The layout of pages about a resource. */
export function ExplorerFrame({ frame, title, above, children }: ExplorerFrameProps) {
  const { prefix } = frame
  const crumbs = [
    { text: 'Repositories', href: homePath(prefix) },
    { text: 'Documentation', href: docsPath(prefix) },
    { text: 'API V3', href: explorerPath(prefix) },
    ...(above ? [above] : []),
    { text: title },
  ]
  return (
    <Layout {...frame} title={`${above ? `${above.text}: ` : ''}${title}`} crumbs={crumbs}>
      {children}
    </Layout>
  )
}
