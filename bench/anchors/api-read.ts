// The least that a read has to do: one prepared statement, in which PostgreSQL builds the response,
// passed through. Neither tokens nor rights are looked at.
import Fastify, { type FastifyReply } from 'fastify'
import pg from 'pg'
import { listRepositories } from './repository-list.ts'
import { listRequests } from './request-list.ts'

const { DATABASE_URL = '' } = process.env
const pool = new pg.Pool({ connectionString: DATABASE_URL, max: 10, options: '-c timezone=UTC' })

const time = (column: string) =>
  `to_char(${column}, 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as ${column.split('.').at(-1)}`

// PostgreSQL writes spaces that JSON.stringify does not.
const compact = (column: string) =>
  `replace(replace(${column}::text, '": ', '":'), ', "', ',"')::json`

const commit = `commits.id, sha, commits.branch, tag_name as tag, commits.message,
  ${time('committed_at')}, author_name, author_email, committer_name, committer_email, compare_url,
  null::int as pull_request_number`

const job = `jobs.id, jobs.repository_id, owner_name || '/' || repositories.name as repository_slug,
  jobs.build_id, jobs.stage_id, jobs.commit_id, jobs.id as log_id, jobs.number,
  ${compact('jobs.config')} as config, jobs.state, ${time('jobs.started_at')},
  ${time('jobs.finished_at')}, queue, allow_failure, null as tags`

const build = `select row_to_json(answer)::text as body from (
  select
    row_to_json(build) as build,
    (select row_to_json(one) from (select ${commit}, commits.branch = default_branch_name
      as branch_is_default) one) as commit,
    (select '[' || string_agg(row_to_json(job)::text, ',') || ']' from (
      select ${job} from jobs where jobs.build_id = $1 order by jobs.id) job)::json as jobs,
    json_build_array((select row_to_json(one) from (select ${commit}) one)) as commits
  from builds
  join repositories on repositories.id = builds.repository_id
  join commits on commits.id = builds.commit_id
  cross join lateral (
    select builds.id, builds.repository_id, builds.commit_id, builds.number::text, builds.event_type,
      builds.event_type = 'pull_request' as pull_request, null as pull_request_title,
      null as pull_request_number, ${compact('builds.config')} as config, builds.state,
      ${time('builds.started_at')}, ${time('builds.finished_at')}, duration,
      ('[' || (select string_agg(id::text, ',' order by id) from jobs where build_id = $1) || ']')::json
        as job_ids
  ) build
  where builds.id = $1
) answer`

const repository = `select row_to_json(answer)::text as body from (
  select 'repository' as "@type", '/repo/' || repositories.id as "@href",
    'standard' as "@representation", $2::json as "@permissions",
    repositories.id, repositories.name, owner_name || '/' || repositories.name as slug, description,
    repositories.codehost_id, repositories.codehost_id::text as vcs_id,
    'CodehostRepository' as vcs_type, codehost_language, active, private,
    row_to_json(owner) as owner, owner_name, repositories.name as vcs_name,
    row_to_json(branch) as default_branch,
    exists (select from stars where user_id = 2 and repository_id = repositories.id) as starred,
    managed_by_installation, null as active_on_org, null as migration_status,
    null as history_migration_status,
    exists (select from permissions where user_id = 2 and repository_id = repositories.id)
      and owner_id <> 2 as shared,
    true as config_validation, 'git' as server_type, null as scan_failed_at
  from repositories
  cross join lateral (
    select 'user' as "@type", '/user/' || users.id as "@href", 'minimal' as "@representation",
      '{"read":true,"write":false,"sync":false}'::json as "@permissions",
      users.id, login, users.name, 'CodehostUser' as vcs_type, false as ro_mode
    from users where users.id = owner_id
  ) owner
  cross join lateral (
    select 'branch' as "@type", '/repo/' || repositories.id || '/branch/' || branches.name as "@href",
      'minimal' as "@representation", '{"read":true,"write":true}'::json as "@permissions",
      branches.name
    from branches where repository_id = repositories.id and branches.name = default_branch_name
  ) branch
  where repositories.id = $1
) answer`

/** Those of a user who can push. */
const permissions = JSON.stringify({
  ...{ read: true, write: true, activate: true, deactivate: true, star: true, unstar: true },
  ...{ create_request: true, create_cron: true, create_env_var: true, create_key_pair: true },
  ...{ delete_key_pair: true, settings_create: true, settings_update: true, settings_delete: true },
  ...{ settings_read: true, log_view: true, build_create: true, build_restart: true },
  ...{ build_cancel: true, build_debug: false, log_delete: true, cache_view: true },
  ...{ cache_delete: true, check_scan_results: true, migrate: false, admin: false },
})

const log = `select string_agg(content, '' order by number) as body from log_parts
  where log_id = $1 and attempt = (select max(attempt) from log_parts where log_id = $1)`

async function pass(
  reply: FastifyReply,
  type: string,
  name: string,
  text: string,
  values: unknown[],
) {
  const { rows } = await pool.query<{ body: string }>({ name, text, values })
  return reply.type(type).send(Buffer.from(rows[0]?.body ?? ''))
}

const app = Fastify()
type One = { Params: { id: string } }
app.get<One>('/builds/:id', ({ params: { id } }, reply) =>
  pass(reply, 'application/json;charset=utf-8', 'build', build, [id]),
)
app.get<One>('/repo/:id', ({ params: { id } }, reply) =>
  pass(reply, 'application/json', 'repository', repository, [id, permissions]),
)
app.get<One>('/jobs/:id/log', ({ params: { id } }, reply) =>
  pass(reply, 'text/plain;charset=utf-8', 'log', log, [id]),
)

listRepositories(app, pool)
listRequests(app, pool)

process.once('disconnect', () => process.exit())
process.send?.({ url: await app.listen({ host: '127.0.0.1', port: 0 }) })
