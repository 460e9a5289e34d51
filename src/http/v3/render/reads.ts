import { permittedUser } from '../../../access/viewer.ts'
import type { Build } from '../../../domain/build.ts'
import type { OwnerRef } from '../../../domain/owner.ts'
import { membershipsOf } from '../../../store/people/owners.ts'
import type { Call } from '../../core/endpoint.ts'
import type { InRepository } from '../../core/path-id.ts'
import { visibleBuild } from '../../views/last-builds.ts'
import type { Models, View } from '../core/resource.ts'
import { linked } from './linked.ts'
import { loader } from './loader.ts'

const buildsOf = linked('builds')
const organizationsOf = linked('organizations')
export const usersOf = linked('users')

export const pullRequestsOf = linked('pull_requests')

/** A record with the id of a last build, and the repository that the build belongs to. */
type WithLastBuild = InRepository<{ last_build_id: number | null }>

/** The last build of each of these, in their order; null without one, or if the viewer cannot see it. */
export async function lastBuildsOf(
  view: View,
  records: readonly WithLastBuild[],
): Promise<(InRepository<Build> | null)[]> {
  const builds = await buildsOf(
    view,
    records.map(({ last_build_id }) => last_build_id),
  )
  return records.map(({ repository }, index) => {
    const build = visibleBuild(repository, builds[index] ?? null)
    return build && { ...build, repository }
  })
}

const membershipsOfUsers = loader<number, ReadonlyMap<number, 'admin' | 'member'>>(
  (id) => id,
  ({ ctx }, ids) => Promise.all(ids.map((id) => membershipsOf(ctx.db, id))),
)

/** Registers the viewer's memberships that a call has read already, if any. */
export function knowMemberships(
  call: Call,
  memberships: ReadonlyMap<number, 'admin' | 'member'> | undefined,
): void {
  const userId = permittedUser(call.viewer)
  if (userId !== undefined && memberships) membershipsOfUsers.know(call, [userId], [memberships])
}

/** The organizations that a user is a member of, by id, with the role; empty without a user. */
export async function membershipsOfUser(
  view: View,
  id: number | undefined,
): Promise<ReadonlyMap<number, 'admin' | 'member'>> {
  const [memberships] = id === undefined ? [] : await membershipsOfUsers(view, [id])
  return memberships ?? new Map()
}

/** The viewer's memberships, if any of these owners is an organization; otherwise empty. */
export function viewersMemberships(view: View, owned: readonly OwnerRef[]) {
  const isNeeded = owned.some(({ owner_type }) => owner_type === 'Organization')
  return membershipsOfUser(view, isNeeded ? permittedUser(view.viewer) : undefined)
}

type Owner = { [T in 'user' | 'organization']: { type: T; model: Models[T] } }[
  | 'user'
  | 'organization']

/** The owner of each of these records, in their order; null if it no longer exists. */
export async function ownersOf(view: View, owned: readonly OwnerRef[]): Promise<(Owner | null)[]> {
  const ids = (type: OwnerRef['owner_type']) =>
    owned.map(({ owner_type, owner_id }) => (owner_type === type ? owner_id : null))
  const [users, organizations, memberships] = await Promise.all([
    usersOf(view, ids('User')),
    organizationsOf(view, ids('Organization')),
    viewersMemberships(view, owned),
  ])
  return owned.map((_each, index) => {
    const user = users[index]
    if (user) return { type: 'user', model: user }
    const organization = organizations[index]
    if (!organization) return null
    const membership = memberships.get(organization.id) ?? null
    return { type: 'organization', model: { ...organization, membership } }
  })
}
