import type { Organization, User } from '../../../src/domain/owner.ts'
import { putBranch, setLastBuildOfBranch } from '../../../src/store/repositories/branches.ts'
import type { Database } from '../../../src/store/tables.ts'
import { noon } from '../../support/context.ts'
import { factories } from '../../support/factories.ts'
import { setLastBuild } from '../../support/last-build.ts'

export interface Scene {
  people: Record<'reader' | 'pusher' | 'admin' | 'stranger', User & { token: string }>
  acme: Organization
}

/**
 * Repository 1 belongs to a user and has no build. Repository 2 is private and belongs to an
 * organization; its last build is a pull request's. Repository 3 is of this machine and public, but
 * its build was made in private. Repository 4 is of one who may also push to 2.
 */
export async function makeScene(db: Database): Promise<Scene> {
  const make = factories(db)
  const hello = await make.repository({
    owner_name: 'octavia',
    name: 'hello',
    codehost_id: 101,
    description: 'Says hello',
    codehost_language: 'Ruby',
  })
  await db
    .updateTable('users')
    .set({ name: 'Octavia B.', email: 'octavia@example.org', avatar_url: 'https://a.example/o' })
    .where('id', '=', hello.owner_id)
    .execute()
  const acme = await make.organization('acme')
  const web = await make.repository({
    owner_id: acme.id,
    owner_type: 'Organization',
    owner_name: 'acme',
    name: 'web',
    private: true,
    default_branch_name: 'trunk/main',
    codehost_id: 102,
    managed_by_installation: true,
    next_build_number: 1,
  })
  const pull = await make.pullRequest(web, { number: 12, title: 'Greet louder' })
  const build = await make.build({
    repository: web,
    event_type: 'pull_request',
    pull_request_id: pull.id,
    state: 'failed',
    started_at: noon,
    duration: 9,
    previous_state: 'passed',
  })
  await setLastBuild(db, build, noon)
  const tool = await make.repository({
    provider: 'local',
    owner_name: 'local',
    name: 'tool',
    codehost_id: 103,
  })
  const hidden = await make.build({ repository: tool, private: true })
  await setLastBuild(db, hidden, noon)
  await setLastBuildOfBranch(db, (await putBranch(db, tool.id, 'main')).id, hidden.id, null)

  const people = {
    reader: await make.user('reader'),
    pusher: await make.user('pusher'),
    admin: await make.user('admin'),
    stranger: await make.user('stranger'),
  }
  await make.permission(people.reader, web, 'pull')
  await make.permission(people.reader, tool, 'pull')
  await make.permission(people.pusher, web, 'push')
  await make.permission(people.admin, web, 'admin')
  await make.membership(people.admin, acme, 'admin')
  await make.membership(people.pusher, acme)
  await make.star(people.reader, web)
  await make.repository({
    owner_id: people.pusher.id,
    owner_name: 'pusher',
    name: 'own',
    codehost_id: 104,
  })
  return { people, acme }
}

const nothing = {
  read: false,
  write: false,
  activate: false,
  deactivate: false,
  star: false,
  unstar: false,
  create_request: false,
  create_cron: false,
  create_env_var: false,
  create_key_pair: false,
  delete_key_pair: false,
  settings_create: false,
  settings_update: false,
  settings_delete: false,
  settings_read: false,
  log_view: false,
  build_create: false,
  build_restart: false,
  build_cancel: false,
  build_debug: false,
  log_delete: false,
  cache_view: false,
  cache_delete: false,
  check_scan_results: false,
  migrate: false,
  admin: false,
}
export const reading = { ...nothing, read: true, settings_read: true, log_view: true }
export const knowing = { ...reading, star: true, unstar: true }
export const pushing = {
  ...knowing,
  write: true,
  activate: true,
  deactivate: true,
  create_request: true,
  create_cron: true,
  create_env_var: true,
  create_key_pair: true,
  delete_key_pair: true,
  settings_create: true,
  settings_update: true,
  settings_delete: true,
  build_create: true,
  build_restart: true,
  build_cancel: true,
  log_delete: true,
  cache_view: true,
  cache_delete: true,
  check_scan_results: true,
}

export const octavia = {
  '@type': 'user',
  '@href': '/user/1',
  '@representation': 'minimal',
  '@permissions': { read: true, write: false, sync: false },
  id: 1,
  login: 'octavia',
  name: 'Octavia B.',
  vcs_type: 'CodehostUser',
  ro_mode: false,
}
export const main = {
  '@type': 'branch',
  '@href': '/repo/1/branch/main',
  '@representation': 'minimal',
  '@permissions': { read: true, write: false },
  name: 'main',
}
export const hello = {
  '@type': 'repository',
  '@href': '/repo/1',
  '@representation': 'standard',
  '@permissions': reading,
  id: 1,
  name: 'hello',
  slug: 'octavia/hello',
  description: 'Says hello',
  codehost_id: 101,
  vcs_id: '101',
  vcs_type: 'CodehostRepository',
  codehost_language: 'Ruby',
  active: true,
  private: false,
  owner: octavia,
  owner_name: 'octavia',
  vcs_name: 'hello',
  default_branch: main,
  starred: false,
  managed_by_installation: false,
  active_on_org: null,
  migration_status: null,
  history_migration_status: null,
  shared: false,
  config_validation: true,
  server_type: 'git',
  scan_failed_at: null,
}

const trunk = {
  '@type': 'branch',
  '@href': '/repo/2/branch/trunk%2Fmain',
  '@representation': 'minimal',
  '@permissions': { read: true, write: false },
  name: 'trunk/main',
}
/** Repository 2 as its reader sees it, without its owner. */
export const web = {
  ...hello,
  '@href': '/repo/2',
  '@permissions': knowing,
  id: 2,
  name: 'web',
  slug: 'acme/web',
  description: null,
  codehost_id: 102,
  vcs_id: '102',
  codehost_language: null,
  private: true,
  owner_name: 'acme',
  vcs_name: 'web',
  starred: true,
  managed_by_installation: true,
  shared: true,
  default_branch: trunk,
}
export const noOrganizationRights = {
  read: true,
  write: false,
  sync: false,
  admin: false,
  settings_create: false,
  settings_delete: false,
  plan_view: false,
  plan_create: false,
  plan_usage: false,
  plan_invoices: false,
  billing_view: false,
  billing_update: false,
}
export const build = {
  '@type': 'build',
  '@href': '/build/1',
  '@representation': 'minimal',
  '@permissions': { read: true, write: false, cancel: false, restart: false, prioritize: false },
  id: 1,
  number: '1',
  state: 'failed',
  duration: 9,
  event_type: 'pull_request',
  previous_state: 'passed',
  pull_request_title: 'Greet louder',
  pull_request_number: 12,
  started_at: '2026-01-02T12:00:00Z',
  finished_at: '2026-01-02T12:00:00Z',
  private: true,
  priority: false,
}
