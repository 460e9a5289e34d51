import { jsonObjectFrom } from 'kysely/helpers/postgres'
import type { Delivery, DeliveryEnd } from '../../domain/delivery.ts'
import { databaseNow, secondsAgo } from '../sql/age.ts'
import type { IdPage } from '../sql/all-ids.ts'
import { listed, runPrepared, runPreparedFirst, prepared } from '../sql/prepared-statements.ts'
import { withoutWaiting } from '../sql/transaction.ts'
import type { Database } from '../tables.ts'

export type NewDelivery = Pick<
  Delivery,
  | 'guid'
  | 'provider'
  | 'event'
  | 'action'
  | 'repository_codehost_id'
  | 'installation_codehost_id'
  | 'sealed'
> & { body: Buffer; packed?: boolean; sha?: string | null; body_hash?: string | null }

// A webhook that is still `received` after this time was lost; its repeat is processed.
const processingTimeout = '5 minutes'

const columnTypes = [
  ...['text[]', 'text[]', 'text[]', 'text[]', 'bigint[]', 'bigint[]', 'boolean[]', 'boolean[]'],
  ...['text[]', 'text[]', 'int[]', 'int[]'],
] as const

const stored = prepared<{ id: number; guid: string }>(`
  insert into deliveries (guid, provider, event, action, repository_codehost_id,
    installation_codehost_id, sealed, packed, sha, body_hash, body, received_at)
  select guid, provider, event, action, repository, installation, sealed, packed, sha, body_hash,
    substring($1::bytea from start for length), now()
  from unnest(${columnTypes.map((type, index) => listed(`$${index + 2}`, type)).join()})
    as given (guid, provider, event, action, repository, installation, sealed, packed, sha,
      body_hash, start, length)
  on conflict (guid) do update
    set state = 'received', outcome = null, result = null, received_at = excluded.received_at,
      body = excluded.body, sealed = excluded.sealed, packed = excluded.packed,
      body_hash = excluded.body_hash
    where deliveries.state = 'failed'
      or (deliveries.state = 'received'
        and deliveries.received_at < now() - interval '${processingTimeout}')
  returning id, guid
`)

/**
 * Stores webhooks and returns the ids of the webhooks to be processed: new ones, and repeats of failed
 * ones. A repeat of a webhook that was or is being processed has no id (WH-10, WH-11). The guids must be
 * unique.
 */
export async function storeDeliveries(
  db: Database,
  deliveries: readonly NewDelivery[],
): Promise<Map<string, number>> {
  // All processes use the same order: two statements with the same guids could block each other.
  const ordered = deliveries.toSorted((a, b) => (a.guid < b.guid ? -1 : 1))
  const column = <K extends keyof NewDelivery>(name: K) => ordered.map((each) => each[name])
  // One value for all bodies: an array of them would be sent as text, twice as long.
  const bodies = column('body')
  let end = 0
  const starts = bodies.map(({ length }) => (end += length) - length + 1)
  const rows = await stored(
    db,
    Buffer.concat(bodies),
    column('guid'),
    column('provider'),
    column('event'),
    column('action'),
    column('repository_codehost_id'),
    column('installation_codehost_id'),
    column('sealed'),
    ordered.map(({ packed }) => packed === true),
    ordered.map(({ sha }) => sha ?? null),
    ordered.map(({ body_hash }) => body_hash ?? null),
    starts,
    bodies.map(({ length }) => length),
  )
  return new Map(rows.map(({ id, guid }) => [guid, id]))
}

export function findDelivery(db: Database, id: number): Promise<Delivery | undefined> {
  return runPreparedFirst(db, db.selectFrom('deliveries').selectAll().where('id', '=', id))
}

export interface DeliveryToProcess extends Delivery {
  /** An earlier delivery with the same body that had an effect, or may still have one. */
  repeats: Pick<Delivery, 'guid' | 'state'> | null
}

/** A delivery, and the delivery that it repeats. */
export function findDeliveryToProcess(
  db: Database,
  id: number,
): Promise<DeliveryToProcess | undefined> {
  const found = db
    .selectFrom('deliveries')
    .selectAll()
    .select((eb) =>
      jsonObjectFrom(
        eb
          .selectFrom('deliveries as earlier')
          .select(['earlier.guid', 'earlier.state'])
          .whereRef('earlier.body_hash', '=', 'deliveries.body_hash')
          .whereRef('earlier.id', '<', 'deliveries.id')
          .where((earlier) =>
            earlier.or([
              earlier('earlier.state', '=', 'received'),
              earlier('earlier.result', 'in', ['request', 'noted']),
            ]),
          )
          .orderBy('earlier.id')
          .limit(1),
      ).as('repeats'),
    )
    .where('id', '=', id)
  return runPreparedFirst(db, found)
}

/**
 * Marks a delivery as ended, unless it has ended already: two queue entries may have named it. Only
 * a delivery that became a request is recognized when it is processed again; the effect of any
 * other would be repeated, so its mark waits for the disk.
 */
export async function markDeliveryEnded(db: Database, id: number, end: DeliveryEnd): Promise<void> {
  // A repeat of a failed delivery is processed again: the cause may be gone by then (WH-11).
  const failed = end.result === 'unknown' || end.result === 'error'
  const state = failed ? ('failed' as const) : ('processed' as const)
  const ended = db
    .updateTable('deliveries')
    .set((eb) => ({ ...end, state, processed_at: databaseNow, attempts: eb('attempts', '+', 1) }))
    .where('id', '=', id)
    .where('state', '=', 'received')
    .$if(end.result === 'request', (query) => query.where(withoutWaiting))
  await runPrepared(db, ended)
}

/** Makes a webhook wait again; false unless it was processed and its body is still kept. */
export async function reopenDelivery(db: Database, id: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('deliveries')
    .set({ state: 'received', outcome: null, result: null, received_at: databaseNow })
    .where('id', '=', id)
    .where('state', '<>', 'received')
    .where('body', 'is not', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** A page of webhooks received at least `seconds` ago that wait to be processed, oldest first. */
export async function waitingDeliveries(
  db: Database,
  seconds: number,
  { after, most }: IdPage,
): Promise<number[]> {
  const rows = await db
    .selectFrom('deliveries')
    .select('id')
    .where('state', '=', 'received')
    .where('received_at', '<=', secondsAgo(seconds))
    .where('id', '>', after)
    .orderBy('id')
    .limit(most)
    .execute()
  return rows.map(({ id }) => id)
}

/** Drops the bodies of webhooks that were processed more than `seconds` ago (D32). */
export async function dropBodies(db: Database, seconds: number): Promise<void> {
  await db
    .updateTable('deliveries')
    .set({ body: null })
    .where('body', 'is not', null)
    .where('processed_at', '<', secondsAgo(seconds))
    .execute()
}
