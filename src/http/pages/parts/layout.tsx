import type { ComponentChildren } from 'preact'
import type { Viewer } from '../../../access/viewer.ts'
import type { JobState } from '../../../domain/job/job.ts'
import { docsPath, homePath, lintPath, loginPath, profilePath, stylePath } from '../paths.ts'
import { favicon } from './favicon.ts'

/** What every page shows around its content. */
export interface Frame {
  /** Path that all paths begin with: empty, or like `/ci`. */
  prefix: string
  version: string
  /** Identifies the version of the style sheet, so that browsers can cache it forever. */
  styleHash: string
  viewer: Viewer
}

export interface Crumb {
  text: string
  /** Missing for the page itself. */
  href?: string
}

interface LayoutProps extends Frame {
  title: string
  crumbs?: readonly Crumb[]
  /** Seconds after which the page reloads, while it still changes. */
  refresh?: number | null
  /** Shown in the browser's tab. */
  state?: JobState
  /** Path of the page's script. */
  script?: string
  children: ComponentChildren
}

/** The document: head, header with breadcrumbs, content, footer. Needs no script. */
export function Layout({ title, crumbs = [], refresh = null, children, ...frame }: LayoutProps) {
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        {refresh !== null && <meta http-equiv="refresh" content={String(refresh)} />}
        <title>{`${title} · build-service`}</title>
        <link rel="icon" href={favicon(frame.state)} />
        <link rel="stylesheet" href={stylePath(frame.prefix, frame.styleHash)} />
        {frame.script !== undefined && <script type="module" src={frame.script} />}
      </head>
      <body>
        <a class="skip" href="#content">
          Skip to the content
        </a>
        <Header {...frame} crumbs={crumbs} />
        <main id="content" tabindex={-1}>
          {children}
        </main>
        <footer>
          <span>build-service {frame.version}</span>
          <a href={docsPath(frame.prefix)}>Documentation</a>
        </footer>
      </body>
    </html>
  )
}

interface HeaderProps {
  prefix: string
  viewer: Viewer
  crumbs: readonly Crumb[]
}

function Header({ prefix, viewer, crumbs }: HeaderProps) {
  return (
    <header>
      <a class="product" href={homePath(prefix)}>
        build-service
      </a>
      {crumbs.length > 0 && (
        <nav aria-label="Breadcrumb">
          <ol>{crumbs.map(Step)}</ol>
        </nav>
      )}
      <a class="tool" href={lintPath(prefix)}>
        Check a build file
      </a>
      {viewer.user ? (
        <a class="viewer" href={profilePath(prefix)}>
          <span class="unseen">Logged in as </span>
          <bdi>{viewer.user.login}</bdi>
        </a>
      ) : (
        <a class="viewer" href={loginPath(prefix)}>
          Log in
        </a>
      )}
    </header>
  )
}

function Step({ text, href }: Crumb) {
  return (
    <li>
      {href === undefined ? (
        <bdi aria-current="page">{text}</bdi>
      ) : (
        <a href={href}>
          <bdi>{text}</bdi>
        </a>
      )}
    </li>
  )
}
