import { repositoryRights } from '../../../access/repository-rights.ts'
import { permittedUser } from '../../../access/viewer.ts'
import { hasRole } from '../../../access/visibility.ts'
import { type Repository, type Seen, slugOf, vcsType } from '../../../domain/repository.ts'
import { defaultBranchesOf } from '../../../store/branches.ts'
import { ownerKey, ownerKeysOfUser, ownersOf } from '../../../store/owners.ts'
import { starredAmong } from '../../../store/stars.ts'
import { lastBuildsOfRepositories } from '../../last-builds.ts'
import { actionsOf, get } from '../action.ts'
import { oneRepository, repositoryTemplates } from '../one-repository.ts'
import { always, each, type Linked, resourceOf, shared } from '../resource.ts'
import { as } from '../presented.ts'

declare module '../resource.ts' {
  interface Models {
    repository: Seen<Repository>
  }
}

/** The build that started last, where the viewer can see it. */
const lastStarted = shared<Seen<Repository>, Linked | null>(async ({ ctx }, repositories) => {
  const builds = await lastBuildsOfRepositories(ctx.db, repositories)
  return repositories.map((repository, index) => {
    const build = builds[index]
    return build ? { type: 'build', model: { ...build, repository } } : null
  })
})

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
    async starred({ ctx, viewer }, repositories) {
      const starred = await starredAmong(ctx.db, permittedUser(viewer), repositories)
      return repositories.map(({ id }) => starred.has(id))
    },
    async shared({ ctx, viewer }, repositories) {
      const own = await ownerKeysOfUser(ctx.db, permittedUser(viewer))
      return repositories.map((shown) => hasRole(shown) && !own.has(ownerKey(shown)))
    },
  },
  links: {
    owner: ({ ctx, viewer }, repositories) => ownersOf(ctx.db, repositories, permittedUser(viewer)),
    async default_branch({ ctx }, repositories) {
      const branches = await defaultBranchesOf(ctx.db, repositories)
      return repositories.map((repository, index) => {
        const branch = branches[index]
        return branch ? { type: 'branch' as const, model: { ...branch, repository } } : null
      })
    },
    current_build: lastStarted,
    last_started_build: lastStarted,
  },
})

const serverType = ['repository.server_type', 'server_type']

export const repositoryActions = actionsOf(repository, {
  find: get(repositoryTemplates(), {
    ...oneRepository,
    accepts: serverType,
    right: 'read',
    // What is included has versions of its own.
    version: ({ version }, { query }) => (query.include === undefined ? version : undefined),
    present: as('standard', repository),
  }),
})
