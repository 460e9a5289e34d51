import { sql } from 'kysely'
import type { Migration } from '../migrate.ts'

/** When pull requests changed, by the code host's clock, and the base branch of each request. */
export const orderOfPullRequests: Migration = {
  name: '008-order-of-pull-requests',

  async up(db) {
    await sql`alter table pull_requests add column changed_at timestamptz`.execute(db)
    await sql`alter table requests add column base_ref text`.execute(db)
    await sql`
      update requests set base_ref = commits.branch from commits
      where commits.id = requests.commit_id and event_type = 'pull_request'
    `.execute(db)
    await sql`
      create index on requests (repository_id, head_commit) where head_commit is not null
    `.execute(db)
  },
}
