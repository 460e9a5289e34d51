import { isDeepStrictEqual } from 'node:util'
import type { FastifyRequest } from 'fastify'
import { permittedUser, type Viewer } from '../access/viewer.ts'
import { type Grounds, groundsOf, type Showing } from '../store/grounds.ts'
import type { HttpContext } from './context.ts'
import { digestOf, knownTag, type Shown, tagsOf } from './entity-tag.ts'
import { prefixOf } from './prefix.ts'

/** What a client was told that it has, and on what grounds. */
interface Recent {
  viewer: Viewer
  etag: string
  showing: Showing
  /** Read before the answer was made; absent when it was made for the first time. */
  grounds?: Grounds
  until: number
}

/** A call that asks whether an answer has changed. */
export interface Asked {
  key: string
  showing?: Showing
  /** Read before anything else of this call. */
  grounds?: Grounds | undefined
  /** The last answer to it is still true. */
  still?: { viewer: Viewer; etag: string }
}

/** A call that was answered with what the client has already. */
interface Answered {
  viewer: Viewer
  etag?: string
  shown?: Shown
}

export interface RecentAnswers {
  /** Looks whether a call can be answered as it was a moment ago. Undefined where it does not ask that. */
  ask(request: FastifyRequest): Promise<Asked | undefined>
  keep(asked: Asked, answered: Answered): void
}

/** Milliseconds for which an answer is repeated. Then its token is looked up again, and its use noted. */
const lifetime = 60_000

/** Each takes about a kilobyte. */
const most = 5000

/**
 * What clients that watch the same things were told, so that telling them again takes one short statement
 * and no rights have to be found out: as long as the rows are as they were that decided it, it is true.
 * Those are read before the answer is made, and what the answer was made of has to agree with them.
 */
export function recentAnswers(ctx: Pick<HttpContext, 'db' | 'now' | 'site'>): RecentAnswers {
  const answers = new Map<string, Recent>()

  function find(key: string): Recent | undefined {
    const recent = answers.get(key)
    if (recent && recent.until > ctx.now().getTime()) return recent
    answers.delete(key)
  }

  return {
    async ask(request) {
      const header = request.headers['if-none-match']
      if (header === undefined) return
      const key = keyOf(ctx, request)
      const recent = find(key)
      if (!recent) return { key }
      const { showing, viewer } = recent
      const grounds = await groundsOf(ctx.db, showing)
      const etag = knownTag(header, tagsOf(recent.etag))
      const isStill = etag !== undefined && areSame(grounds, recent.grounds, ctx.now())
      return { key, showing, grounds, ...(isStill ? { still: { viewer, etag } } : {}) }
    },

    keep({ key, showing: before, grounds }, { viewer, etag, shown }) {
      if (etag === undefined || shown === undefined || !isRepeatable(viewer)) return
      const viewer_id = permittedUser(viewer) ?? null
      const { table, id, version } = shown
      const showing = { table, id, viewer_id, token_id: viewer.token_id ?? null }
      const until = ctx.now().getTime() + lifetime
      const first = { viewer, etag, showing, until }
      answers.delete(key)
      // A role can go and come back without a trace: it has to be the same in both that were read.
      const isOnThese = grounds?.version === version && isDeepStrictEqual(showing, before)
      answers.set(key, isOnThese ? { ...first, grounds } : first)
      if (answers.size > most) answers.delete(answers.keys().next().value ?? '')
    },
  }
}

/** All of a call that its answer may depend on, but for what is stored. */
function keyOf({ site }: Pick<HttpContext, 'site'>, { raw, headers, originalUrl }: FastifyRequest) {
  const { authorization, accept, 'service-api-version': version } = headers
  const parts = [authorization, accept, version, prefixOf(site, raw), originalUrl, site.version]
  return digestOf(JSON.stringify(parts))
}

/** Permissions of tokens for some repositories are made anew with each call. */
function isRepeatable({ grantee_id, log }: Viewer): boolean {
  return grantee_id === undefined && log === undefined
}

function areSame(now: Grounds | undefined, before: Grounds | undefined, at: Date): boolean {
  if (now === undefined || now.text !== before?.text || now.version !== before.version) return false
  return now.expires_at === null || now.expires_at > at
}
