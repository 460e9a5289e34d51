/**
 * SQL for texts that change with all data that responses about a record show; ETags are derived
 * from them. `xmin` is the transaction that last wrote a row, so that no code has to maintain it;
 * the time beside it distinguishes rows of databases that were filled from scratch.
 */
const versionOf = (...parts: readonly string[]) => `md5(row(${parts.join(', ')})::text)`

export const rowVersion = (table: string, time = 'updated_at') => `${table}.xmin, ${table}.${time}`

const found = (table: string, condition: string, time?: string) =>
  `(select row(${rowVersion(table, time)})::text from ${table} where ${condition})`

/** The columns of a repository that responses about its records show. */
const nameAndBranch = 'repositories.owner_name, repositories.name, repositories.default_branch_name'

/** A repository as `asked.viewer` sees it: with the owner, the last build, and the viewer's own data. */
const versionOfRepository = versionOf(
  rowVersion('repositories'),
  'permissions.pull, permissions.push, permissions.admin',
  found('builds', 'builds.id = repositories.last_build_id'),
  found('users', `owner_type = 'User' and users.id = owner_id`),
  found('organizations', `owner_type = 'Organization' and organizations.id = owner_id`),
  `(select role from memberships where owner_type = 'Organization'
     and organization_id = owner_id and user_id = asked.viewer)`,
  'exists (select from stars where repository_id = repositories.id and user_id = asked.viewer)',
)

/**
 * A build with its commit, its jobs, and its pull request and request. Which of the jobs are shown
 * depends on whether the viewer has a role.
 */
export const versionOfBuild = versionOf(
  rowVersion('builds'),
  'permissions.user_id is not null',
  nameAndBranch,
  found('commits', 'commits.id = builds.commit_id', 'created_at'),
  found('pull_requests', 'pull_requests.id = builds.pull_request_id'),
  found('requests', 'requests.id = builds.request_id'),
  `(select string_agg(row(jobs.id, ${rowVersion('jobs')})::text, '' order by jobs.id)
     from jobs where build_id = builds.id)`,
)

/** A request with its commit, its pull request, and its build; for viewers with or without a role. */
const versionOfRequest = versionOf(
  rowVersion('requests'),
  'permissions.user_id is not null',
  found('commits', 'commits.id = requests.commit_id', 'created_at'),
  found('pull_requests', 'pull_requests.id = requests.pull_request_id'),
  '(select builds.id from builds where request_id = requests.id)',
)

/** The version of a record, by table. */
export const versionsOf = {
  builds: versionOfBuild,
  repositories: versionOfRepository,
  requests: versionOfRequest,
}

export type VersionedTable = keyof typeof versionsOf

/** A version, and its record, if the record was found by its id. */
export interface Version {
  text: string
  of?: { table: VersionedTable; id: number }
}
