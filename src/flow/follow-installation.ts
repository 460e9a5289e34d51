import type { InstallationEvent, InstalledRepository, RepositoryFacts } from '../domain/event.ts'
import { requestSync } from '../store/installation-syncs.ts'
import { updateInstallation } from '../store/installations.ts'
import { holdLock } from '../store/locks.ts'
import { releaseReports } from '../store/outbox.ts'
import { findRepository, managedRepositories } from '../store/repositories.ts'
import type { Database, Installation } from '../store/tables.ts'
import { cancelJobs } from './build/cancel-jobs.ts'
import type { Context } from './context.ts'
import type { EventOutcome } from './event/event-outcome.ts'
import { findSender } from './repository/find-sender.ts'
import { manageRepositories, releaseRepositories } from './repository/manage-repositories.ts'
import { storeInstallation } from './repository/store-installation.ts'
import { transact } from './transact.ts'

/** Stores where the app is installed, and the repositories of the installation. */
export async function followInstallation(
  ctx: Context,
  event: InstallationEvent,
): Promise<EventOutcome> {
  const { codehost_id, account } = event.installation
  const released = await transact(ctx, async (tx) => {
    await holdLock(tx.db, `installation:${codehost_id}`)
    const sender = await findSender(tx.db, event.sender, 'codehost')
    const installation = await storeInstallation(tx, event.installation, sender?.id)
    await manageRepositories(tx, installation, await addedRepositories(tx.db, event))
    const gone = await removedRepositories(tx.db, installation, event)
    await releaseRepositories(tx.db, gone)
    if (event.action === 'deleted') {
      const removed_by_id = sender?.id ?? null
      await updateInstallation(tx.db, installation.id, { removed_at: tx.now(), removed_by_id })
    }
    // The event lacks most data of a repository.
    if (event.action === 'put') {
      await requestSync(tx.db, codehost_id)
      tx.follow('installation.sync', { installation: codehost_id })
      // What was refused so far may be allowed now (D36).
      for (const stream of await releaseReports(tx.db, installation.id)) {
        tx.follow('outbox.publish', { stream })
      }
    }
    return gone
  })
  await cancelJobs(ctx, released, ['created'])
  return { noted: outcomeText(event, account.login, released.length) }
}

async function addedRepositories(
  db: Database,
  event: InstallationEvent,
): Promise<RepositoryFacts[]> {
  const facts: RepositoryFacts[] = []
  for (const installed of event.added) facts.push(await factsOf(db, event, installed))
  return facts
}

/** The repository as stored, updated with the data of the event. */
async function factsOf(
  db: Database,
  { installation: { account } }: InstallationEvent,
  installed: InstalledRepository,
): Promise<RepositoryFacts> {
  const { codehost_id } = installed
  const known = await findRepository(db, { provider: 'codehost', codehost_id })
  return {
    ...installed,
    provider: 'codehost',
    fork: known?.fork ?? false,
    default_branch: known?.default_branch_name ?? 'main',
    description: known?.description ?? null,
    language: known?.codehost_language ?? null,
    owner: account,
  }
}

async function removedRepositories(
  db: Database,
  { id }: Installation,
  { action, removed }: InstallationEvent,
): Promise<number[]> {
  const managed = await managedRepositories(db, id)
  return managed
    .filter(({ codehost_id }) => action === 'deleted' || removed.includes(codehost_id))
    .map(({ id }) => id)
}

function outcomeText(
  { action, added }: InstallationEvent,
  login: string,
  released: number,
): string {
  if (action === 'deleted') return `the app was uninstalled from ${login}`
  if (action === 'suspended') return `the app is suspended for ${login}`
  const changes = `${counted(added.length)} added, ${released} removed`
  return `the app is installed for ${login}: ${changes}`
}

function counted(repositories: number): string {
  return `${repositories} ${repositories === 1 ? 'repository' : 'repositories'}`
}
