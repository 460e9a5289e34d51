import { run } from './databases.ts'
import type { Plan } from './plan.ts'

/** How many rows there are to read. */
export interface Rows {
  repositories: number
  builds: number
  jobs: number
  /** Jobs from 1 to this one have a log. */
  logs: number
}

const jobsPerBuild = 3

export function rowsOf({ quick }: Plan): Rows {
  const builds = quick ? 2000 : 100_000
  return { repositories: builds / 10, builds, jobs: builds * jobsPerBuild, logs: quick ? 20 : 200 }
}

/** Parts of a log, of 2,000 characters each. */
const partsPerLog = 32

/** Fills the database of the service: a fifth of all builds belongs to repository 1. */
export async function fillReads(
  database: string,
  { repositories, builds, logs }: Rows,
  tokenHash: string,
): Promise<void> {
  const repositoryOf = `case when n % 5 = 0 then 1 else 1 + n % ${repositories} end`
  const statements = [
    `insert into users (id, codehost_id, login, name)
       values (1, 1, 'octavia', 'Octavia'), (2, 2, 'reader', 'Reader')`,
    `insert into tokens (user_id, hash, last_used_at)
       values (2, '${tokenHash}', now() + interval '1 day')`,
    `insert into repositories (id, codehost_id, owner_id, owner_type, owner_name, name, description,
         codehost_language, active, last_build_id, last_build_started_at,
         default_branch_last_build_id)
       select n, n, 1, 'User', 'octavia', 'repository-' || n, 'Says hello', 'Ruby', true, n, now(), n
       from generate_series(1, ${repositories}) n`,
    `insert into permissions (user_id, repository_id, pull, push, admin)
       select 2, n, true, true, false from generate_series(1, ${repositories}) n`,
    `insert into branches (repository_id, name, last_build_id)
       select n, 'main', n from generate_series(1, ${repositories}) n`,
    `insert into commits (id, repository_id, sha, ref, branch, message, compare_url, committed_at,
         author_name, author_email, committer_name, committer_email)
       select n, ${repositoryOf}, md5(n::text) || left(md5(n::text), 8), 'refs/heads/main', 'main',
         'Say hello ' || n, 'https://codehost.example/octavia/hello/compare/abc...def', now(),
         'Octavia', 'octavia@example.org', 'Octavia', 'octavia@example.org'
       from generate_series(1, ${builds}) n`,
    `insert into requests (id, repository_id, commit_id, owner_id, owner_type, event_type, state, result,
         private, finished_at)
       select n, ${repositoryOf}, n, 1, 'User', 'push', 'finished', 'accepted', false, now()
       from generate_series(1, ${builds}) n`,
    `insert into builds (id, repository_id, request_id, commit_id, number, event_type, state, config,
         private, duration, started_at, finished_at)
       select n, ${repositoryOf}, n, n, n, 'push', 'passed',
         '{"language": "ruby", "rvm": ["3.1", "3.2", "3.3"], "script": ["bundle exec rake"]}',
         false, 95, now(), now()
       from generate_series(1, ${builds}) n`,
    `insert into jobs (id, repository_id, build_id, commit_id, owner_id, owner_type, number, state, queue,
         config, private, started_at, finished_at)
       select (n - 1) * ${jobsPerBuild} + job, ${repositoryOf}, n, n, 1, 'User', n || '.' || job, 'passed',
         'builds.linux', '{"os": "linux", "rvm": "3.1", "dist": "noble", "language": "ruby",
           "script": ["bundle exec rake"]}', false, now(), now()
       from generate_series(1, ${builds}) n, generate_series(1, ${jobsPerBuild}) job`,
    `insert into logs (id) select n from generate_series(1, ${logs}) n`,
    `insert into log_parts (log_id, attempt, number, content, final)
       select n, 0, part, repeat(md5((n * 100 + part)::text) || E' \\u001b[32mok\\u001b[0m\\r\\n', 44),
         part = ${partsPerLog}
       from generate_series(1, ${logs}) n, generate_series(1, ${partsPerLog}) part`,
    'vacuum analyze',
  ]
  for (const statement of statements) await run(database, statement)
}
