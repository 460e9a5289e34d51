import type { Build } from '../../domain/build.ts'
import type { Job } from '../../domain/job/job.ts'
import type { Repository, Seen } from '../../domain/repository.ts'
import type { Request } from '../../domain/request/request.ts'
import { isStorable } from '../../domain/text/storable-text.ts'
import { membershipsBeside, type WrittenMemberships } from '../people/owners.ts'
import { branchWithoutRow, type KnownBranch } from '../repositories/branches.ts'
import { besideRow, type WrittenBeside } from '../repositories/load-by-ids.ts'
import {
  inRepository,
  readNamed,
  type SeenRef,
  seenRepositoryIn,
} from '../repositories/repository-access.ts'
import { requestParts, type WrittenRequestParts } from '../requests/request-parts.ts'
import { buildIn, jobIn, requestIn, type Written } from '../sql/json-rows.ts'
import type { Database } from '../tables.ts'
import { partsOf, type WrittenParts } from './build-parts.ts'

/** The records that are shown together with another record. */
export interface ShownBeside {
  beside: WrittenBeside
  /** Memberships of the viewer, if an organization is shown. */
  memberships?: WrittenMemberships | undefined
}

const ownerOf = (table: string, type: 'User' | 'Organization') =>
  `case when ${table}.owner_type = '${type}' then ${table}.owner_id end`

/** A build with all records that are shown with it, in one statement. */
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

/** A job with all records that are shown with it; its queue position is read separately, while it waits. */
export const shownJob = inRepository<Job, ShownBeside>('jobs', jobIn, undefined, {
  columns: `${besideRow({
    builds: ['jobs.build_id'],
    commits: ['jobs.commit_id'],
    organizations: [ownerOf('jobs', 'Organization')],
    pull_requests: ['(select pull_request_id from builds where builds.id = jobs.build_id)'],
    stages: ['jobs.stage_id'],
    users: [ownerOf('jobs', 'User'), 'jobs.restarted_by_id', 'jobs.canceled_by_id'],
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

/**
 * A repository with one of its requests, if it has that request, and everything that is shown with
 * the request.
 */
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

/** A repository with one of its branches, if it has that branch, and the branch's last build. */
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
