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

/** The form that requests a build. */
export function buildNowPath(prefix: string, repository: Named): string {
  return `${repositoryPath(prefix, repository)}/build_now`
}

/** The settings of a repository. */
export function settingsPath(prefix: string, repository: Named): string {
  return `${repositoryPath(prefix, repository)}/settings`
}

/** The target of the form that lets the commit of a request pass that was not built. */
export function requestFormPath(prefix: string, repository: Named, { id }: Numbered): string {
  return `${repositoryPath(prefix, repository)}/requests/${id}/approve`
}

/** The variables of a repository; with an id, the page of one of them. */
export function variablesPath(prefix: string, repository: Named, id?: string): string {
  const rest = id === undefined ? '' : `/${encodeURIComponent(id)}/delete`
  return `${repositoryPath(prefix, repository)}/variables${rest}`
}

/** The keys of a repository, and the target of the form that removes its SSH key. */
export function keysPath(prefix: string, repository: Named, form: '' | '/delete' = ''): string {
  return `${repositoryPath(prefix, repository)}/keys${form}`
}

/** The crons of a repository; with one of them, the target of the form that deletes it. */
export function cronsPath(prefix: string, repository: Named, cron?: Numbered): string {
  const rest = cron === undefined ? '' : `/${cron.id}/delete`
  return `${repositoryPath(prefix, repository)}/crons${rest}`
}

export function buildPath(prefix: string, repository: Named, { id }: Numbered): string {
  return `${repositoryPath(prefix, repository)}/builds/${id}`
}

export function jobPath(prefix: string, repository: Named, { id }: Numbered): string {
  return `${repositoryPath(prefix, repository)}/jobs/${id}`
}

/** The action of a form on a build's page, which is also the last segment of its target. */
export type BuildForm = 'approve' | 'cancel' | 'restart' | 'restart_failed'

export function buildFormPath(
  prefix: string,
  repository: Named,
  build: Numbered,
  form: BuildForm,
): string {
  return `${buildPath(prefix, repository, build)}/${form}`
}

export function jobFormPath(
  prefix: string,
  repository: Named,
  job: Numbered,
  form: 'cancel' | 'restart',
): string {
  return `${jobPath(prefix, repository, job)}/${form}`
}

/**
 * The log as plain text, of the newest attempt by default. The API has no sessions, so a log that is not
 * open to everyone needs its own token.
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

/** The times of the lines of that log. */
export function logTimesPath(
  prefix: string,
  { id }: Numbered,
  attempt: number,
  token?: string,
): string {
  const query = new URLSearchParams({ 'log.attempt': String(attempt) })
  if (token !== undefined) query.set('log.token', token)
  return `${prefix}/v3/job/${id}/log/times?${query}`
}

/** The page of waiting and running jobs in the whole installation. */
export function queuePath(prefix: string): string {
  return `${prefix}/queue`
}

/** The page that checks a build file. */
export function lintPath(prefix: string): string {
  return `${prefix}/lint`
}

/** The target of the lint page's form; `POST /lint` belongs to the API. */
export function lintFormPath(prefix: string): string {
  return `${prefix}/lint/check`
}

/** The login page, which leads to the page at this path (without the prefix), or to the home page. */
export function loginPath(prefix: string, to?: string): string {
  return `${prefix}/login${to === undefined ? '' : `?to=${encodeURIComponent(to)}`}`
}

/** The target of the form that ends a session; `GET /logout` belongs to the API. */
export function logoutPath(prefix: string): string {
  return `${prefix}/logout`
}

/** The caller's own page. Its forms are sent to paths below it. */
export function profilePath(prefix: string, form = ''): string {
  return `${prefix}/profile${form}`
}

/** The login for another page, which gets the token, or for this service; `local` accepts its tokens. */
export function handshakePath(prefix: string, provider?: 'local'): string {
  return `${prefix}/auth/handshake${provider === undefined ? '' : `/${provider}`}`
}

/** The login for a page that opened this one. */
export function postMessagePath(prefix: string): string {
  return `${prefix}/auth/post_message`
}

/** The content of the frame within the page at `postMessagePath`. */
export function messageFramePath(prefix: string): string {
  return `${postMessagePath(prefix)}/iframe`
}

/** The page for clients whose code host token lacks required scopes. */
export function insufficientAccessPath(prefix: string): string {
  return `${prefix}/auth/insufficient_access`
}

/** The pages that register the app at the code host, and to which the browser returns. */
export function setupPath(prefix: string, step: '' | '/app' | '/callback' = ''): string {
  return `${prefix}/setup${step}`
}

/** The list of the documentation. */
export function docsPath(prefix: string): string {
  return `${prefix}/docs`
}

/** The API's calls in a document for programs. */
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
