import type { InstallationEvent, SenderFacts } from '../../domain/event.ts'
import { type InstallationFacts, isOfEnterprise } from '../../domain/installation.ts'
import type { Provider, User } from '../../domain/owner.ts'
import { requestSync } from '../../store/installations/installation-syncs.ts'
import { releaseReports } from '../../store/outbox/outbox.ts'
import { findUserByCodehostId } from '../../store/people/users.ts'
import { lockRepositories } from '../../store/repositories/locked-repositories.ts'
import { managedRepositories } from '../../store/repositories/repositories.ts'
import { timeOf } from '../../store/sql/age.ts'
import { holdLock } from '../../store/sql/locks.ts'
import type { Database, Installation } from '../../store/tables.ts'
import { cancelJobs } from '../builds/cancel-jobs.ts'
import type { Context } from '../context.ts'
import { manageRepository, releaseRepositories } from '../repositories/manage-repositories.ts'
import { removeInstallation, storeInstallation } from '../repositories/store-installation.ts'
import { storeRepository } from '../repositories/store-repository.ts'
import { transact, type Transaction } from '../transact.ts'
import type { EventOutcome } from './event-outcome.ts'

/**
 * Stores an installation of the app, and starts a sync of its repositories. An event may be old, or sent
 * again, so the installation's state is fetched from the code host. The repositories that the event names
 * are believed only if there is no code host to query.
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
  await cancelJobs(ctx, released, ['created'], 'the app can no longer access the repository')
  const changes = isAsked ? 'its repositories are synced' : changesText(event, released.length)
  return { noted: outcomeText(event, facts, changes) }
}

/** The installation as the code host shows it; undefined if it is gone. */
function shownInstallation(
  { codehosts }: Context,
  { action, installation }: InstallationEvent,
): Promise<InstallationFacts | undefined> {
  const { installations } = codehosts.codehost ?? {}
  if (installations) return installations.find(installation.codehost_id)
  const suspended = action === 'suspended' || installation.suspended
  return Promise.resolve(action === 'deleted' ? undefined : { ...installation, suspended })
}

/** Requests a sync, because the event lacks most data of a repository, and may be old. */
async function lookUpLater(tx: Transaction, { id, codehost_id }: Installation): Promise<void> {
  await requestSync(tx.db, codehost_id)
  tx.follow('installation.sync', { installation: codehost_id })
  // Reports that were refused so far may be allowed now (D36).
  for (const stream of await releaseReports(tx.db, id)) tx.follow('outbox.publish', { stream })
}

/** Stores an event's added and removed repositories; returns the ids of the removed ones. */
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

/** Adds the event's repositories. The data of a known repository stays as it is until the sync. */
async function addRepositories(
  tx: Transaction,
  installation: Installation,
  { added, installation: { account } }: InstallationEvent,
): Promise<void> {
  const known = await lockRepositories(tx.db, 'codehost', added)
  for (const installed of added) {
    const facts = { ...installed, ...unsaid, provider: 'codehost' as const, owner: account }
    const repository = known.get(installed.codehost_id) ?? (await storeRepository(tx.db, facts))
    if (repository.deleted_at === null) await manageRepository(tx, installation, repository)
  }
}

/** Defaults for the repository data that the event lacks. */
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

/** The user who caused the event, if known; undefined for bots (WH-06). */
async function findSender(
  db: Database,
  { codehost_id }: SenderFacts,
  provider: Provider,
): Promise<User | undefined> {
  if (codehost_id === null) return
  return findUserByCodehostId(db, provider, codehost_id)
}
