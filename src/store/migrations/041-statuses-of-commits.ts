import { sql } from 'kysely'
import type { Migration } from '../migrate.ts'

/**
 * What was posted to each context of a commit, so that a status is posted only where it differs; pushes
 * by force, after which a branch holds its earlier commits no longer; approvals for head and base.
 */
export const statusesOfCommits: Migration = {
  name: '041-statuses-of-commits',

  async up(db) {
    await sql`
      create table commit_statuses (
        repository_id bigint not null references repositories on delete cascade,
        sha text not null,
        kind text not null,
        state text not null,
        description text not null,
        target_url text not null,
        posts integer not null,
        is_certain boolean not null,
        posted_at timestamptz not null default now(),
        primary key (repository_id, sha, kind)
      )
    `.execute(db)
    await sql`alter table requests add column forced boolean not null default false`.execute(db)
    await sql`alter table approvals add column base_ref text`.execute(db)
    // The base that each approved pull request had when it was approved.
    await sql`
      update approvals set base_ref = (
        select base_ref from requests
        where requests.pull_request_id = approvals.pull_request_id
          and requests.head_commit = approvals.sha
          and requests.created_at <= approvals.created_at and base_ref is not null
        order by requests.id desc limit 1
      )
    `.execute(db)
    await sql`delete from approvals where base_ref is null`.execute(db)
    await sql`alter table approvals alter column base_ref set not null`.execute(db)
    await sql`alter table approvals drop constraint approvals_pkey`.execute(db)
    await sql`alter table approvals add primary key (pull_request_id, sha, base_ref)`.execute(db)
    // What was waiting to be posted is derived when its turn comes.
    await sql`
      update outbox set kind = 'status', payload = json_build_object(
        'repository_id', split_part(stream, ':', 2)::bigint,
        'sha', split_part(stream, ':', 3),
        'kind', case when stream like '%/pr' then 'pr' else 'push' end
      )
      where published_at is null and kind in ('status:build', 'status:waiting', 'status:skipped')
    `.execute(db)
    await sql`
      update outbox set payload = json_build_object(
        'repository_id', split_part(stream, ':', 2)::bigint,
        'sha', split_part(stream, ':', 3)
      )
      where published_at is null and kind = 'check:config'
    `.execute(db)
    await sql`
      update outbox set payload = json_build_object(
        'repository_id', split_part(stream, ':', 2)::bigint,
        'sha', split_part(stream, ':', 3),
        'kind', split_part(stream, ':', 4)
      )
      where published_at is null and kind = 'check:build'
    `.execute(db)
  },
}
