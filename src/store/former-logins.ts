import { sql } from 'kysely'
import type { Database } from './tables.ts'

/**
 * The numbers at the code host of the accounts that had this login, as far as is known here: the user who
 * has it now, and those who had it when they changed something.
 */
export async function accountsThatWere(db: Database, login: string): Promise<number[]> {
  const { rows } = await sql<{ codehost_id: number }>`
    select distinct codehost_id from users
    where provider = 'codehost' and codehost_id is not null
      and (lower(login) = ${login.toLowerCase()}
        or id in (select actor_id from audit_records where lower(actor) = ${login.toLowerCase()}))
    order by codehost_id
  `.execute(db)
  return rows.map(({ codehost_id }) => codehost_id)
}
