import type { Codehost } from '../../codehost/codehost.ts'
import type { CodehostEvent, RepositoryFacts } from '../../domain/event.ts'
import { type FoundRepository, slugOf } from '../../domain/repository.ts'
import { findKnownRepository, type KnownRepository } from '../../store/repositories/repositories.ts'
import { timeOf } from '../../store/sql/age.ts'
import type { Context } from '../context.ts'

/** The facts about a repository that the code host itself shows. */
export interface Asked {
  /** Undefined if the code host does not show the repository to the app. */
  facts: RepositoryFacts | undefined
  /** Whether the repository's app installation is suspended, so that the app sees nothing. */
  suspended: boolean
  /** A time no later than the query, by the database's clock. */
  at: Date
}

/**
 * Queries the code host about a known repository that an event describes. Without a code host to query, the
 * event is believed; a suspended app learns nothing.
 */
export async function askAbout(
  ctx: Pick<Context, 'db' | 'codehosts'>,
  event: CodehostEvent,
): Promise<Asked> {
  const { provider, codehost_id } = event.repository
  const at = await timeOf(ctx.db)
  const known = await findKnownRepository(ctx.db, { provider, codehost_id })
  const suspended = known?.suspended ?? false
  if (!known || suspended) return { facts: undefined, suspended, at }
  const codehost = ctx.codehosts[provider]
  if (!codehost) return { facts: believed(known, event), suspended, at }
  const facts = await shownAt(codehost, known, event.installation_codehost_id)
  return { facts, suspended, at }
}

/** A repository as an installation sees it: the installation of the event, else the stored one. */
async function shownAt(
  codehost: Codehost,
  known: Pick<
    FoundRepository,
    'codehost_id' | 'owner_name' | 'name' | 'private' | 'installation_codehost_id'
  >,
  named: number | null,
): Promise<RepositoryFacts | undefined> {
  const { codehost_id, private: isPrivate, installation_codehost_id } = known
  const ref = { codehost_id, slug: slugOf(known), private: isPrivate }
  for (const installation of new Set([named, installation_codehost_id])) {
    // The app cannot query without an installation; the local code host needs none.
    if (installation === null && codehost.installations) continue
    const facts = await codehost.repository({ ...ref, installation })
    // Its name may lead to another repository.
    if (facts?.codehost_id === codehost_id) return facts
  }
  return undefined
}

function believed(
  { owner_codehost_id, owner_name, owner_type, archived_at }: KnownRepository,
  event: CodehostEvent,
): RepositoryFacts | undefined {
  if (event.type === 'repository' && event.action === 'deleted') return undefined
  const owner = { codehost_id: owner_codehost_id ?? 0, login: owner_name, type: owner_type }
  const { repository: facts } = event
  return { ...facts, owner: facts.owner ?? owner, archived: facts.archived ?? archived_at !== null }
}
