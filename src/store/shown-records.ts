import type { Build } from '../domain/build.ts'
import type { Job } from '../domain/job/job.ts'
import type { Repository, Seen } from '../domain/repository.ts'
import type { Request } from '../domain/request/request.ts'
import { isStorable } from '../domain/storable-text.ts'
import { branchWithoutRow, type KnownBranch } from './branches.ts'
import { partsOf, type WrittenParts } from './build-parts.ts'
import { besideRow, type WrittenBeside } from './linked-records.ts'
import { membershipsBeside, type WrittenMemberships } from './owners.ts'
import { requestParts, type WrittenRequestParts } from './request-parts.ts'
import { inRepository, readNamed, type SeenRef, seenRepositoryIn } from './seen.ts'
import type { Database } from './tables.ts'
import { buildIn, jobIn, requestIn, type Written } from './written.ts'

/** The records that another one is shown with. */
export interface ShownBeside {
  beside: WrittenBeside
  /** Of the viewer, where an organization is shown. */
  memberships?: WrittenMemberships | undefined
}

const ownerOf = (table: string, type: 'User' | 'Organization') =>
  `case when ${table}.owner_type = '${type}' then ${table}.owner_id end`

/** A build with all that is shown of it, in one statement. */
export const shownBuild = inRepository<Build, ShownBeside & WrittenParts>(
  'builds',
  buildIn,
  undefined,
  {
    columns: `${besideRow({
      branches: ['builds.branch_id'],
      commits: ['builds.commit_id'],
      pull_requests: ['builds.pull_request_id'],
      tags: ['builds.tag_id'],
      users: ['builds.sender_id'],
    })} as beside, ${partsOf('builds.id')},`,
    joins: '',
    members: ['beside', 'jobs', 'stages'],
  },
)

/** The same of a job; its place in the queue is read apart, and only while it waits. */
export const shownJob = inRepository<Job, ShownBeside>('jobs', jobIn, undefined, {
  columns: `${besideRow({
    builds: ['jobs.build_id'],
    commits: ['jobs.commit_id'],
    organizations: [ownerOf('jobs', 'Organization')],
    pull_requests: ['(select pull_request_id from builds where builds.id = jobs.build_id)'],
    stages: ['jobs.stage_id'],
    users: [ownerOf('jobs', 'User'), 'jobs.restarted_by_id'],
  })} as beside, ${membershipsBeside('jobs')} as memberships,`,
  joins: '',
  members: ['beside', 'memberships'],
})

type ShownRequest = Request & ShownBeside & WrittenRequestParts

const withRequest = readNamed<
  { record: Written<Request> | null } & ShownBeside & WrittenRequestParts
>({
  columns: `row_to_json(requests) as record, ${requestParts}, ${besideRow({
    organizations: [ownerOf('requests', 'Organization')],
    pull_requests: ['(select pull_request_id from builds where builds.request_id = requests.id)'],
    users: [ownerOf('requests', 'User')],
  })} as beside, ${membershipsBeside('requests')} as memberships`,
  joins: `left join requests
    on requests.id = $2::bigint and requests.repository_id = repositories.id`,
  parameters: 1,
})

/** A repository with one of its requests and all that is shown of it; without, if it has no such one. */
export async function repositoryWithRequest(
  db: Database,
  ref: SeenRef,
  userId: number | undefined,
  id: number | undefined,
): Promise<(Seen<Repository> & { request: ShownRequest | null }) | undefined> {
  const row = await withRequest(db, ref, userId, id ?? null)
  if (!row) return
  const { record, commit, build, messages, raw_configs, beside, memberships = null } = row
  const parts = { commit, build, messages, raw_configs, beside, memberships }
  const request = record && Object.assign(requestIn(record), parts)
  return Object.assign(seenRepositoryIn(row), { request })
}

const withBranch = readNamed<{ branch: KnownBranch | null } & ShownBeside>({
  columns: `row_to_json(branches) as branch,
    ${besideRow({ builds: ['branches.last_build_id'] })} as beside`,
  joins: `left join lateral (
      select id, repository_id, name, exists_on_codehost, last_build_id from branches
      where branches.repository_id = repositories.id and branches.name = $2::text
    ) as branches on true`,
  parameters: 1,
})

/** A repository with one of its branches, if it has such a one, and the branch's last build. */
export async function repositoryWithBranch(
  db: Database,
  ref: SeenRef,
  userId: number | undefined,
  name: string,
): Promise<(Seen<Repository> & ShownBeside & { branch: KnownBranch | null }) | undefined> {
  const row = await withBranch(db, ref, userId, isStorable(name) ? name : null)
  if (!row) return
  const { branch, beside } = row
  const repository = seenRepositoryIn(row)
  const isDefault = name === repository.default_branch_name
  const found = branch ?? (isDefault ? branchWithoutRow(repository) : null)
  return Object.assign(repository, { branch: found, beside })
}
