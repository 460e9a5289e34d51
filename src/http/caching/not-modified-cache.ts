import { isDeepStrictEqual } from 'node:util'
import type { FastifyRequest } from 'fastify'
import { permittedUser, type Viewer } from '../../access/viewer.ts'
import { type Grounds, groundsOf, type Showing } from '../../store/builds/cache-validators.ts'
import type { HttpContext } from '../core/context.ts'
import { prefixOf } from '../core/prefix.ts'
import { digestOf, knownTag, type ShownVersion, tagsOf } from './entity-tag.ts'

/** An answer that a client has, and the rows that decided it. */
interface Recent {
  viewer: Viewer
  etag: string
  showing: Showing
  /** Read before the answer was made; absent if the answer was made for the first time. */
  grounds?: Grounds
  until: number
}

/** A call that revalidates an answer. */
export interface Asked {
  key: string
  showing?: Showing
  /** Read before anything else of this call. */
  grounds?: Grounds | undefined
  /** Set if the last answer is still correct. */
  still?: { viewer: Viewer; etag: string }
}

/** A call that was answered with 304. */
interface Answered {
  viewer: Viewer
  etag?: string
  shown?: ShownVersion
}

export interface RecentAnswers {
  /** Checks whether a call's last answer is still correct. Undefined if the call does not revalidate. */
  ask(request: FastifyRequest): Promise<Asked | undefined>
  keep(asked: Asked, answered: Answered): void
}

/** Milliseconds for which an answer is repeated. Then the token is read from the database, and its use noted. */
const lifetime = 60_000

/** Each answer takes about a kilobyte. */
const most = 5000

/**
 * Recent 304 answers of polling clients. Repeating one takes one short statement and no check of rights:
 * an answer is correct as long as the rows that decided it are unchanged. These rows are read before the
 * answer is made, and the data of the answer has to agree with them.
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
      // A role can disappear and return without a trace, so both reads must show the same role.
      const isOnThese = grounds?.version === version && isDeepStrictEqual(showing, before)
      answers.set(key, isOnThese ? { ...first, grounds } : first)
      if (answers.size > most) answers.delete(answers.keys().next().value ?? '')
    },
  }
}

/** Everything in a call that its answer can depend on, except stored data. */
function keyOf({ site }: Pick<HttpContext, 'site'>, { raw, headers, originalUrl }: FastifyRequest) {
  const { authorization, accept, 'service-api-version': version } = headers
  const parts = [authorization, accept, version, prefixOf(site, raw), originalUrl, site.version]
  return digestOf(JSON.stringify(parts))
}

/** Permissions of tokens for some repositories are rebuilt for each call. */
function isRepeatable({ grantee_id, log }: Viewer): boolean {
  return grantee_id === undefined && log === undefined
}

function areSame(now: Grounds | undefined, before: Grounds | undefined, at: Date): boolean {
  if (now === undefined || now.text !== before?.text || now.version !== before.version) return false
  return now.expires_at === null || now.expires_at > at
}
