const jobsPerBuild = 3

/** Of the first repository besides `main`. */
const topics = 20

/** How many builds run, and how many repositories the reader has a role on, however many there are. */
const running = 100
const roles = 200

/** A number from 0 to 127 that has nothing to do with the order of the rows. */
const chance = (of: string) => `(hashint4((${of})::int) & 127)`

/**
 * Statements that fill a database: a tenth as many repositories as builds, of which the first one,
 * octavia/hot, has a fifth of all builds. A tenth of the repositories is of one owner. What lists show
 * without a limit does not grow with them.
 * User 2, `reader`, gets a token of this hash.
 */
export function manyBuilds(builds: number, tokenHash: string): string[] {
  const repositories = builds / 10
  const repository = `case when n % 5 = 0 then 1 else 1 + n % ${repositories} end`
  const topic = `(n / 5) % ${2 * topics}`
  const branch = `case when n % 5 <> 0 then 1 + n % ${repositories}
    when ${topic} between 1 and ${topics} then ${repositories} + ${topic} else 1 end`
  const state = `case when n > ${builds - running} then 'started'
    when ${chance('n')} < 2 then 'errored' when ${chance('n')} < 4 then 'canceled'
    when ${chance('n')} < 16 then 'failed' else 'passed' end`
  const event = `case when ${chance('n + 1')} < 2 then 'cron' when ${chance('n + 1')} < 32 then 'pull_request'
    else 'push' end`
  const isPrivate = `${repository} % 10 = 0`
  const time = `now() - (${builds} - n) * interval '1 minute'`
  const finished = `case when n > ${builds - running} then null else ${time} end`
  const owner = `case when n % 10 = 1 then 1 else 3 + n % ${repositories / 10} end`
  const every = (count: number) => `generate_series(1, ${count}) n`
  return [
    `insert into users (id, codehost_id, login, name)
       values (1, 1, 'octavia', 'Octavia'), (2, 2, 'reader', 'Reader')`,
    `insert into users (id, codehost_id, login)
       select 2 + n, 2 + n, 'owner-' || 2 + n from ${every(repositories / 10)}`,
    `insert into tokens (user_id, hash, last_used_at)
       values (2, '${tokenHash}', now() + interval '1 day')`,
    `insert into repositories (id, codehost_id, owner_id, owner_type, owner_name, name, private, active,
         last_build_started_at)
       select n, n, ${owner}, 'User', case n % 10 when 1 then 'octavia' else 'owner-' || ${owner} end,
         case n when 1 then 'hot' else left(md5(n::text), 16) end, n % 10 = 0, true, now() - n * interval '1 minute'
       from ${every(repositories)}`,
    `insert into permissions (user_id, repository_id, pull, push, admin)
       select 2, n, true, true, n < 100 from ${every(roles)}`,
    `insert into branches (id, repository_id, name) select n, n, 'main' from ${every(repositories)}`,
    `insert into branches (id, repository_id, name)
       select ${repositories} + n, 1, 'topic-' || n from ${every(topics)}`,
    `insert into commits (id, repository_id, sha, ref, branch, message)
       select n, ${repository}, md5(n::text) || left(md5(n::text), 8), 'refs/heads/main', 'main',
         'Say hello ' || n
       from ${every(builds)}`,
    `insert into requests (id, repository_id, commit_id, owner_id, owner_type, event_type, state, result,
         private, created_at, finished_at)
       select n, ${repository}, n, 1, 'User', ${event}, 'finished', 'accepted', ${isPrivate}, ${time}, now()
       from ${every(builds)}`,
    `insert into builds (id, repository_id, request_id, commit_id, branch_id, number, event_type, state,
         previous_state, sender_id, config, private, created_at, started_at, finished_at)
       select n, ${repository}, n, n, ${branch}, n, ${event}, ${state},
         case when ${chance('n + 3')} < 2 then 'errored' else 'passed' end,
         case when ${chance('n + 4')} < 2 then 1 end,
         '{"language": "ruby", "rvm": ["3.1", "3.2", "3.3"], "script": ["bundle exec rake"]}',
         ${isPrivate}, ${time}, ${time}, ${finished}
       from ${every(builds)}`,
    `insert into jobs (id, repository_id, build_id, commit_id, owner_id, owner_type, number, state, queue,
         config, private, started_at, finished_at)
       select (n - 1) * ${jobsPerBuild} + job, ${repository}, n, n, 1, 'User', n || '.' || job, ${state},
         case when ${chance('n + 2')} < 2 then 'builds.rare' else 'builds.linux' end,
         '{"os": "linux", "rvm": "3.1", "dist": "noble", "language": "ruby",
           "script": ["bundle exec rake"]}', ${isPrivate}, now(), ${finished}
       from ${every(builds)}, generate_series(1, ${jobsPerBuild}) job`,
    `insert into logs (id) select n from ${every(builds * jobsPerBuild)}`,
    `insert into log_parts (log_id, attempt, number, content, final)
       select n, 0, 1, E'Hello\\r\\n', true from ${every(builds)}`,
    `update branches set last_build_id = last.id
       from (select branch_id, max(id) as id from builds group by branch_id) as last
       where last.branch_id = branches.id`,
    `update repositories set last_build_id = last.id
       from (select repository_id, max(id) as id from builds group by repository_id) as last
       where last.repository_id = repositories.id`,
    'vacuum analyze',
  ]
}

/** Statements that add what only administrators read: a webhook and an audit record for each build. */
export function manyDeliveries(builds: number): string[] {
  return [
    `insert into deliveries (guid, provider, event, repository_codehost_id, state, result, processed_at)
       select 'guid-' || n, 'codehost', 'push', 1 + n % ${builds / 10}, 'processed',
         case when n % 100 = 0 then 'error' else 'noted' end, now()
       from generate_series(1, ${builds}) n`,
    `insert into audit_records (actor, action, subject_type, subject_id, details)
       select 'reader', 'restart', 'build', n, '{}' from generate_series(1, ${builds}) n`,
    'vacuum analyze deliveries, audit_records',
  ]
}
