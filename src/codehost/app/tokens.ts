import { CodehostError } from '../codehost.ts'
import { failureOf, whole } from './failure.ts'
import type { Octokit } from './octokit.ts'

/** What a token may be used for. */
export interface Scope {
  installation: number
  /** The one repository that it is for; without, it is for questions about the installation. */
  repository?: number
  /** Less than what the app was permitted. */
  permissions?: Readonly<Record<string, 'read' | 'write'>>
}

export interface Tokens {
  /** A token that is good for so many seconds more, a minute without. */
  get(scope: Scope, seconds?: number): Promise<string>
  /** Has the next one made anew. */
  forget(scope: Scope): void
}

interface Token {
  token: string
  expires: number
}

const call = 'POST /app/installations/{installation_id}/access_tokens'
const mostKept = 10_000

/** The tokens of the app's installations. Each is asked for once and kept while it is good. */
export function createTokens(octokit: () => Promise<Octokit>, now: () => Date): Tokens {
  const kept = new Map<string, Promise<Token>>()

  async function make({ installation, repository, permissions }: Scope): Promise<Token> {
    const app = await octokit()
    try {
      const { data } = await app.request(call, {
        installation_id: installation,
        ...(repository === undefined ? {} : { repository_ids: [repository] }),
        ...(permissions ? { permissions } : {}),
        request: { signal: AbortSignal.timeout(15_000) },
      })
      const { token, expires_at } = whole(data) as typeof data
      return { token, expires: Date.parse(expires_at) }
    } catch (error) {
      throw explain(failureOf(call, error, now()), (error as { status?: number }).status)
    }
  }

  function keep(key: string, made: Promise<Token>): Promise<Token> {
    if (kept.size >= mostKept) kept.clear()
    kept.set(key, made)
    made.catch(() => drop(key, made))
    return made
  }

  function drop(key: string, token: Promise<Token>): void {
    if (kept.get(key) === token) kept.delete(key)
  }

  return {
    async get(scope, seconds = 60) {
      const key = keyOf(scope)
      const known = kept.get(key)
      if (known) {
        const { token, expires } = await known
        if (expires - now().getTime() > seconds * 1000) return token
        drop(key, known)
      }
      // Of several who find none at once, the first asks for all.
      const { token } = await (kept.get(key) ?? keep(key, make(scope)))
      return token
    },
    forget: (scope) => void kept.delete(keyOf(scope)),
  }
}

function keyOf({ installation, repository, permissions }: Scope): string {
  return JSON.stringify([installation, repository, permissions])
}

const explanations: Readonly<Record<number, string>> = {
  404: 'the app is not installed there any more: install it again',
  422: 'the app may not see the repository any more: add it to the installation',
}

/** Who asks for a token wants to know what to do next. */
function explain(failure: CodehostError, status: number | undefined): CodehostError {
  const text = explanations[status ?? 0]
  if (text === undefined) return failure
  return new CodehostError(`${text} (${failure.message})`, {
    kind: 'missing',
    cause: failure.cause,
  })
}
