import type { InstallationEvent } from '../domain/event.ts'
import { type InstallationFacts, isOfEnterprise } from '../domain/installation.ts'
import { timeOf } from '../store/age.ts'
import { requestSync } from '../store/installation-syncs.ts'
import { holdLock } from '../store/locks.ts'
import { releaseReports } from '../store/outbox.ts'
import { lockRepository, managedRepositories } from '../store/repositories.ts'
import type { Database, Installation } from '../store/tables.ts'
import { cancelJobs } from './build/cancel-jobs.ts'
import type { Context } from './context.ts'
import type { EventOutcome } from './event/event-outcome.ts'
import { findSender } from './repository/find-sender.ts'
import { manageRepository, releaseRepositories } from './repository/manage-repositories.ts'
import { removeInstallation, storeInstallation } from './repository/store-installation.ts'
import { storeRepository } from './repository/store-repository.ts'
import { transact, type Transaction } from './transact.ts'

/**
 * Stores where the app is installed, and has the repositories of the installation looked up. An event may be
 * old, or sent again, so the code host is asked what became of the installation, and what it names of
 * repositories is believed only where there is no code host to be asked.
 */
export async function followInstallation(
  ctx: Context,
  event: InstallationEvent,
): Promise<EventOutcome> {
  if (isOfEnterprise(event.installation)) {
    return { ignored: 'the app is installed for an enterprise, which owns no repositories' }
  }
  const isAsked = ctx.codehosts.codehost?.installations !== undefined
  const seen_at = await timeOf(ctx.db)
  const facts = await shownInstallation(ctx, event)
  const released = await transact(ctx, async (tx) => {
    const { codehost_id } = event.installation
    await holdLock(tx.db, `installation:${codehost_id}`)
    const sender = await findSender(tx.db, event.sender, 'codehost')
    if (!facts) return removeInstallation(tx, codehost_id, sender?.id ?? null)
    const seen = { seen_at, added_by_id: sender?.id }
    const installation = await storeInstallation(tx, facts, seen)
    if (installation.removed_at !== null) return []
    if (!facts.suspended) await lookUpLater(tx, installation)
    return isAsked ? [] : believe(tx, installation, event)
  })
  await cancelJobs(ctx, released, ['created'])
  const changes = isAsked ? 'its repositories are looked up' : changesText(event, released.length)
  return { noted: outcomeText(event, facts, changes) }
}

/** Undefined for one that is gone. */
function shownInstallation(
  { codehosts }: Context,
  { action, installation }: InstallationEvent,
): Promise<InstallationFacts | undefined> {
  const { installations } = codehosts.codehost ?? {}
  if (installations) return installations.find(installation.codehost_id)
  const suspended = action === 'suspended' || installation.suspended
  return Promise.resolve(action === 'deleted' ? undefined : { ...installation, suspended })
}

/** The event lacks most data of a repository, and may be old. */
async function lookUpLater(tx: Transaction, { id, codehost_id }: Installation): Promise<void> {
  await requestSync(tx.db, codehost_id)
  tx.follow('installation.sync', { installation: codehost_id })
  // What was refused so far may be allowed now (D36).
  for (const stream of await releaseReports(tx.db, id)) tx.follow('outbox.publish', { stream })
}

/** Stores what an event says of repositories; returns those that were removed. */
async function believe(
  tx: Transaction,
  installation: Installation,
  event: InstallationEvent,
): Promise<number[]> {
  await addRepositories(tx, installation, event)
  const gone = await removedRepositories(tx.db, installation, event)
  await releaseRepositories(tx.db, gone)
  return gone
}

/** One that is known stays as it is until it is looked up. */
async function addRepositories(
  tx: Transaction,
  installation: Installation,
  { added, installation: { account } }: InstallationEvent,
): Promise<void> {
  for (const installed of added) {
    const facts = { ...installed, ...unsaid, provider: 'codehost' as const, owner: account }
    const known = await lockRepository(tx.db, facts)
    const repository = known ?? (await storeRepository(tx.db, facts))
    if (repository.deleted_at === null) await manageRepository(tx, installation, repository)
  }
}

/** What the event does not say of a repository. */
const unsaid = {
  fork: false,
  default_branch: 'main',
  description: null,
  language: null,
  archived: false,
}

async function removedRepositories(
  db: Database,
  { id }: Installation,
  { removed }: InstallationEvent,
): Promise<number[]> {
  const managed = await managedRepositories(db, id)
  return managed.filter(({ codehost_id }) => removed.includes(codehost_id)).map(({ id }) => id)
}

function outcomeText(
  { installation: { account } }: InstallationEvent,
  facts: InstallationFacts | undefined,
  changes: string,
): string {
  if (!facts) return `the app was uninstalled from ${account.login}`
  if (facts.suspended) return `the app is suspended for ${account.login}`
  return `the app is installed for ${account.login}: ${changes}`
}

function changesText({ added }: InstallationEvent, released: number): string {
  const { length } = added
  return `${length} ${length === 1 ? 'repository' : 'repositories'} added, ${released} removed`
}
