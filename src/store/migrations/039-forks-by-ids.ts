import { sql } from 'kysely'
import type { Migration } from '../migrate.ts'

/**
 * Branches whose name the sha of their head began with, such as `a`, were taken for those of forks. What waits for an
 * approval only because of that is scheduled with the next sweep; requests of blocked users stay as they are.
 */
export const forksByIds: Migration = {
  name: '039-forks-by-ids',

  async up(db) {
    await sql`
      with corrected as (
        update requests set from_fork = false
        from pull_requests, repositories
        where requests.from_fork
          and pull_requests.id = requests.pull_request_id
          and repositories.id = requests.repository_id
          and pull_requests.head_repository_codehost_id = repositories.codehost_id
          and not exists (
            select from users
            where users.blocked_at is not null and (users.id = requests.sender_id
              or lower(users.login) = lower(requests.sender_login)))
        returning requests.id
      )
      update builds set waits_for_approval = false
      from corrected
      where builds.request_id = corrected.id and builds.waits_for_approval and builds.finished_at is null
    `.execute(db)
  },
}
