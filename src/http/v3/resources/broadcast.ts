import { listViewer } from '../../../access/viewer.ts'
import type { OwnerRef } from '../../../domain/owner.ts'
import { time } from '../../../domain/time/api-time.ts'
import type { KnownBroadcast } from '../../../store/people/broadcasts.ts'
import { listedRepositoriesByIds } from '../../../store/repositories/listed-repositories.ts'
import { byId } from '../../core/path-id.ts'
import { each, type Linked, resourceOf, type View } from '../core/resource.ts'
import { ownersOf } from '../render/reads.ts'

declare module '../core/resource.ts' {
  interface Models {
    broadcast: KnownBroadcast
  }
}

const minimal = ['id', 'message', 'created_at', 'category', 'active'] as const

/** A message from the operators of the service. */
export const broadcast = resourceOf<KnownBroadcast>()({
  type: 'broadcast',
  rights: () => ({ read: true, write: false }),
  permissions: ['read', 'write'],
  representations: { minimal, standard: [...minimal, 'recipient'] },
  values: { created_at: each(({ created_at }) => time(created_at)) },
  links: { recipient: { to: ['user', 'organization', 'repository'], read: recipientsOf } },
})

/** The recipient of each broadcast; null if it is for everyone. */
async function recipientsOf(view: View, broadcasts: readonly KnownBroadcast[]) {
  const toOwners = broadcasts.flatMap(ownerRefOf)
  const toRepositories = broadcasts.filter(({ recipient_type }) => recipient_type === 'Repository')
  const ids = toRepositories.flatMap(({ recipient_id }) => recipient_id ?? [])
  const [owners, repositories] = await Promise.all([
    ownersOf(view, toOwners),
    listedRepositoriesByIds(view.ctx.db, ids, listViewer(view.viewer)),
  ])
  const ownerOf = owners.values()
  const repositoryOf = byId(repositories)
  return broadcasts.map((each): Linked | null => {
    if (ownerRefOf(each).length > 0) return ownerOf.next().value ?? null
    const model = repositoryOf(each.recipient_id)
    return model && each.recipient_type === 'Repository' ? { type: 'repository', model } : null
  })
}

function ownerRefOf({ recipient_type, recipient_id }: KnownBroadcast): OwnerRef[] {
  if (recipient_id === null || recipient_type === null) return []
  return recipient_type === 'Repository'
    ? []
    : [{ owner_type: recipient_type, owner_id: recipient_id }]
}
