import { sql } from 'kysely'
import type { Database } from './tables.ts'

/**
 * Claims a repeated task, unless a process has claimed it within so many seconds. Returns how many
 * seconds ago it was claimed before; null for the first time.
 */
export async function claimTask(
  db: Database,
  name: string,
  seconds: number,
): Promise<{ after: number | null } | undefined> {
  const { rows } = await sql<{ after: number | null }>`
    with before as (select claimed_at from tasks where name = ${name})
    insert into tasks (name, claimed_at) values (${name}, now())
    on conflict (name) do update set claimed_at = excluded.claimed_at
      where tasks.claimed_at <= now() - make_interval(secs => ${seconds})
    returning (select extract(epoch from now() - before.claimed_at)::float from before) as after
  `.execute(db)
  return rows[0]
}
