import { CodehostError, type Grant, type Logins } from '../codehost.ts'
import { completeBody, failureOf } from './failure.ts'
import type { Octokit } from './octokit.ts'

interface LoginOptions {
  webUrl: string
  client: { id: string; secret: string }
  now(): Date
}

/** The code host's response to a code; errors have status 200 too. */
interface Exchanged {
  access_token?: unknown
  expires_in?: unknown
  refresh_token?: unknown
  error?: unknown
}

const route = 'POST /login/oauth/access_token'

/** Codes and tokens that have ended or were used before; other errors are about the app's settings. */
const expected = ['bad_verification_code', 'bad_refresh_token', 'unverified_user_email']

/** The web flow of the app. */
export function createLogins(octokit: Octokit, { webUrl, client, now }: LoginOptions): Logins {
  async function exchange(given: Readonly<Record<string, string>>): Promise<Grant | undefined> {
    const { access_token, expires_in, refresh_token, error } = await post(given)
    if (typeof access_token === 'string' && access_token !== '') {
      const seconds = Number(expires_in)
      return {
        token: access_token,
        issued_at: now(),
        expires_at: seconds > 0 ? new Date(now().getTime() + seconds * 1000) : null,
        refresh_token: typeof refresh_token === 'string' ? refresh_token : null,
      }
    }
    const reason = typeof error === 'string' ? error.slice(0, 100) : 'no token'
    if (expected.includes(reason)) return
    const check = 'check GITHUB_CLIENT_ID, GITHUB_CLIENT_SECRET and the callback URL of the app'
    throw new CodehostError(`the code host logs no one in, ${reason}: ${check}`, {
      kind: 'refused',
    })
  }

  async function post(given: Readonly<Record<string, string>>): Promise<Exchanged> {
    try {
      const { data } = await octokit.request(route, {
        baseUrl: webUrl,
        headers: { accept: 'application/json' },
        client_id: client.id,
        client_secret: client.secret,
        ...given,
        request: { signal: AbortSignal.timeout(15_000) },
      })
      return completeBody(data)
    } catch (error) {
      // The cause contains all data sent, including secrets.
      const { message, kind, retryAfter } = failureOf(route, error, now())
      throw new CodehostError(message, { kind, retryAfter })
    }
  }

  return {
    address({ callback, state, challenge }) {
      const query = new URLSearchParams({
        client_id: client.id,
        redirect_uri: callback,
        state,
        code_challenge: challenge,
        code_challenge_method: 'S256',
      })
      return `${webUrl}/login/oauth/authorize?${query}`
    },
    redeem: ({ code, callback, verifier }) =>
      exchange({ code, redirect_uri: callback, code_verifier: verifier }),
    refresh: (refreshToken) =>
      exchange({ grant_type: 'refresh_token', refresh_token: refreshToken }),
  }
}
