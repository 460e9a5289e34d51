import { sql } from 'kysely'
import type { ListViewer } from '../../access/viewer.ts'
import type { Delivery, DeliveryResult } from '../../domain/delivery.ts'
import type { Repository } from '../../domain/repository.ts'
import { secondsAgo } from '../sql/age.ts'
import { anyOf } from '../sql/literals.ts'
import type { Page } from '../sql/page.ts'
import { listedFor, stillPrivate } from '../sql/visibility.ts'
import type { Database } from '../tables.ts'

export interface DeliveryFilter {
  /** The repository, as its code host identifies it. */
  repository?: Pick<Repository, 'provider' | 'codehost_id'>
  result?: DeliveryResult | 'waiting'
  limit: number
}

/** The webhooks that match, newest first, without their bodies. */
export function listDeliveries(
  db: Database,
  { repository, result, limit }: DeliveryFilter,
): Promise<ListedDelivery[]> {
  return listed(db)
    .$if(repository !== undefined, (query) =>
      query
        .where('deliveries.provider', '=', repository?.provider ?? 'codehost')
        .where('deliveries.repository_codehost_id', '=', repository?.codehost_id ?? null),
    )
    .$if(result === 'waiting', (query) => query.where('deliveries.result', 'is', null))
    .$if(result !== undefined && result !== 'waiting', (query) =>
      query.where('deliveries.result', '=', result as DeliveryResult),
    )
    .orderBy('deliveries.id', 'desc')
    .limit(limit)
    .execute()
}

/** Empty or undefined members do not filter. */
export interface DeliveriesFilter {
  outcomes: readonly string[]
  events: readonly string[]
  /** Slugs of repositories, in lower case. */
  slugs: readonly string[]
  /** Only webhooks received before the webhook with this id. */
  before: number | undefined
}

/** Matching webhooks, newest first, too many to count; with `slugs`, only of visible repositories. */
export function deliveriesPage(
  db: Database,
  { outcomes, events, slugs, before }: DeliveriesFilter,
  { limit, offset }: Pick<Page, 'limit' | 'offset'>,
  viewer: ListViewer,
): Promise<ListedDelivery[]> {
  return listed(db)
    .$if(outcomes.length > 0, (query) =>
      query.where(sql<boolean>`coalesce(deliveries.result, 'waiting') = ${anyOf(outcomes)}`),
    )
    .$if(events.length > 0, (query) => query.where(sql<boolean>`event = ${anyOf(events)}`))
    .$if(slugs.length > 0, (query) =>
      query.where(
        sql<boolean>`lower(repositories.owner_name || '/' || repositories.name) = ${anyOf(slugs)}
          and ${listedFor(viewer, 'repositories')}`,
      ),
    )
    .$if(before !== undefined, (query) => query.where('deliveries.id', '<', before ?? 0))
    .orderBy('deliveries.id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
}

/** The request and the build that each of these webhooks led to, by the webhook's id. */
export async function followingOfDeliveries(
  db: Database,
  ids: readonly number[],
): Promise<Map<number, { request_id: number; build_id: number | null }>> {
  const rows = await db
    .selectFrom('requests')
    .leftJoin('builds', 'builds.request_id', 'requests.id')
    .select(['requests.delivery_id', 'requests.id as request_id', 'builds.id as build_id'])
    .where('requests.delivery_id', '=', sql<number>`any(${ids}::bigint[])`)
    .execute()
  return new Map(
    rows.map(({ delivery_id, request_id, build_id }) => [
      delivery_id ?? 0,
      { request_id, build_id },
    ]),
  )
}

export function findDeliveryByGuid(
  db: Database,
  guid: string,
): Promise<ListedDelivery | undefined> {
  return listed(db).where('deliveries.guid', '=', guid).executeTakeFirst()
}

/** The webhooks that led to no request, about a commit that begins with these digits, newest first. */
export function idleDeliveriesOfCommit(
  db: Database,
  digits: string,
  limit: number,
): Promise<ListedDelivery[]> {
  return listed(db)
    .where('deliveries.sha', 'like', `${digits}%`)
    .where(sql<boolean>`not exists (select from requests where delivery_id = deliveries.id)`)
    .orderBy('deliveries.id', 'desc')
    .limit(limit)
    .execute()
}

export type ListedDelivery = Omit<
  Delivery,
  'body' | 'body_hash' | 'packed' | 'sha' | 'installation_codehost_id'
> & {
  /** Null if the repository is unknown. */
  repository_id: number | null
  slug: string | null
  /** Whether its body is still kept, so that it can be processed again. */
  kept: boolean
}

function listed(db: Database) {
  return db
    .selectFrom('deliveries')
    .leftJoin('repositories', (join) =>
      join
        .onRef('repositories.provider', '=', 'deliveries.provider')
        .onRef('repositories.codehost_id', '=', 'deliveries.repository_codehost_id'),
    )
    .select([
      'deliveries.id',
      'guid',
      'deliveries.provider',
      'event',
      'action',
      'repository_codehost_id',
      'state',
      'outcome',
      'result',
      'attempts',
      'received_at',
      'processed_at',
      'sealed',
    ])
    .select('repositories.id as repository_id')
    .select(sql<boolean>`body is not null`.as('kept'))
    .select(sql<string | null>`repositories.owner_name || '/' || repositories.name`.as('slug'))
}

/** Seconds after its arrival from which an unprocessed webhook is worth a notice. */
const longestQuiet = 30

/**
 * The webhooks about a repository that changed nothing, or still wait, within the last week. While the
 * repository is public, webhooks from when it was private stay hidden.
 */
export function idleDeliveries(
  db: Database,
  repository: Pick<Repository, 'id' | 'provider' | 'codehost_id'>,
  limit: number,
): Promise<IdleDelivery[]> {
  return db
    .selectFrom('deliveries')
    .select(['id', 'event', 'action', 'outcome', 'result', 'received_at'])
    .where('provider', '=', repository.provider)
    .where('repository_codehost_id', '=', repository.codehost_id)
    .where('received_at', '>=', secondsAgo(7 * 24 * 60 * 60))
    .where((eb) =>
      eb.or([
        eb('result', 'in', ['ignored', 'unknown', 'error']),
        eb.and([eb('result', 'is', null), eb('received_at', '<', secondsAgo(longestQuiet))]),
      ]),
    )
    .where((eb) => eb.or([eb('sealed', '=', false), stillPrivate(repository.id)]))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

export type IdleDelivery = Pick<
  Delivery,
  'id' | 'event' | 'action' | 'outcome' | 'result' | 'received_at'
>

/** Number of webhooks of the last day by result; `waiting` counts webhooks not processed yet. */
export async function countDeliveries(
  db: Database,
): Promise<Partial<Record<DeliveryResult | 'waiting', number>>> {
  const rows = await db
    .selectFrom('deliveries')
    .select([
      sql<DeliveryResult | 'waiting'>`coalesce(result, 'waiting')`.as('result'),
      sql<number>`count(*)::int`.as('count'),
    ])
    .where('received_at', '>=', secondsAgo(24 * 60 * 60))
    .where((eb) =>
      eb.or([eb('result', 'is not', null), eb('received_at', '<', secondsAgo(longestQuiet))]),
    )
    .groupBy(sql`1`)
    .execute()
  return Object.fromEntries(rows.map(({ result, count }) => [result, count]))
}
