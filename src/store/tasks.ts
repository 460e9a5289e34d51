import { sql } from 'kysely'
import type { Database } from './tables.ts'

/** Claims a repeated task, unless a process has claimed it within so many seconds. */
export async function claimTask(db: Database, name: string, seconds: number): Promise<boolean> {
  const { rows } = await sql`
    insert into tasks (name, claimed_at) values (${name}, now())
    on conflict (name) do update set claimed_at = excluded.claimed_at
      where tasks.claimed_at <= now() - make_interval(secs => ${seconds})
    returning name
  `.execute(db)
  return rows.length > 0
}
