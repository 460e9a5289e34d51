import type { Codehost } from '../../codehost/codehost.ts'
import type { CodehostEvent, RepositoryFacts } from '../../domain/event.ts'
import { type FoundRepository, slugOf } from '../../domain/repository.ts'
import { timeOf } from '../../store/age.ts'
import { findKnownRepository, type KnownRepository } from '../../store/repositories.ts'
import type { Context } from '../context.ts'

/** What the code host itself says of a repository. */
export interface Asked {
  /** Undefined where it shows none to the app. */
  facts: RepositoryFacts | undefined
  /** Whether the app is suspended there, so that it is shown nothing. */
  suspended: boolean
  /** No later than it was asked, by the database's clock. */
  at: Date
}

/**
 * Asks the code host what an event says of a known repository. Where there is no code host to be asked,
 * the event is believed; a suspended app is told nothing.
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

/** A repository as an installation sees it: that of an event, else the one that is known. */
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
    // Without an installation the app may ask nothing; this machine has none.
    if (installation === null && codehost.installations) continue
    const facts = await codehost.repository({ ...ref, installation })
    // By its name another one may be found.
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
