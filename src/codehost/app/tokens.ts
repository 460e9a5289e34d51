import { CodehostError } from '../codehost.ts'
import { failureOf, completeBody } from './failure.ts'
import type { Octokit } from './octokit.ts'

/** What a token may be used for. */
export interface Scope {
  installation: number
  /** The only repository that the token can access; absent for calls about the installation. */
  repository?: number
  /** Its name, for a code host that does not know repositories by their ids. */
  slug?: string
  /** A subset of the app's permissions. */
  permissions?: Readonly<Record<string, 'read' | 'write'>>
}

export interface Tokens {
  /** A token that is valid for at least this many more seconds; the default is a minute. */
  get(scope: Scope, seconds?: number): Promise<Token>
  /** Drops the cached token, so that the next call requests a new one. */
  forget(scope: Scope): void
  /**
   * Drops a token that was refused, unless another token has been cached. False if the token was
   * requested to replace a refused one not long before.
   */
  refuse(scope: Scope, token: Token): Promise<boolean>
}

export interface Token {
  token: string
  expires: number
  /** When it was issued, in milliseconds. */
  since: number
  /** Whether the token was requested to replace a refused one. */
  replaces: boolean
}

const call = 'POST /app/installations/{installation_id}/access_tokens'
const mostCached = 10_000
/** Milliseconds for which a token counts as the replacement of a refused one: half of its life. */
const replacesFor = 30 * 60_000

/** The tokens of the app's installations. Each is requested once and cached while it is valid. */
export function createTokens(octokit: () => Promise<Octokit>, now: () => Date): Tokens {
  const kept = new Map<string, Promise<Token>>()
  const refused = new Set<string>()

  async function requestToken(scope: Scope): Promise<Token> {
    const { installation, repository, permissions } = scope
    const replaces = refused.delete(keyOf(scope))
    const app = await octokit()
    try {
      const { data } = await app.request(call, {
        installation_id: installation,
        ...(repository === undefined ? {} : { repository_ids: [repository] }),
        ...(permissions ? { permissions } : {}),
        request: { signal: AbortSignal.timeout(15_000) },
      })
      const { token, expires_at } = completeBody(data) as typeof data
      return { token, expires: Date.parse(expires_at), since: now().getTime(), replaces }
    } catch (error) {
      throw explain(failureOf(call, error, now()), (error as { status?: number }).status)
    }
  }

  function keep(key: string, token: Promise<Token>): Promise<Token> {
    if (kept.size >= mostCached) kept.clear()
    kept.set(key, token)
    token.catch(() => drop(key, token))
    return token
  }

  function drop(key: string, token: Promise<Token>): void {
    if (kept.get(key) === token) kept.delete(key)
  }

  return {
    async get(scope, seconds = 60) {
      const key = keyOf(scope)
      const known = kept.get(key)
      if (known) {
        const token = await known
        if (token.expires - now().getTime() > seconds * 1000) return token
        drop(key, known)
      }
      // If several callers find no token at the same time, the first requests it for all.
      return kept.get(key) ?? keep(key, requestToken(scope))
    },
    forget: (scope) => void kept.delete(keyOf(scope)),
    async refuse(scope, token) {
      const key = keyOf(scope)
      const current = kept.get(key)
      if (current && (await current.catch(() => undefined)) !== token) return true
      if (current) drop(key, current)
      if (token.replaces && now().getTime() - token.since < replacesFor) return false
      if (refused.size >= mostCached) refused.clear()
      refused.add(key)
      return true
    },
  }
}

function keyOf({ installation, repository, permissions }: Scope): string {
  return JSON.stringify([installation, repository, permissions])
}

const explanations: Readonly<Record<number, string>> = {
  404: 'the app is no longer installed there: install it again',
  422: 'the app no longer has access to the repository: add it to the installation',
}

/** Adds advice for the operator. */
function explain(failure: CodehostError, status: number | undefined): CodehostError {
  const text = explanations[status ?? 0]
  if (text === undefined) return failure
  return new CodehostError(`${text} (${failure.message})`, {
    kind: 'missing',
    cause: failure.cause,
  })
}
