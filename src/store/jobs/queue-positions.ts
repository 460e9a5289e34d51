import { sql } from 'kysely'
import type { Database } from '../tables.ts'

/**
 * Queue positions of the jobs of these builds, by job: the place, counted from 1, among jobs that wait
 * for the same thing: a free runner, or the end of a job of their repository or owner. Jobs that wait
 * for something else have none.
 */
export async function queuePositions(
  db: Database,
  buildIds: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  const { rows } = await sql<{ id: number; position: number }>`
    with waiting as (
      select id, build_id, queued_at, case
        when state = 'queued' then 'runners'
        when checks @> ${failed('repository_limit')} then 'repository ' || repository_id
        else 'owner ' || owner_type || owner_id
      end as place
      from jobs
      where (state = 'queued' and checks = '[]'::jsonb) or (
        state = 'created'
        and (checks @> ${failed('repository_limit')} or checks @> ${failed('owner_limit')})
        and not jsonb_path_exists(checks, ${waitsOtherwise})
      )
    ), placed as (
      select id, build_id, row_number() over (partition by place order by queued_at, id) as position
      from waiting
    )
    select id, position::int from placed where build_id = any(${buildIds}::bigint[])
  `.execute(db)
  return new Map(rows.map(({ id, position }) => [id, position]))
}

function failed(rule: string) {
  return sql`${JSON.stringify([{ rule, passed: false }])}::jsonb`
}

const waitsOtherwise = sql`'$[*] ? (@.passed == false && !(@.rule like_regex "_limit$"))'::jsonpath`
