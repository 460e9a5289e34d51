import { sql } from 'kysely'
import type { Migration } from '../migrate.ts'

/**
 * The tags that were last seen of each repository. Crons pause while their repository is archived, where
 * they ended for good before: those go on with the next of their runs, at the same time on the wall.
 */
export const seenTagsAndPausedCrons: Migration = {
  name: '040-seen-tags-and-paused-crons',

  async up(db) {
    await sql`
      create table seen_tags (
        repository_id bigint primary key references repositories on delete cascade,
        pushed_at timestamptz,
        tags jsonb not null,
        since timestamptz
      )
    `.execute(db)
    await sql`
      update crons set active = true, inactive_reason = null, next_run = (
        select min(planned_at + count * step)
        from (
          select case "interval"
              when 'daily' then interval '1 day'
              when 'weekly' then interval '7 days'
              else interval '1 month' end as step,
            case "interval" when 'daily' then 1 when 'weekly' then 7 else 28 end as days
        ) as steps,
        generate_series(
          0, 2 + greatest(extract(epoch from now() - planned_at) / 86400 / days, 0)::integer)
          as count
        where planned_at + count * step > now()
      )
      where not active and inactive_reason = 'the repository is archived'
    `.execute(db)
  },
}
