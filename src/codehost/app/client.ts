import { setTimeout as pause } from 'node:timers/promises'
import { storableValue } from '../../domain/text/storable-text.ts'
import { CodehostError, type RepositoryRef, type UserToken } from '../codehost.ts'
import { completeBody, failureOf, isFresh, statusOf } from './failure.ts'
import { graphqlFailure, graphqlRoute, graphqlUrl } from './graphql.ts'
import { createLimits } from './limits.ts'
import type { Octokit } from './octokit.ts'
import type { Scope, Token, Tokens } from './tokens.ts'

type Parameters = Readonly<Record<string, unknown>>

/** Subject of a call: a repository or an installation, a user's view, or the app itself. */
export type CallSubject = Scope | UserToken | 'app'

/** Calls of the code host. They throw CodehostErrors only. */
export interface Client {
  call<T>(subject: CallSubject, route: string, parameters?: Parameters): Promise<T>
  /** Undefined when the code host reports that the subject does not exist. */
  find<T>(subject: CallSubject, route: string, parameters?: Parameters): Promise<T | undefined>
  /** All pages of a list, up to the first page for which `isLast` is true. */
  pages<T>(
    subject: CallSubject,
    route: string,
    parameters?: Parameters,
    isLast?: (page: T) => boolean,
  ): Promise<T[]>
  /** One page; undefined if it still has this etag. */
  fresh<T>(
    subject: CallSubject,
    route: string,
    etag: string | null,
    parameters?: Parameters,
  ): Promise<FreshPage<T> | undefined>
  /** Whether calls that can wait must wait until the code host's limit is reset. */
  isSpent(subject: CallSubject): boolean
}

export interface FreshPage<T> {
  data: T
  etag: string | null
  more: boolean
}

interface Response<T> {
  data: T
  /** The query of the next page; undefined for the last one. */
  next: Parameters | undefined
  etag: string | null
}

/** Headers that a call sends in addition to its parameters. */
type Headers = Readonly<Record<string, string>>

interface ClientOptions {
  /** Authenticated as the app, with its key. */
  octokit(): Promise<Octokit>
  /** Without authentication. */
  bare: Octokit
  apiUrl: string
  tokens: Tokens
  now(): Date
}

/** Pauses before a read is retried, in milliseconds; the queue retries after longer ones. */
const retryPauses = [50, 100, 200]

export function createClient({ octokit, bare, apiUrl, tokens, now }: ClientOptions): Client {
  const limits = createLimits(now)
  /** The app's token that each failed call used. */
  const tokenOf = new WeakMap<CodehostError, Token>()

  async function once<T>(
    subject: CallSubject,
    route: string,
    parameters: Parameters,
    headers: Headers,
  ): Promise<Response<T>> {
    const token = isScope(subject) ? await tokens.get(subject) : undefined
    const own = typeof subject === 'object' && 'token' in subject ? subject : token
    const limit = limitOf(subject, route)
    const octokitToUse = subject === 'app' ? await octokit() : bare
    const request = async <R = T>(route: string, parameters: Parameters): Promise<Response<R>> => {
      const response = await octokitToUse.request(addressed(route), {
        ...parameters,
        headers: own ? { ...headers, authorization: `token ${own.token}` } : headers,
        request: { signal: AbortSignal.timeout(15_000) },
      })
      const data = storableValue(completeBody(response.data)) as R & object
      const { link, etag = null } = response.headers
      limits.note(limit, response.headers)
      const failure = route === graphqlRoute && graphqlFailure(data, response.headers)
      if (failure) throw failure
      return { data, next: nextPage(link), etag }
    }
    try {
      return await request(route, parameters).catch(async (error: unknown) => {
        const bySlug = slugCall(subject, route, parameters)
        if (!bySlug || (error as { status?: number }).status !== 404) throw error
        // The name may now belong to another repository.
        const { data } = await request<{ id?: unknown }>(`GET ${bySlug.repository}`, {})
        if (data.id !== parameters.id) throw error
        return request(bySlug.route, bySlug.parameters)
      })
    } catch (error) {
      const { response } = error as { response?: { headers?: Headers } }
      if (response?.headers) limits.note(limit, response.headers)
      const failure = failureOf(route, error, now(), own && isFresh(sinceOf(own), now()))
      if (failure.kind === 'limited') limits.pause(limit, failure.retryAfter ?? 0)
      if (token) tokenOf.set(failure, token)
      throw failure
    }
  }

  async function repeated<T>(
    subject: CallSubject,
    route: string,
    parameters: Parameters = {},
    headers: Headers = {},
  ): Promise<Response<T>> {
    for (let tried = 0; ; tried += 1) {
      limits.check(limitOf(subject, route), route)
      try {
        return await once<T>(subject, route, parameters, headers)
      } catch (error) {
        const wait = (await isRenewed(subject, route, error)) ? 0 : retryDelay(route, error, tried)
        if (wait === undefined) throw error
        await pause(wait)
      }
    }
  }

  /**
   * Drops a token that was refused, because a token keeps the permissions with which it was issued. A
   * new token that is dropped would be replaced by an even newer one, and would never get old enough to
   * be refused. Returns whether the call should be retried with a new token.
   */
  async function isRenewed(subject: CallSubject, route: string, error: unknown): Promise<boolean> {
    if (!isScope(subject) || !(error instanceof CodehostError)) return false
    const token = tokenOf.get(error)
    if (error.kind !== 'refused' || !token) return false
    const isWorth = statusOf(error) === 401 || isRead(route)
    return (await tokens.refuse(subject, token)) && isWorth
  }

  function addressed(route: string): string {
    return route === graphqlRoute ? `POST ${graphqlUrl(apiUrl)}` : route
  }

  async function call<T>(subject: CallSubject, route: string, parameters?: Parameters): Promise<T> {
    return (await repeated<T>(subject, route, parameters)).data
  }

  return {
    call,
    isSpent: (subject) => limits.isSpent(limitOf(subject)),
    async pages<T>(
      subject: CallSubject,
      route: string,
      parameters: Parameters = {},
      isLast: (page: T) => boolean = () => false,
    ) {
      const pages: T[] = []
      let query: Parameters | undefined = { per_page: perPage }
      while (query && pages.length < mostPages) {
        const page: Response<T> = await repeated<T>(subject, route, { ...parameters, ...query })
        pages.push(page.data)
        query = isLast(page.data) ? undefined : page.next
      }
      return pages
    },
    async fresh<T>(
      subject: CallSubject,
      route: string,
      known: string | null,
      parameters?: Parameters,
    ): Promise<FreshPage<T> | undefined> {
      try {
        const headers: Headers = known === null ? {} : { 'if-none-match': known }
        const { data, etag, next } = await repeated<T>(subject, route, parameters, headers)
        return { data, etag, more: next !== undefined }
      } catch (error) {
        if (isUnchanged(error)) return undefined
        throw error
      }
    },
    async find<T>(subject: CallSubject, route: string, parameters?: Parameters) {
      // Missing access to a repository differs from a missing object in it.
      if (isScope(subject)) await tokens.get(subject)
      return call<T>(subject, route, parameters).catch(undefinedIfMissing)
    },
  }
}

/** When a token was issued, in milliseconds. */
function sinceOf(token: Token | UserToken): number | undefined {
  return 'since' in token ? token.since : token.issued_at?.getTime()
}

function isScope(subject: CallSubject): subject is Scope {
  return typeof subject === 'object' && 'installation' in subject
}

/** Each installation and each user has separate limits; GraphQL has a separate limit too. */
function limitOf(subject: CallSubject, route?: string): string {
  const caller = subject === 'app' ? subject : callerOf(subject)
  return route === graphqlRoute ? `graphql:${caller}` : caller
}

function callerOf(subject: Exclude<CallSubject, 'app'>): string {
  return isScope(subject) ? String(subject.installation) : `user:${subject.codehost_id}`
}

/** Whether a call changes nothing, so that it can be repeated safely. */
function isRead(route: string): boolean {
  return route.startsWith('GET ') || route === graphqlRoute
}

/** Milliseconds until a call is retried; undefined for never. */
function retryDelay(route: string, error: unknown, tried: number): number | undefined {
  if (!(error instanceof CodehostError)) return undefined
  if (error.kind !== 'away' || error.suspended) return undefined
  const wait = isRead(route) ? retryPauses[tried] : undefined
  return wait === undefined ? undefined : wait * (1 + Math.random() / 2)
}

/** Octokit throws for every unsuccessful status, including 304 (not modified). */
function isUnchanged(error: unknown): boolean {
  const { cause } = error as { cause?: { status?: number } }
  return cause?.status === 304
}

/** The most entries that a page of a list can have. */
export const perPage = 100
const mostPages = 1000

/**
 * The query of the next page, as the code host names it. Only the query is taken from the link: a token
 * is never sent to an address from a response.
 */
function nextPage(link: string | undefined): Parameters | undefined {
  const [, url] = /<([^<>]*)>;[^<>]*\brel="?next\b/.exec(link ?? '') ?? []
  return url !== undefined && URL.canParse(url)
    ? Object.fromEntries(new URL(url).searchParams)
    : undefined
}

const byId = '/repositories/{id}'

/** A call that names a repository by its id, rewritten to use its slug; undefined for other calls. */
function slugCall(subject: CallSubject, route: string, { id: _id, ...parameters }: Parameters) {
  if (!isScope(subject) || subject.slug === undefined || !route.includes(` ${byId}`)) return
  const [owner = '', name = ''] = subject.slug.split('/').map(encodeURIComponent)
  const repository = `/repos/${owner}/${name}`
  return { route: route.replace(byId, repository), parameters, repository }
}

/** Turns the error for a missing or inaccessible resource into undefined. */
export function undefinedIfMissing(error: unknown): undefined {
  if (error instanceof CodehostError && error.kind === 'missing') return undefined
  throw error
}

/** The scope of a call about one repository, and nothing else. */
export function scopeOf({ codehost_id, slug, installation }: RepositoryRef): Scope {
  if (installation === null) {
    throw new CodehostError(`the app is not installed on ${slug}: install it there`, {
      kind: 'refused',
    })
  }
  return { installation, repository: codehost_id, slug }
}
