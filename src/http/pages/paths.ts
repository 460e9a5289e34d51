import type { Repository } from '../../domain/repository.ts'
import { docsPage } from '../../lint/describe-code.ts'

type Named = Pick<Repository, 'owner_name' | 'name'>
type Numbered = { id: number }

export function homePath(prefix: string): string {
  return `${prefix}/`
}

export function stylePath(prefix: string, hash: string): string {
  return `${prefix}/assets/style.css?v=${encodeURIComponent(hash)}`
}

export function scriptPath(prefix: string, { name, hash }: { name: string; hash: string }): string {
  return `${prefix}/assets/${name}?v=${encodeURIComponent(hash)}`
}

export function repositoryPath(prefix: string, { owner_name, name }: Named): string {
  return `${prefix}/${encodeURIComponent(owner_name)}/${encodeURIComponent(name)}`
}

export function buildPath(prefix: string, repository: Named, { id }: Numbered): string {
  return `${repositoryPath(prefix, repository)}/builds/${id}`
}

export function jobPath(prefix: string, repository: Named, { id }: Numbered): string {
  return `${repositoryPath(prefix, repository)}/jobs/${id}`
}

/** Where the form is sent that approves what a build is about. */
export function approvalPath(prefix: string, repository: Named, build: Numbered): string {
  return `${buildPath(prefix, repository, build)}/approve`
}

/**
 * The log as plain text, of the newest attempt if no other is named. The API knows no sessions, so one
 * that not everyone can read needs a token of its own.
 */
export function logPath(
  prefix: string,
  { id }: Numbered,
  attempt?: number,
  token?: string,
): string {
  const query = new URLSearchParams()
  if (attempt !== undefined) query.set('attempt', String(attempt))
  if (token !== undefined) query.set('access_token', token)
  return `${prefix}/jobs/${id}/log${query.size > 0 ? `?${query}` : ''}`
}

/** The page that checks a build file. */
export function lintPath(prefix: string): string {
  return `${prefix}/lint`
}

/** Where the form of that page is sent; `POST /lint` is the API's. */
export function lintFormPath(prefix: string): string {
  return `${prefix}/lint/check`
}

/** The page to log in on, which leads to the page of this path without the prefix, or to all pages. */
export function loginPath(prefix: string, to?: string): string {
  return `${prefix}/login${to === undefined ? '' : `?to=${encodeURIComponent(to)}`}`
}

/** Where the form that ends a session is sent; `GET /logout` is the API's. */
export function logoutPath(prefix: string): string {
  return `${prefix}/logout`
}

/** The caller's own page. Its forms are sent to paths below it. */
export function profilePath(prefix: string, form = ''): string {
  return `${prefix}/profile${form}`
}

/** Where someone logs in, for another page that gets the token or for our own; `local` takes tokens of ours. */
export function handshakePath(prefix: string, provider?: 'local'): string {
  return `${prefix}/auth/handshake${provider === undefined ? '' : `/${provider}`}`
}

/** The same for a page that opened this one. */
export function postMessagePath(prefix: string): string {
  return `${prefix}/auth/post_message`
}

/** What the frame within that page shows. */
export function messageFramePath(prefix: string): string {
  return `${postMessagePath(prefix)}/iframe`
}

/** Where clients are led whose token of the code host is not for enough. */
export function insufficientAccessPath(prefix: string): string {
  return `${prefix}/auth/insufficient_access`
}

/** Where the app is registered at the code host, and where the browser returns to. */
export function setupPath(prefix: string, step: '' | '/app' | '/callback' = ''): string {
  return `${prefix}/setup${step}`
}

/** The list of what is documented. */
export function docsPath(prefix: string): string {
  return `${prefix}/docs`
}

/** What the API's calls are, for programs. */
export function documentPath(prefix: string, generation: 'v2.1' | 'v3'): string {
  return `${docsPath(prefix)}/${generation}.json`
}

/** The calls of V2.1. */
export function apiPath(prefix: string): string {
  return `${docsPath(prefix)}/v2.1`
}

/** The resources of V3. */
export function explorerPath(prefix: string): string {
  return `${docsPath(prefix)}/v3`
}

export function resourcePath(prefix: string, type: string): string {
  return `${explorerPath(prefix)}/${encodeURIComponent(type)}`
}

export function actionPath(
  prefix: string,
  { resource, name }: { resource: string; name: string },
): string {
  return `${resourcePath(prefix, resource)}/${encodeURIComponent(name)}`
}

/** The list of the linter's codes. */
export function codesPath(prefix: string): string {
  return `${prefix}/docs/lint`
}

export function codePath(prefix: string, code: string): string {
  return `${prefix}/docs/${docsPage(code)}`
}
