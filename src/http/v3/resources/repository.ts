import { repositoryRights } from '../../../access/repository-rights.ts'
import { permittedUser } from '../../../access/viewer.ts'
import { hasRole } from '../../../access/visibility.ts'
import { type Repository, type Seen, slugOf, vcsType } from '../../../domain/repository.ts'
import { defaultBranchesOf } from '../../../store/branches.ts'
import { starredAmong } from '../../../store/stars.ts'
import { text } from '../../parameters/kinds.ts'
import { ofType } from '../../parameters/parameter.ts'
import { actionsOf, get } from '../action.ts'
import { loader } from '../loader.ts'
import { oneRepository, repositoryTemplates } from '../one-repository.ts'
import { as } from '../presented.ts'
import { lastBuildsOf, membershipsOfUser, ownersOf } from '../reads.ts'
import { always, each, type Link, type Models, resourceOf } from '../resource.ts'

declare module '../resource.ts' {
  interface Models {
    repository: Seen<Repository>
  }
}

/** The build that started last, where the viewer can see it. */
const lastStarted: Link<Seen<Repository>> = {
  to: 'build',
  read: (view, repositories) =>
    lastBuildsOf(
      view,
      repositories.map((repository) => ({ last_build_id: repository.last_build_id, repository })),
    ),
}

const idOf = ({ id }: Seen<Repository>) => id

const starredOf = loader<Seen<Repository>, boolean>(idOf, async ({ ctx, viewer }, repositories) => {
  const starred = await starredAmong(ctx.db, permittedUser(viewer), repositories)
  return repositories.map(({ id }) => starred.has(id))
})

const defaultBranchOf = loader<Seen<Repository>, Models['branch']>(
  idOf,
  async ({ ctx }, repositories) => {
    const branches = await defaultBranchesOf(ctx.db, repositories)
    return repositories.flatMap((repository, index) => {
      const branch = branches[index]
      return branch ? { ...branch, repository } : []
    })
  },
)

const list = [
  'id',
  'name',
  'slug',
  'active',
  'private',
  'owner',
  'vcs_id',
  'vcs_type',
  'server_type',
] as const

export const repository = resourceOf<Seen<Repository>>()({
  type: 'repository',
  href: ({ id }) => `/repo/${id}`,
  rights: repositoryRights,
  permissions: [
    'read',
    'write',
    'activate',
    'deactivate',
    'star',
    'unstar',
    'create_request',
    'create_cron',
    'create_env_var',
    'create_key_pair',
    'delete_key_pair',
    'settings_create',
    'settings_update',
    'settings_delete',
    'settings_read',
    'log_view',
    'build_create',
    'build_restart',
    'build_cancel',
    'build_debug',
    'log_delete',
    'cache_view',
    'cache_delete',
    'check_scan_results',
    'migrate',
    'admin',
  ],
  representations: {
    minimal: ['id', 'name', 'slug'],
    standard: [
      'id',
      'name',
      'slug',
      'description',
      'codehost_id',
      'vcs_id',
      'vcs_type',
      'codehost_language',
      'active',
      'private',
      'owner',
      'owner_name',
      'vcs_name',
      'default_branch',
      'starred',
      'managed_by_installation',
      'active_on_org',
      'migration_status',
      'history_migration_status',
      'shared',
      'config_validation',
      'server_type',
      'scan_failed_at',
    ],
    list,
    minimal_with_build: [...list, 'managed_by_installation', 'current_build', 'last_started_build'],
  },
  includable: [
    'current_build',
    'last_started_build',
    'next_build_number',
    'build_count',
    'allow_migration',
    'private_key',
    'token',
  ],
  later: ['user_settings', 'email_subscribed'],
  values: {
    slug: each(slugOf),
    vcs_id: each(({ codehost_id }) => String(codehost_id)),
    vcs_type: each((repository) => vcsType(repository, 'Repository')),
    vcs_name: each(({ name }) => name),
    active_on_org: always(null),
    migration_status: always(null),
    history_migration_status: always(null),
    config_validation: always(true),
    server_type: always('git'),
    scan_failed_at: always(null),
    allow_migration: always(false),
    // Both names are part of the interface, but always null.
    private_key: always(null),
    token: always(null),
    starred: starredOf,
    async shared(view, repositories) {
      const userId = permittedUser(view.viewer)
      const memberships = await membershipsOfUser(view, userId)
      return repositories.map((shown) => {
        const { owner_type, owner_id } = shown
        const isOwn = owner_type === 'User' ? owner_id === userId : memberships.has(owner_id)
        return hasRole(shown) && !isOwn
      })
    },
  },
  links: {
    owner: { to: ['user', 'organization'], read: ownersOf },
    default_branch: { to: 'branch', read: defaultBranchOf },
    current_build: lastStarted,
    last_started_build: lastStarted,
  },
})

/** Accepted without effect. */
const serverType = ofType('repository', { server_type: text() })

export const repositoryActions = actionsOf(repository, {
  find: get(repositoryTemplates(), {
    ...oneRepository,
    accepts: serverType,
    right: 'read',
    // What is included has versions of its own.
    version: ({ version }, { given }) => (given.include === undefined ? version : undefined),
    present: as('standard', repository),
  }),
})
