import { permittedUser } from '../../../access/viewer.ts'
import { hasRole } from '../../../access/visibility.ts'
import type { Repository, Seen } from '../../../domain/repository.ts'
import type { Settings } from '../../../domain/settings.ts'
import { unsubscribedAmong } from '../../../store/notifications/unsubscriptions.ts'
import { defaultBranchesOf } from '../../../store/repositories/branches.ts'
import { findSeenRepository, type SeenRef } from '../../../store/repositories/repository-access.ts'
import { settingsOfRepositories } from '../../../store/repositories/settings.ts'
import {
  type ListedRepository,
  shownRepository,
} from '../../../store/repositories/shown-repositories.ts'
import { starredAmong } from '../../../store/repositories/stars.ts'
import type { Call } from '../../core/endpoint.ts'
import type { Link, Models, View } from '../core/resource.ts'
import { knowLinked } from '../render/linked.ts'
import { loader } from '../render/loader.ts'
import { knowMemberships, lastBuildsOf, viewersMemberships } from '../render/reads.ts'

type SeenRepository = Seen<Repository>

const idOf = ({ id }: SeenRepository) => id

/** Whether the viewer has starred each repository. */
export const starredOf = loader<SeenRepository, boolean>(
  idOf,
  async ({ ctx, viewer }, repositories) => {
    const starred = await starredAmong(ctx.db, viewer.user?.id, repositories)
    return repositories.map(({ id }) => starred.has(id))
  },
)

/** Whether the viewer gets build mails of each repository. */
export const subscribedOf = loader<SeenRepository, boolean>(
  idOf,
  async ({ ctx, viewer: { user } }, repositories) => {
    if (!user?.build_emails) return repositories.map(() => false)
    const unsubscribed = await unsubscribedAmong(ctx.db, user.id, repositories)
    return repositories.map(({ id }) => !unsubscribed.has(id))
  },
)

/** Whether the viewer has a role on each, but neither owns it nor is a member of its organization. */
export async function sharedOf(view: View, repositories: readonly SeenRepository[]) {
  const userId = view.viewer.user?.id
  const memberships = await viewersMemberships(view, repositories)
  return repositories.map((repository) => {
    const { owner_type, owner_id } = repository
    const isOwn = owner_type === 'User' ? owner_id === userId : memberships.has(owner_id)
    return hasRole(repository) && !isOwn
  })
}

export const defaultBranchOf = loader<SeenRepository, Models['branch']>(
  idOf,
  async ({ ctx }, repositories) => {
    const branches = await defaultBranchesOf(ctx.db, repositories)
    return repositories.flatMap((repository, index) => {
      const branch = branches[index]
      return branch ? { ...branch, repository } : []
    })
  },
)

/** The build that started last, if the viewer can see it. */
export const lastStarted: Link<SeenRepository> = {
  to: 'build',
  read: (view, repositories) =>
    lastBuildsOf(
      view,
      repositories.map((repository) => ({ last_build_id: repository.last_build_id, repository })),
    ),
}

/** The repositories of a list. Values read with the list are registered with the call. */
export function knownFrom(call: Call, listed: readonly ListedRepository[]): SeenRepository[] {
  const repositories = listed.map(({ repository }) => repository)
  const getsMails = call.viewer.user?.build_emails === true
  starredOf.know(
    call,
    repositories,
    listed.map(({ starred }) => starred),
  )
  subscribedOf.know(
    call,
    repositories,
    listed.map(({ unsubscribed }) => getsMails && !unsubscribed),
  )
  defaultBranchOf.know(
    call,
    repositories,
    listed.map(({ default_branch, repository }) => ({ ...default_branch, repository })),
  )
  return repositories
}

/** The repository of that name. The records shown with it are read together and registered with the call. */
export async function findShown(call: Call, ref: SeenRef) {
  const { ctx, viewer } = call
  const userId = permittedUser(viewer)
  // The user's own data is read together with the role, so both must be of the same user.
  if (viewer.user?.id !== userId) return findSeenRepository(ctx.db, ref, userId)
  const shown = await shownRepository(ctx.db, ref, userId)
  if (!shown) return
  knowMemberships(call, shown.memberships)
  knownFrom(call, [shown])
  if (shown.owner) knowLinked(call, [shown.owner])
  return shown.repository
}

const settingsOfEach = loader<SeenRepository, Settings>(idOf, ({ ctx }, repositories) =>
  settingsOfRepositories(ctx.db, repositories.map(idOf)),
)

/** The list of the settings; entries of lists show it only if it is included. */
export const userSettings: Link<SeenRepository> = {
  to: 'setting',
  list: { type: 'settings', href: ({ id }) => `/repo/${id}/settings` },
  async read(view, repositories) {
    if (!view.include.get('repository')?.has('user_settings')) return repositories.map(() => null)
    const settings = await settingsOfEach(view, repositories)
    return repositories.map((repository, index) => {
      const values = settings[index]
      return values ? settingsIn(values, repository) : null
    })
  },
}

/** The settings of a repository as records, in their order. */
export function settingsIn(values: Settings, repository: SeenRepository): Models['setting'][] {
  const names = Object.keys(values) as (keyof Settings)[]
  return names.map((name) => ({ name, value: values[name], repository }))
}
