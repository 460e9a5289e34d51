// The least that a list of repositories has to do: one prepared query, an object for each row, and
// `JSON.stringify`. Who calls and what they can see is not looked at, the page is always the first.
import type { FastifyInstance } from 'fastify'
import type pg from 'pg'

const limit = 100
const path = '/repos?limit=100&sort_by=default_branch.last_build:desc'

const text = `
  select page.*, users.login, users.name as owner_title, branches.name as branch,
    builds.id as build_id, builds.number, builds.state, builds.duration, builds.event_type,
    builds.previous_state, builds.private as build_private,
    to_char(builds.started_at, 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as started_at,
    to_char(builds.finished_at, 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as finished_at
  from (
    select repositories.id, codehost_id, owner_id, owner_name, name, description, private, active,
      default_branch_name, codehost_language, managed_by_installation, next_build_number, last_build_id,
      push, admin, row_number() over (order by default_branch_last_build_id desc nulls last, id desc)
        as position,
      (select count(*) from permissions
        join repositories on repositories.id = repository_id and deleted_at is null
          and invalidated_at is null
        where user_id = 2) as count
    from repositories join permissions on repository_id = repositories.id and user_id = 2
    where deleted_at is null and invalidated_at is null
    order by default_branch_last_build_id desc nulls last, id desc limit ${limit}
  ) page
  join users on users.id = page.owner_id
  left join branches on repository_id = page.id and branches.name = default_branch_name
  left join builds on builds.id = page.last_build_id
  order by position
`

interface Row {
  count: string
  id: string
  codehost_id: string
  owner_id: string
  owner_name: string
  owner_title: string
  login: string
  name: string
  description: string
  private: string
  active: string
  default_branch_name: string
  codehost_language: string
  managed_by_installation: string
  next_build_number: string
  push: string
  admin: string
  build_id: string
  number: string
  state: string
  duration: string
  event_type: string
  previous_state: string | null
  build_private: string
  started_at: string
  finished_at: string
}

const isTrue = (value: string) => value === 't'

function permissionsOf({ push: pushed, admin }: Row) {
  const push = isTrue(pushed)
  return {
    ...{ read: true, write: push, activate: push, deactivate: push, star: true, unstar: true },
    ...{ create_request: push, create_cron: push, create_env_var: push, create_key_pair: push },
    ...{ delete_key_pair: push, settings_create: push, settings_update: push },
    ...{ settings_delete: push, settings_read: true, log_view: true, build_create: push },
    ...{ build_restart: push, build_cancel: push, build_debug: false, log_delete: push },
    ...{ cache_view: push, cache_delete: push, check_scan_results: push, migrate: false },
    admin: isTrue(admin),
  }
}

function buildOf(row: Row) {
  const push = isTrue(row.push)
  return {
    '@type': 'build',
    '@href': `/build/${row.build_id}`,
    '@representation': 'minimal',
    '@permissions': { read: true, write: push, cancel: push, restart: push, prioritize: false },
    id: Number(row.build_id),
    number: row.number,
    state: row.state,
    duration: Number(row.duration),
    event_type: row.event_type,
    previous_state: row.previous_state,
    pull_request_title: null,
    pull_request_number: null,
    started_at: row.started_at,
    finished_at: row.finished_at,
    private: isTrue(row.build_private),
    priority: false,
  }
}

function repositoryOf(row: Row) {
  const build = buildOf(row)
  return {
    '@type': 'repository',
    '@href': `/repo/${row.id}`,
    '@representation': 'standard',
    '@permissions': permissionsOf(row),
    id: Number(row.id),
    name: row.name,
    slug: `${row.owner_name}/${row.name}`,
    description: row.description,
    codehost_id: Number(row.codehost_id),
    vcs_id: row.codehost_id,
    vcs_type: 'CodehostRepository',
    codehost_language: row.codehost_language,
    active: isTrue(row.active),
    private: isTrue(row.private),
    owner: {
      '@type': 'user',
      '@href': `/user/${row.owner_id}`,
      '@representation': 'minimal',
      '@permissions': { read: true, write: false, sync: false },
      id: Number(row.owner_id),
      login: row.login,
      name: row.owner_title,
      vcs_type: 'CodehostUser',
      ro_mode: false,
    },
    owner_name: row.owner_name,
    vcs_name: row.name,
    default_branch: {
      '@type': 'branch',
      '@href': `/repo/${row.id}/branch/${row.default_branch_name}`,
      '@representation': 'minimal',
      '@permissions': { read: true, write: isTrue(row.push) },
      name: row.default_branch_name,
    },
    starred: false,
    managed_by_installation: isTrue(row.managed_by_installation),
    active_on_org: null,
    migration_status: null,
    history_migration_status: null,
    shared: true,
    config_validation: true,
    server_type: 'git',
    scan_failed_at: null,
    current_build: build,
    last_started_build: build,
    next_build_number: Number(row.next_build_number),
    private_key: null,
    token: null,
    user_settings: null,
    allow_migration: false,
    email_subscribed: true,
  }
}

function pageOf(rows: readonly Row[]) {
  const count = Number(rows[0]?.count ?? 0)
  const at = (offset: number) => {
    const query = `limit=${limit}&offset=${offset}&sort_by=default_branch.last_build:desc`
    return { '@href': offset === 0 ? path : `/repos?${query}`, offset, limit }
  }
  return {
    '@type': 'repositories',
    '@href': path,
    '@representation': 'standard',
    '@pagination': {
      limit,
      offset: 0,
      count,
      is_first: true,
      is_last: count <= limit,
      next: count <= limit ? null : at(limit),
      prev: null,
      first: at(0),
      last: at(Math.max(0, Math.ceil(count / limit) - 1) * limit),
    },
    repositories: rows.map(repositoryOf),
  }
}

/** Values as PostgreSQL writes them. */
const types = { getTypeParser: () => (value: string) => value } as unknown as pg.CustomTypesConfig

export function listRepositories(app: FastifyInstance, pool: pg.Pool): void {
  app.get('/repos', async (_request, reply) => {
    const { rows } = await pool.query<Row>({ name: 'repositories', text, types })
    return reply.type('application/json').send(Buffer.from(JSON.stringify(pageOf(rows), null, 2)))
  })
}
