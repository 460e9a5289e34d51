import type { ComponentChildren } from 'preact'
import type { Viewer } from '../../../access/viewer.ts'
import type { JobState } from '../../../domain/job/job.ts'
import { visible } from '../../../domain/text/escape-control-characters.ts'
import { liveScript } from '../assets.ts'
import {
  docsPath,
  homePath,
  lintPath,
  loginPath,
  profilePath,
  queuePath,
  scriptPath,
  stylePath,
} from '../paths.ts'
import { Refusal } from './notices.tsx'

/** The data that every page shows around its content. */
export interface Frame {
  /** Path that all paths begin with: empty, or like `/ci`. */
  prefix: string
  version: string
  /** Identifies the version of the style sheet, so that browsers can cache it forever. */
  styleHash: string
  viewer: Viewer
  /** The result of the form that was sent before. */
  notice?: string | undefined
  /** Absent if no events are published; `address` is the address of a different service. */
  stream?: { key: string; address?: string | undefined } | undefined
}

/** The channels that a page follows, if events are published. */
export interface Following {
  /** Names of channels. */
  channels: readonly string[]
  /** The one build or job that the page is about. */
  of?: { build: number } | { job: number }
  /** Path at which the page is read again. */
  href: string
}

export interface Crumb {
  text: string
  /** Missing for the page itself. */
  href?: string
}

interface LayoutProps extends Frame {
  title: string
  crumbs?: readonly Crumb[]
  /** Why the form that was just sent changed nothing. */
  problem?: string | undefined
  /** Shown in the browser's tab. */
  state?: JobState
  /** Path of the page's script. */
  script?: string
  /** Absent for a page that no longer changes. */
  follows?: Following | undefined
  children: ComponentChildren
}

/** The document: head, header with breadcrumbs, content, footer. Needs no script. */
export function Layout({ title, crumbs = [], problem, children, follows, ...frame }: LayoutProps) {
  const live = follows && liveOf(frame, follows)
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{`${problem === undefined ? '' : 'Error: '}${title} · build-service`}</title>
        <link rel="icon" href={favicon(frame.state)} />
        <link rel="stylesheet" href={stylePath(frame.prefix, frame.styleHash)} />
        {frame.script !== undefined && <script type="module" src={frame.script} />}
        {live !== undefined && <script type="module" src={scriptPath(frame.prefix, liveScript)} />}
      </head>
      <body data-live={live}>
        <a class="skip" href="#content">
          Skip to the content
        </a>
        <Header {...frame} crumbs={crumbs} />
        <main id="content" tabindex={-1}>
          {frame.notice !== undefined && (
            <p class="notice said" role="status" data-kept>
              {frame.notice}
            </p>
          )}
          {problem !== undefined && (
            <Refusal data-kept>
              <strong>Nothing was changed.</strong> <bdi>{visible(problem)}</bdi>
            </Refusal>
          )}
          {children}
        </main>
        <footer>
          <span>build-service {frame.version}</span>
          <a href={docsPath(frame.prefix)}>Documentation</a>
          <a href={queuePath(frame.prefix)}>Queue</a>
          <a href={lintPath(frame.prefix)}>Check a build file</a>
        </footer>
      </body>
    </html>
  )
}

/** The settings that `client/live.js` reads. */
function liveOf(
  { stream, prefix, viewer }: Frame,
  { channels, of, href }: Following,
): string | undefined {
  if (!stream || channels.length === 0) return undefined
  const { key, address } = stream
  return JSON.stringify({
    key,
    address,
    prefix,
    token: viewer.form_token,
    channels,
    of: of ?? {},
    href,
  })
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
      <a class="tool" href={queuePath(prefix)}>
        Queue
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

// A data address cannot read the style sheet; these tones stand out on light and dark tabs.
const tones: Record<JobState, string> = {
  created: '#c08a1e',
  queued: '#c08a1e',
  received: '#c08a1e',
  started: '#3b82e0',
  passed: '#2e9e4f',
  failed: '#e0444b',
  errored: '#b548b8',
  canceled: '#7b8794',
}

const marks: Record<JobState, string> = {
  created: 'M8 4.5V8l2.5 1.5',
  queued: 'M8 4.5V8l2.5 1.5',
  received: 'M8 4.5V8l2.5 1.5',
  started: 'M6.5 5v6l4.5-3z',
  passed: 'M4.5 8.5 7 11l4.5-5.5',
  failed: 'M5.5 5.5l5 5m0-5-5 5',
  errored: 'M8 4.2v4.6m0 2.6v.4',
  canceled: 'M5 8h6',
}

/** The icon in the browser's tab: the state, or the service's own icon. */
export function favicon(state?: JobState): string {
  const tone = state ? tones[state] : '#4653c6'
  const mark = state ? marks[state] : 'M4.5 5 7.5 8l-3 3m4.5 0h3'
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16">` +
    `<rect width="16" height="16" rx="4" fill="${tone}"/>` +
    `<path d="${mark}" fill="none" stroke="#fff" stroke-width="1.8" stroke-linecap="round" ` +
    `stroke-linejoin="round"/></svg>`
  return `data:image/svg+xml,${encodeURIComponent(svg)}`
}
