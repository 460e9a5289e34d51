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
 * Stores where the app is installed, and the repositories of the installation. An event may be old, or
 * sent again, so the code host is asked what became of the installation.
 */
export async function followInstallation(
  ctx: Context,
  event: InstallationEvent,
): Promise<EventOutcome> {
  if (isOfEnterprise(event.installation)) {
    return { ignored: 'the app is installed for an enterprise, which owns no repositories' }
  }
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
    await addRepositories(tx, installation, event)
    const gone = await removedRepositories(tx.db, installation, event)
    await releaseRepositories(tx.db, gone)
    if (!facts.suspended) await lookUpLater(tx, installation)
    return gone
  })
  await cancelJobs(ctx, released, ['created'])
  return { noted: outcomeText(event, facts, released.length) }
}

/** Undefined for one that is gone. Where there is no code host to be asked, the event is believed. */
function shownInstallation(
  { codehosts }: Context,
  { action, installation }: InstallationEvent,
): Promise<InstallationFacts | undefined> {
  const { installations } = codehosts.codehost ?? {}
  if (installations) return installations.find(installation.codehost_id)
  const suspended = action === 'suspended' || installation.suspended
  return Promise.resolve(action === 'deleted' ? undefined : { ...installation, suspended })
}

/** The event lacks most data of a repository. */
async function lookUpLater(tx: Transaction, { id, codehost_id }: Installation): Promise<void> {
  await requestSync(tx.db, codehost_id)
  tx.follow('installation.sync', { installation: codehost_id })
  // What was refused so far may be allowed now (D36).
  for (const stream of await releaseReports(tx.db, id)) tx.follow('outbox.publish', { stream })
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
  { added, installation: { account } }: InstallationEvent,
  facts: InstallationFacts | undefined,
  released: number,
): string {
  if (!facts) return `the app was uninstalled from ${account.login}`
  if (facts.suspended) return `the app is suspended for ${account.login}`
  const changes = `${counted(added.length)} added, ${released} removed`
  return `the app is installed for ${account.login}: ${changes}`
}

function counted(repositories: number): string {
  return `${repositories} ${repositories === 1 ? 'repository' : 'repositories'}`
}
