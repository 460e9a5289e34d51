import { setTimeout as pause } from 'node:timers/promises'
import { CodehostError, type RepositoryRef } from '../codehost.ts'
import { failureOf, whole } from './failure.ts'
import type { Octokit } from './octokit.ts'
import type { Scope, Tokens } from './tokens.ts'

type Parameters = Readonly<Record<string, unknown>>

/** What a call is about: a repository or an installation, or the app itself. */
export type About = Scope | 'app'

/** Calls of the code host. They throw nothing but a CodehostError. */
export interface Ask {
  ask<T>(about: About, route: string, parameters?: Parameters): Promise<T>
  /** Undefined when the code host says that there is no such thing. */
  find<T>(about: About, route: string, parameters?: Parameters): Promise<T | undefined>
}

interface Means {
  /** Speaks for the app, with its key. */
  octokit(): Promise<Octokit>
  /** Speaks for nobody. */
  bare: Octokit
  tokens: Tokens
  now(): Date
}

/** Pauses before a question is repeated, in milliseconds; the queue knows longer ones. */
const pauses = [50, 100, 200]

export function createAsk({ octokit, bare, tokens, now }: Means): Ask {
  const rests = new Map<string, number>()

  async function once<T>(about: About, route: string, parameters: Parameters): Promise<T> {
    const request = { signal: AbortSignal.timeout(15_000) }
    const headers = about === 'app' ? {} : { authorization: `token ${await tokens.get(about)}` }
    const speaker = about === 'app' ? await octokit() : bare
    try {
      const { data } = await speaker.request(route, { ...parameters, headers, request })
      return whole(data) as T
    } catch (error) {
      const failure = failureOf(route, error, now())
      if (failure.kind === 'limited') rest(about, failure.retryAfter ?? 0)
      if (about !== 'app' && isUnauthorized(failure)) tokens.forget(about)
      throw failure
    }
  }

  function rest(about: About, seconds: number): void {
    rests.set(limitOf(about), now().getTime() + seconds * 1000)
  }

  /** Whoever goes on asking beyond a limit is kept out for longer. */
  function respectRest(about: About, route: string): void {
    const left = (rests.get(limitOf(about)) ?? 0) - now().getTime()
    if (left <= 0) return
    const retryAfter = Math.ceil(left / 1000)
    const message = `the code host wants ${retryAfter} seconds of rest (${route})`
    throw new CodehostError(message, { kind: 'limited', retryAfter })
  }

  async function ask<T>(about: About, route: string, parameters: Parameters = {}): Promise<T> {
    for (let tried = 0; ; tried += 1) {
      respectRest(about, route)
      try {
        return await once<T>(about, route, parameters)
      } catch (error) {
        const wait = secondChance(route, error, tried)
        if (wait === undefined) throw error
        await pause(wait)
      }
    }
  }

  return {
    ask,
    async find<T>(about: About, route: string, parameters?: Parameters) {
      // A repository that is closed to us is not one where nothing is.
      if (about !== 'app') await tokens.get(about)
      return ask<T>(about, route, parameters).catch(nothing)
    },
  }
}

/** Each installation has limits of its own. */
function limitOf(about: About): string {
  return about === 'app' ? about : String(about.installation)
}

/** After how many milliseconds a call is to be repeated, if at all. */
function secondChance(route: string, error: unknown, tried: number): number | undefined {
  // The token was taken back, and forgotten just now.
  if (isUnauthorized(error)) return tried === 0 ? 0 : undefined
  if (!(error instanceof CodehostError) || error.kind !== 'away') return undefined
  const wait = route.startsWith('GET ') ? pauses[tried] : undefined
  return wait === undefined ? undefined : wait * (1 + Math.random() / 2)
}

function isUnauthorized(error: unknown): boolean {
  return ((error as Error).cause as { status?: number } | undefined)?.status === 401
}

/** All pages of a list. */
export async function pagesOf<T>(
  { ask }: Ask,
  about: About,
  route: string,
  parameters: Parameters = {},
): Promise<T[]> {
  const pages: T[] = []
  for (let page = 1; page <= mostPages; page += 1) {
    const answer = await ask<T>(about, route, { ...parameters, per_page: perPage, page })
    pages.push(answer)
    if (lengthOf(answer) < perPage) break
  }
  return pages
}

const perPage = 100
const mostPages = 1000

/** Some lists stand in a member of the answer. */
function lengthOf(answer: unknown): number {
  if (Array.isArray(answer)) return answer.length
  return Object.values(answer as object).find(Array.isArray)?.length ?? 0
}

/** For what may be closed to us as well as absent. */
export function nothing(error: unknown): undefined {
  if (error instanceof CodehostError && error.kind === 'missing') return undefined
  throw error
}

/** The scope of a call about one repository: nothing beyond it. */
export function scopeOf({ codehost_id, slug, installation }: RepositoryRef): Scope {
  if (installation === null) {
    throw new CodehostError(`the app is not installed on ${slug}: install it there`, {
      kind: 'refused',
    })
  }
  return { installation, repository: codehost_id }
}
