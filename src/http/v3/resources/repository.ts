import { repositoryRights } from '../../../access/repository-rights.ts'
import { permittedUser } from '../../../access/viewer.ts'
import { type Repository, type Seen, slugOf, vcsType } from '../../../domain/repository.ts'
import { ownerKey, ownersOf, ownOwners } from '../../../store/owners.ts'
import { buildsByIds } from '../../../store/builds.ts'
import { defaultBranchesOf } from '../../../store/branches.ts'
import { starredAmong } from '../../../store/stars.ts'
import type { Resource, View } from '../resource.ts'

type Shown = Seen<Repository>

export const repository: Resource<Shown> = {
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
    active_on_org: each(() => null),
    migration_status: each(() => null),
    history_migration_status: each(() => null),
    config_validation: each(() => true),
    server_type: each(() => 'git'),
    scan_failed_at: each(() => null),
    allow_migration: each(() => false),
    // Both names are kept, and never tell anything.
    private_key: each(() => null),
    token: each(() => null),
    async starred({ ctx, viewer }, repositories) {
      const starred = await starredAmong(ctx.db, permittedUser(viewer), repositories)
      return repositories.map(({ id }) => starred.has(id))
    },
    async shared({ ctx, viewer }, repositories) {
      const own = await ownOwners(ctx.db, permittedUser(viewer))
      return repositories.map((shown) => shown.role !== null && !own.has(ownerKey(shown)))
    },
  },
  links: {
    async owner({ ctx, viewer }, repositories) {
      return ownersOf(ctx.db, repositories, permittedUser(viewer))
    },
    async default_branch({ ctx }, repositories) {
      const branches = await defaultBranchesOf(ctx.db, repositories)
      return repositories.map((repository, index) => {
        const branch = branches[index]
        return branch ? { type: 'branch', model: { ...branch, repository } } : null
      })
    },
    current_build: lastStarted,
    last_started_build: lastStarted,
  },
}

function each<V>(value: (repository: Shown) => V) {
  return (_view: View, repositories: readonly Shown[]) => repositories.map(value)
}

/** The build that started last, where the viewer may see it. */
async function lastStarted({ ctx }: View, repositories: readonly Shown[]) {
  const ids = repositories.flatMap(({ last_build_id }) => last_build_id ?? [])
  const builds = new Map((await buildsByIds(ctx.db, ids)).map((build) => [build.id, build]))
  return repositories.map((repository) => {
    const build = builds.get(repository.last_build_id ?? 0)
    if (!build || (build.private && repository.role === null)) return null
    return { type: 'build', model: { ...build, repository } }
  })
}
