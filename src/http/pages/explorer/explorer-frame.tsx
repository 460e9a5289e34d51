import type { ComponentChildren } from 'preact'
import { type Crumb, type Frame, Layout } from '../parts/layout.tsx'
import { docsPath, explorerPath, homePath } from '../paths.ts'

interface ExplorerFrameProps {
  frame: Frame
  title: string
  /** The page that this one is below, if it is not the list of resources. */
  above?: Crumb
  children: ComponentChildren
}

/** What the pages about a resource have around them. */
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
