import { sql } from 'kysely'
import { guidOf, type LocalDelivery } from '../delivery.ts'
import type { Local } from '../local.ts'
import { numberOfPullRef, pullRef } from '../names.ts'
import { type EventPayload, eventPayload } from '../payloads/payload.ts'
import { pullRequestPayload } from '../payloads/pull-request-payload.ts'
import { findPull, followBranches } from '../pulls.ts'
import { pushPayload } from '../payloads/push-payload.ts'
import { updatesOf } from '../refs/ref-updates.ts'
import { refsBelow } from '../refs/refs.ts'
import {
  type LocalRepository,
  type Registered,
  repositoryFacts,
  repositoryOf,
} from '../repositories.ts'
import type { LocalDatabase } from '../tables.ts'
import {
  type Change,
  changesSince,
  saveReported,
  reportedRefs,
  type ReportedRef,
} from '../refs/reported-refs.ts'
import { createTurns, type Turns } from './turns.ts'

/** Sends a webhook to the intake; throws unless it was accepted. */
export type Deliver = (delivery: LocalDelivery) => Promise<void>

/** Who delivers needs a connection besides the one it holds: many at once would leave none. */
const turnsAt = new WeakMap<LocalDatabase, Turns<number>>()

/**
 * Delivers, one after the other, what has changed in a repository since the last call, and returns
 * the number of events. Stops at the first that is not accepted; the next call begins with it.
 * Concurrent calls run one after the other, those of one process that have not begun as one. A call
 * holds one connection to the database throughout.
 */
export async function notify(
  local: Local,
  registered: Registered,
  deliver: Deliver,
): Promise<number> {
  const repository = await repositoryOf(local, registered)
  const name = `local_codehost.notify:${repository.codehost_id}`
  const turns = turnsAt.get(local.db) ?? createTurns()
  turnsAt.set(local.db, turns)
  return turns.take(name, () =>
    withLock(local.db, name, (db) => deliverChanges({ ...local, db }, repository, deliver)),
  )
}

async function deliverChanges(
  local: Local,
  repository: LocalRepository,
  deliver: Deliver,
): Promise<number> {
  const id = repository.codehost_id
  const reported = await reportedRefs(local.db, id)
  const changes = changesSince(reported, await presentRefs(local, repository))
  if (changes.length === 0) return 0

  const event = eventPayload(local, await repositoryFacts(local, repository))
  let delivered = 0
  for (const change of changes) {
    for (const update of await updatesOf(local.git, repository.path, change)) {
      const delivery = await deliveryOf(local, repository, event, update, reported)
      await deliver({ guid: guidOf(id, update), ...delivery })
      reported.set(update.ref, await saveReported(local.db, id, update))
      delivered += 1
    }
  }
  return delivered
}

/** Branches, tags, and the heads of open pull requests. */
async function presentRefs(
  local: Local,
  repository: LocalRepository,
): Promise<Map<string, string>> {
  const refs = await refsBelow(local.git, repository.path, ['refs/heads', 'refs/tags'])
  const pulls = await followBranches(local, repository, refs)
  return new Map([
    ...refs,
    ...pulls.map(({ number, head_sha }) => [pullRef(number), head_sha] as const),
  ])
}

async function deliveryOf(
  local: Local,
  repository: LocalRepository,
  event: EventPayload,
  change: Change,
  reported: ReadonlyMap<string, ReportedRef>,
): Promise<Omit<LocalDelivery, 'guid'>> {
  const { git } = local
  const { path } = repository
  const number = numberOfPullRef(change.ref)
  if (number === undefined) {
    return { event: 'push', body: bytes(await pushPayload(git, path, event, change, reported)) }
  }
  const pull = await findPull(local, repository, number)
  if (!pull)
    throw new Error(`pull request ${number} of ${event.repository.full_name} has lost its record`)
  return {
    event: 'pull_request',
    body: bytes(await pullRequestPayload(git, path, event, change, pull)),
  }
}

function bytes(payload: object): Buffer {
  return Buffer.from(JSON.stringify(payload))
}

/** A session lock: no transaction may stay open while waiting for the network. */
function withLock<T>(
  db: LocalDatabase,
  name: string,
  work: (db: LocalDatabase) => Promise<T>,
): Promise<T> {
  return db.connection().execute(async (connection) => {
    await sql`select pg_advisory_lock(hashtextextended(${name}, 2))`.execute(connection)
    try {
      return await work(connection)
    } finally {
      await sql`select pg_advisory_unlock(hashtextextended(${name}, 2))`.execute(connection)
    }
  })
}
