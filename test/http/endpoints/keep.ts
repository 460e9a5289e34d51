// Records that rows of the table need: what a repository has one of, under its own number.
import { sql } from 'kysely'
import type { EnvVarHolder } from '../../../src/domain/env-var.ts'
import { putBranch } from '../../../src/store/repositories/branches.ts'
import type { Database } from '../../../src/store/tables.ts'
import { noon, testSealer } from '../../support/context.ts'

/** The variable of a repository. */
export const variableOf = (repository_id: number | string): string =>
  `00000000-0000-4000-8000-00000000000${repository_id}`

/** Those of organization 1 and user 1, for all of their repositories. */
export const organizationsVariable = '00000000-0000-4000-8000-000000000011'
export const usersVariable = '00000000-0000-4000-8000-000000000021'

export async function keepVariable(
  db: Database,
  variable: EnvVarHolder & { id: string },
): Promise<void> {
  const sealed_value = testSealer.sealText({ type: 'env_var', id: variable.id }, 'a')
  await db
    .insertInto('env_vars')
    .values({ ...variable, name: 'A', sealed_value })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function keepSshKey(db: Database, repository_id: number) {
  await db
    .insertInto('ssh_keys')
    .values({ repository_id, description: 'deploys', fingerprint: 'aa:bb', sealed_value: 'sealed' })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return { 'ssh_key.id': String(repository_id) }
}

export async function keepKeyPair(db: Database, repository_id: number) {
  await db
    .insertInto('key_pairs')
    .values({
      repository_id,
      public_key: '-----BEGIN PUBLIC KEY-----\n',
      fingerprint: 'aa:bb',
      sealed_private_key: 'sealed',
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return {}
}

/** The cron of the default branch, instead of any other. */
export async function keepCron(db: Database, repository_id: number) {
  const { default_branch_name } = await db
    .selectFrom('repositories')
    .select('default_branch_name')
    .where('id', '=', repository_id)
    .executeTakeFirstOrThrow()
  const { id: branch_id } = await putBranch(db, repository_id, default_branch_name)
  await db.deleteFrom('crons').where('repository_id', '=', repository_id).execute()
  const times = { planned_at: noon, next_run: noon, created_at: noon }
  await db
    .insertInto('crons')
    .values({ id: repository_id, repository_id, branch_id, interval: 'daily', ...times })
    .execute()
  // The next one must not get a number that is taken.
  await sql`select setval(pg_get_serial_sequence('crons', 'id'), 100)`.execute(db)
  return { 'cron.id': String(repository_id) }
}
