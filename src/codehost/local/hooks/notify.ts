import { sql } from 'kysely'
import { readRef } from '../../../domain/event.ts'
import { guidOf, type LocalDelivery } from '../delivery.ts'
import type { Git } from '../git.ts'
import type { Local } from '../local.ts'
import { numberOfPullRef, pullRef } from '../names.ts'
import { type EventPayload, eventPayload } from '../payloads/payload.ts'
import { pullRequestPayload } from '../payloads/pull-request-payload.ts'
import { pushPayload } from '../payloads/push-payload.ts'
import { findPull, followBranches } from '../pulls.ts'
import { refsBelow } from '../refs/refs.ts'
import {
  type RefChange,
  changesSince,
  saveReported,
  reportedRefs,
  type ReportedRef,
} from '../refs/reported-refs.ts'
import {
  type LocalRepository,
  type Registered,
  repositoryFacts,
  repositoryOf,
} from '../repositories.ts'
import type { LocalDatabase } from '../tables.ts'

/** Sends a webhook to the intake; throws unless it was accepted. */
export type Deliver = (delivery: LocalDelivery) => Promise<void>

/** A delivering caller needs a second connection: many callers at the same time would exhaust the pool. */
const turnsAt = new WeakMap<LocalDatabase, Turns<number>>()

/**
 * Delivers the changes of a repository since the last call, one after the other, and returns the number
 * of events. Stops at the first event that is not accepted; the next call starts with it. Concurrent
 * calls run one after the other; calls of one process that have not begun are merged into one. A call
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
  change: RefChange,
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
    throw new Error(`pull request ${number} of ${event.repository.full_name} has no record`)
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

/** Work of one kind within a process. */
interface Turns<T> {
  /**
   * Runs this work after all work requested before. A call with the name of work that has not begun
   * shares that work.
   */
  take(name: string, work: () => Promise<T>): Promise<T>
}

function createTurns<T>(): Turns<T> {
  const notBegun = new Map<string, Promise<T>>()
  let last: Promise<unknown> = Promise.resolve()
  return {
    take(name, work) {
      const shared = notBegun.get(name)
      if (shared) return shared
      const own = last.then(() => {
        notBegun.delete(name)
        return work()
      })
      notBegun.set(name, own)
      last = own.catch(() => {})
      return own
    },
  }
}

/**
 * The number of updates of a ref that are reported separately; of more updates, only the newest is reported.
 */
const mostUpdates = 20

/**
 * The single updates that make up a change of a branch, oldest first: where people work, git logs each
 * commit, merge and reset. Without such a log, the change is one update, like a push.
 */
async function updatesOf(git: Git, path: string, change: RefChange): Promise<RefChange[]> {
  const { ref, before, after, changes } = change
  if (before === null || after === null || readRef(ref).kind !== 'branch') return [change]
  const shas = await updatesSince(git, path, ref, before)
  if (shas.at(-1) !== after) return [change]
  return shas.map((sha, index) => ({
    ref,
    before: shas[index - 1] ?? before,
    after: sha,
    changes: changes + index,
  }))
}

/** The values of the branch after this commit, as far as its log goes back. */
async function updatesSince(git: Git, path: string, ref: string, before: string) {
  const args = ['log', '--walk-reflogs', '--format=%H', `--max-count=${mostUpdates}`, ref, '--']
  const { code, output } = await git(path, args, { accept: [0, 128] })
  if (code !== 0) return []
  const newestFirst = output.toString().split('\n').filter(Boolean)
  const known = newestFirst.indexOf(before)
  return (known < 0 ? newestFirst : newestFirst.slice(0, known)).toReversed()
}
