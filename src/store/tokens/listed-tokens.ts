import { type Expression, sql } from 'kysely'
import { type Page, type Paged, readPage } from '../sql/page.ts'
import type { Database, Token } from '../tables.ts'

/** A token as shown in lists: without the token itself, which no one can read again. */
export interface ListedToken extends Pick<
  Token,
  | 'id'
  | 'name'
  | 'scopes'
  | 'user_id'
  | 'repository_id'
  | 'made_by_id'
  | 'created_at'
  | 'last_used_at'
  | 'expires_at'
  | 'ends_at'
> {
  /** The repositories that the token is limited to; null for all of its user's. */
  repository_ids: number[] | null
}

/** The tokens of a user that the API can be called with now. */
export function tokensOfUser(
  db: Database,
  userId: number,
  now: Date,
  page: Page,
): Promise<Paged<ListedToken>> {
  const query = listedTokens(db, now)
    .where('user_id', '=', userId)
    .where('repository_id', 'is', null)
  return readPage(db, query, page, {}, newestFirst)
}

/** The tokens that belong to a repository. */
export function tokensOfRepository(
  db: Database,
  repositoryId: number,
  now: Date,
  page: Page,
): Promise<Paged<ListedToken>> {
  return readPage(
    db,
    listedTokens(db, now).where('repository_id', '=', repositoryId),
    page,
    {},
    newestFirst,
  )
}

/** A token that the API can be called with now. */
export function findListedToken(
  db: Database,
  ref: { id: number } | { hash: string },
  now: Date,
): Promise<ListedToken | undefined> {
  const query = listedTokens(db, now)
  const matching =
    'id' in ref ? query.where('tokens.id', '=', ref.id) : query.where('hash', '=', ref.hash)
  return matching.executeTakeFirst()
}

export type FeedToken = Pick<Token, 'created_at' | 'last_used_at'>

/** The token with which the feeds of a user can be read, if there is one. */
export function findFeedToken(
  db: Database,
  userId: number,
  now: Date,
): Promise<FeedToken | undefined> {
  return validTokens(db, 'feed', now)
    .select(['created_at', 'last_used_at'])
    .where('user_id', '=', userId)
    .executeTakeFirst()
}

const newestFirst: Expression<unknown> = sql`-tokens.id`

function listedTokens(db: Database, now: Date) {
  return validTokens(db, 'api', now)
    .select([
      'tokens.id',
      'name',
      'scopes',
      'user_id',
      'repository_id',
      'made_by_id',
      'created_at',
      'last_used_at',
      'expires_at',
      'ends_at',
    ])
    .select(
      sql<number[] | null>`case when grantee_id is not null then to_json(array(
        select token_repositories.repository_id from token_repositories
        where token_id = tokens.id order by 1)) end`.as('repository_ids'),
    )
}

function validTokens(db: Database, purpose: Token['purpose'], now: Date) {
  return db
    .selectFrom('tokens')
    .where('purpose', '=', purpose)
    .where('revoked_at', 'is', null)
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]))
}
