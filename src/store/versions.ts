/**
 * SQL for texts that change whenever something changes that a record's answers show: ETags are made
 * of them. `xmin` is the transaction that wrote a row as it is, so that no code has to keep it up; the
 * time beside it tells apart rows of databases that were filled from scratch.
 */
const versionOf = (...parts: readonly string[]) => `md5(row(${parts.join(', ')})::text)`

export const rowVersion = (table: string, time = 'updated_at') => `${table}.xmin, ${table}.${time}`

const found = (table: string, condition: string, time?: string) =>
  `(select row(${rowVersion(table, time)})::text from ${table} where ${condition})`

/** What records of a repository show of it. */
const nameAndBranch = 'repositories.owner_name, repositories.name, repositories.default_branch_name'

/** As its viewer, `asked.viewer`, sees it: with the owner, the last build, and what is the viewer's own. */
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
 * With its commit, its jobs, and the pull request and the request that it was made for. Which of the
 * jobs are shown depends on whether its viewer has a role.
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

/** With its commit, its pull request, and the build that it led to; for viewers with a role or without. */
const versionOfRequest = versionOf(
  rowVersion('requests'),
  'permissions.user_id is not null',
  found('commits', 'commits.id = requests.commit_id', 'created_at'),
  found('pull_requests', 'pull_requests.id = requests.pull_request_id'),
  '(select builds.id from builds where request_id = requests.id)',
)

/** By the tables whose records have one. */
export const versionsOf = {
  builds: versionOfBuild,
  repositories: versionOfRepository,
  requests: versionOfRequest,
}

export type VersionedTable = keyof typeof versionsOf

/** A version, and what it is of, where that was found by its id. */
export interface Version {
  text: string
  of?: { table: VersionedTable; id: number }
}
