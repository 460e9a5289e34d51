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

/** The log as plain text, of the newest attempt if no other is named. */
export function logPath(prefix: string, { id }: Numbered, attempt?: number): string {
  return `${prefix}/jobs/${id}/log${attempt === undefined ? '' : `?attempt=${attempt}`}`
}

/** The page that checks a build file. */
export function lintPath(prefix: string): string {
  return `${prefix}/lint`
}

/** Where the form of that page is sent; `POST /lint` is the API's. */
export function lintFormPath(prefix: string): string {
  return `${prefix}/lint/check`
}

/** Where someone logs in for another page, which gets the token. */
export function handshakePath(prefix: string): string {
  return `${prefix}/auth/handshake`
}

/** The same for a page that opened this one. */
export function postMessagePath(prefix: string): string {
  return `${prefix}/auth/post_message`
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
