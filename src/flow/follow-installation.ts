import type { InstallationEvent, InstalledRepository, RepositoryFacts } from '../domain/event.ts'
import { updateInstallation } from '../store/installations.ts'
import { holdLock } from '../store/locks.ts'
import { findRepository, managedRepositories } from '../store/repositories.ts'
import type { Database, Installation } from '../store/tables.ts'
import { cancelJobs } from './build/cancel-jobs.ts'
import type { Context } from './context.ts'
import type { EventOutcome } from './event/event-outcome.ts'
import { findSender } from './repository/find-sender.ts'
import { manageRepositories, releaseRepositories } from './repository/manage-repositories.ts'
import { storeInstallation } from './repository/store-installation.ts'
import { transact } from './transact.ts'

/** Notes where the app is installed now, and what it was given there. */
export async function followInstallation(
  ctx: Context,
  event: InstallationEvent,
): Promise<EventOutcome> {
  const { codehost_id, account } = event.installation
  const released = await transact(ctx, async (tx) => {
    await holdLock(tx.db, `installation:${codehost_id}`)
    const sender = await findSender(tx.db, event.sender, 'codehost')
    const installation = await storeInstallation(tx, event.installation, sender?.id)
    await manageRepositories(tx, installation, await added(tx.db, event))
    const gone = await goneFrom(tx.db, installation, event)
    await releaseRepositories(tx.db, gone)
    if (event.action === 'deleted') {
      const removed_by_id = sender?.id ?? null
      await updateInstallation(tx.db, installation.id, { removed_at: tx.now(), removed_by_id })
    }
    return gone
  })
  await cancelJobs(ctx, released, ['created'])
  // The event leaves out much of what there is to know about a repository.
  if (event.action === 'put') await ctx.enqueue('installation.sync', { installation: codehost_id })
  return { noted: inWords(event, account.login, released.length) }
}

async function added(db: Database, event: InstallationEvent): Promise<RepositoryFacts[]> {
  const facts: RepositoryFacts[] = []
  for (const given of event.added) facts.push(await factsOf(db, event, given))
  return facts
}

/** The repository as it is known already, with what the event tells. */
async function factsOf(
  db: Database,
  { installation: { account } }: InstallationEvent,
  given: InstalledRepository,
): Promise<RepositoryFacts> {
  const { codehost_id } = given
  const known = await findRepository(db, { provider: 'codehost', codehost_id })
  return {
    ...given,
    provider: 'codehost',
    fork: known?.fork ?? false,
    default_branch: known?.default_branch_name ?? 'main',
    description: known?.description ?? null,
    language: known?.codehost_language ?? null,
    owner: account,
  }
}

async function goneFrom(
  db: Database,
  { id }: Installation,
  { action, removed }: InstallationEvent,
): Promise<number[]> {
  const managed = await managedRepositories(db, id)
  return managed
    .filter(({ codehost_id }) => action === 'deleted' || removed.includes(codehost_id))
    .map(({ id }) => id)
}

function inWords({ action, added }: InstallationEvent, login: string, released: number): string {
  if (action === 'deleted') return `the app was taken away from ${login}`
  if (action === 'suspended') return `the app is suspended at ${login}`
  const changes = `${counted(added.length)} came, ${released} went`
  return `the app is installed at ${login}: ${changes}`
}

function counted(repositories: number): string {
  return `${repositories} ${repositories === 1 ? 'repository' : 'repositories'}`
}
