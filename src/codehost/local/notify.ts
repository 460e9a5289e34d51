import { sql } from 'kysely'
import { guidOf, type LocalDelivery } from './delivery.ts'
import type { Local } from './local.ts'
import { numberOfPullRef, pullRef } from './names.ts'
import { type EventPayload, eventPayload } from './payload.ts'
import { pullRequestPayload } from './pull-request-payload.ts'
import { findPull, followBranches } from './pulls.ts'
import { pushPayload } from './push-payload.ts'
import { refsBelow } from './refs.ts'
import {
  type LocalRepository,
  type Registered,
  repositoryFacts,
  repositoryOf,
} from './repositories.ts'
import type { LocalDatabase } from './tables.ts'
import { type Change, changesSince, rememberTold, toldRefs, type ToldRef } from './reported-refs.ts'

/** Brings a webhook to the intake, and throws unless it was accepted there. */
export type Deliver = (delivery: LocalDelivery) => Promise<void>

/**
 * Delivers, one after the other, what has changed in a repository since the last time, and answers
 * how many events that were. Stops at the first that is not accepted; the next time begins with it.
 * Of several calls at once, each begins when the one before has ended. A call holds one connection
 * to the database throughout.
 */
export async function notify(
  local: Local,
  registered: Registered,
  deliver: Deliver,
): Promise<number> {
  const repository = await repositoryOf(local, registered)
  return alone(local.db, `local_codehost.notify:${repository.codehost_id}`, (db) =>
    tell({ ...local, db }, repository, deliver),
  )
}

async function tell(local: Local, repository: LocalRepository, deliver: Deliver): Promise<number> {
  const id = repository.codehost_id
  const told = await toldRefs(local.db, id)
  const changes = changesSince(told, await presentRefs(local, repository))
  if (changes.length === 0) return 0

  const event = eventPayload(local, await repositoryFacts(local, repository))
  for (const change of changes) {
    const delivery = await deliveryOf(local, repository, event, change, told)
    await deliver({ guid: guidOf(id, change), ...delivery })
    told.set(change.ref, await rememberTold(local.db, id, change))
  }
  return changes.length
}

/** Branches, tags, and the heads of the pull requests that are open. */
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
  told: ReadonlyMap<string, ToldRef>,
): Promise<Omit<LocalDelivery, 'guid'>> {
  const { git } = local
  const { path } = repository
  const number = numberOfPullRef(change.ref)
  if (number === undefined) {
    return { event: 'push', body: bytes(await pushPayload(git, path, event, change, told)) }
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

/** A lock of the session: no transaction may stay open while the network is waited for. */
function alone<T>(
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
