import { setTimeout as pause } from 'node:timers/promises'
import { storableValue } from '../../domain/text/storable-text.ts'
import { CodehostError, type HeldToken, type People } from '../codehost.ts'
import { completeBody, failureOf, isFresh, isRefusal, statusOf } from './failure.ts'
import type { Octokit, ResponseData } from './octokit.ts'

type Self = ResponseData<'users', 'getAuthenticated'>
type Organizations = ResponseData<'orgs', 'listForAuthenticatedUser'>
type Installations = ResponseData<'apps', 'listInstallationsForAuthenticatedUser'>

interface Asked<T> {
  data: T
  headers: Readonly<Record<string, unknown>>
}

const perPage = 100
const mostPages = 20

/** Milliseconds that the code host gets to make a new token known in all its parts. */
const learningPause = 250

/**
 * Queries with a user's own token while someone waits for the result: only calls refused to a newly
 * issued token are retried (D36).
 */
export function createPeople(octokit: Octokit, now: () => Date): Omit<People, 'logins'> {
  async function ask<T>(as: HeldToken, route: string, parameters = {}): Promise<Asked<T>> {
    try {
      return await askOnce<T>(as, route, parameters)
    } catch (error) {
      const isRepeated =
        error instanceof CodehostError && error.kind === 'away' && isRefusal(statusOf(error))
      if (!isRepeated || error.suspended) throw error
      await pause(learningPause)
      return askOnce<T>(as, route, parameters)
    }
  }

  async function askOnce<T>(
    { token, issued_at }: HeldToken,
    route: string,
    parameters: object,
  ): Promise<Asked<T>> {
    try {
      const { data, headers } = await octokit.request(route, {
        ...parameters,
        headers: { authorization: `token ${token}` },
        request: { signal: AbortSignal.timeout(15_000) },
      })
      return { data: storableValue(completeBody(data)) as T, headers }
    } catch (error) {
      throw failureOf(route, error, now(), isFresh(issued_at?.getTime(), now()))
    }
  }

  return {
    async ownerOf(as) {
      if (!isSendable(as.token)) return
      const found = await ask<Self>(as, 'GET /user').catch(undefinedIfRefused)
      if (!found) return
      const { id, login, name, email, avatar_url } = found.data
      const scopes = scopesIn(as.token, found.headers['x-oauth-scopes'])
      return { user: { codehost_id: id, login, name, email, avatar_url }, scopes }
    },

    async organizationsOf(as) {
      const logins: string[] = []
      for (let page = 1; page <= mostPages; page += 1) {
        const query = { per_page: perPage, page }
        const { data } = await ask<Organizations>(as, 'GET /user/orgs', query)
        logins.push(...data.map(({ login }) => login))
        if (data.length < perPage) break
      }
      return logins
    },

    async hasInstallation(as) {
      const route = 'GET /user/installations'
      const { data } = await ask<Installations>(as, route, { per_page: 1 })
      return data.total_count > 0
    },
  }
}

/** Other characters cannot be written into a header. */
function isSendable(token: string): boolean {
  return /^[\x21-\x7e]{1,1000}$/.test(token)
}

/** A token of an app or an installation belongs to no user, which causes `missing` or `invalid`. */
function undefinedIfRefused(error: unknown): undefined {
  if (error instanceof CodehostError && !error.temporary) return undefined
  throw error
}

/** Tokens of apps and fine-grained tokens have permissions instead of scopes. */
function scopesIn(token: string, header: unknown): string[] | null {
  if (typeof header !== 'string' || /^(?:ghu_|github_pat_)/.test(token)) return null
  return header.split(',').flatMap((word) => word.trim() || [])
}
