import { sql } from 'kysely'
import type { Database } from './tables.ts'

export interface ClaimedTask {
  /** Whether it is this process's to run now. */
  claimed: boolean
  /** Seconds since it was claimed before; null for the first time. */
  after: number | null
}

/** Claims a repeated task, unless a process has claimed it within so many seconds. */
export async function claimTask(db: Database, name: string, seconds: number): Promise<ClaimedTask> {
  const { rows } = await sql<ClaimedTask>`
    with before as (
      select claimed_at from tasks where name = ${name}
    ), claimed as (
      insert into tasks (name, claimed_at) values (${name}, now())
      on conflict (name) do update set claimed_at = excluded.claimed_at
        where tasks.claimed_at <= now() - make_interval(secs => ${seconds})
      returning name
    )
    select exists (select from claimed) as claimed,
      (select extract(epoch from now() - claimed_at)::float from before) as after
  `.execute(db)
  return rows[0] ?? { claimed: false, after: null }
}
