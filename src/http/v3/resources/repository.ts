import { repositoryRights } from '../../../access/repository-rights.ts'
import { permittedUser } from '../../../access/viewer.ts'
import { type Repository, type Seen, slugOf, vcsType } from '../../../domain/repository.ts'
import { setStarred } from '../../../flow/people/preferences.ts'
import { setActive } from '../../../flow/repositories/set-active.ts'
import type { Version } from '../../../store/builds/versions.ts'
import type { Call } from '../../core/endpoint.ts'
import { actorOf } from '../../identity/actor.ts'
import { anyObject, orNull } from '../../openapi/schema.ts'
import { text } from '../../parameters/kinds.ts'
import { ofType } from '../../parameters/parameter.ts'
import { actionsOf, get, post } from '../core/action.ts'
import { as } from '../core/presented.ts'
import { always, each, type Models, resourceOf } from '../core/resource.ts'
import { warn } from '../core/warnings.ts'
import { oneRepository, refIn, repositoryTemplates } from '../records/one-repository.ts'
import {
  defaultBranchOf,
  findShown,
  lastStarted,
  sharedOf,
  starredOf,
  subscribedOf,
  userSettings,
} from '../records/repository-reads.ts'
import { ownersOf } from '../render/reads.ts'

declare module '../core/resource.ts' {
  interface Models {
    repository: Seen<Repository>
  }
}

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
    'user_settings',
    'email_subscribed',
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
    starred: starredOf,
    shared: sharedOf,
    email_subscribed: subscribedOf,
  },
  links: {
    owner: { to: ['user', 'organization'], read: ownersOf },
    default_branch: { to: 'branch', read: defaultBranchOf },
    current_build: lastStarted,
    last_started_build: lastStarted,
    user_settings: userSettings,
  },
  // Shown as a list resource.
  types: { user_settings: orNull(anyObject) },
})

/** Accepted without effect. */
const serverType = ofType('repository', {
  server_type: text('accepted without effect: every repository is one of git'),
})

type SeenRepository = Models['repository']

/** The steps of an action of a user on a repository; the action is named like the right it needs. */
function write(
  name: 'activate' | 'deactivate' | 'star' | 'unstar',
  summary: string,
  act: (call: Call, found: SeenRepository) => Promise<SeenRepository>,
) {
  return post(repositoryTemplates(`/${name}`), {
    ...oneRepository,
    login: true,
    scope: 'settings',
    forSome: name === 'activate' || name === 'deactivate',
    right: name,
    docs: { summary },
    act,
    present: as('standard', repository),
  })
}

async function setTo(active: boolean, call: Call, found: SeenRepository): Promise<SeenRepository> {
  await setActive(call.ctx, actorOf(call), found, active)
  if (active) warnOfInstallation(call, found)
  return { ...found, active }
}

/** A repository without access for the app can be active, but the service gets no events for it. */
function warnOfInstallation(call: Call, found: SeenRepository): void {
  const { provider, managed_by_installation, owner_type, owner_name } = found
  if (provider === 'local' || managed_by_installation) return
  const { web_url } = call.ctx.site.codehost
  const owner = owner_type === 'User' ? '' : `/organizations/${owner_name}`
  const message =
    `the app has no access to ${slugOf(found)}, so pushes there are not built: ` +
    `add it to the installation of the app at ${web_url}${owner}/settings/installations`
  warn(call, { '@type': 'warning', message, warning_type: 'missing_installation' })
}

async function starTo(starred: boolean, call: Call, found: SeenRepository) {
  await setStarred(call.ctx, actorOf(call), found, starred)
  return found
}

export const repositoryActions = actionsOf(repository, {
  find: get(repositoryTemplates(), {
    ...oneRepository,
    async find(call) {
      const ref = refIn(call.params)
      return ref && findShown(call, ref)
    },
    accepts: serverType,
    right: 'read',
    docs: {
      summary: 'a repository by its id or slug; attributes about migration and scans stay null',
    },
    version: versionShown,
    present: as('standard', repository),
  }),
  activate: write(
    'activate',
    'activates a repository, so that its events are built; changes nothing for an active one; needs the right to push',
    (call, found) => setTo(true, call, found),
  ),
  deactivate: write(
    'deactivate',
    'deactivates a repository; running builds continue; needs the right to push',
    (call, found) => setTo(false, call, found),
  ),
  star: write(
    'star',
    'stars a repository for the caller; changes nothing for one with a star',
    (call, found) => starTo(true, call, found),
  ),
  unstar: write(
    'unstar',
    'removes the star of the caller from a repository; changes nothing for one without a star',
    (call, found) => starTo(false, call, found),
  ),
})

/**
 * The version of a repository as shown. Undefined with includes, which have versions of their own, and
 * for tokens without the user's permissions, because the version then does not cover `starred`.
 */
function versionShown({ version }: { version: Version }, { given, viewer }: Call) {
  const isStarVersioned = viewer.user?.id === permittedUser(viewer)
  return given.include === undefined && isStarVersioned ? version : undefined
}
