import { type Insertable, sql } from 'kysely'
import type { EnvVar, EnvVarHolder } from '../../domain/env-var.ts'
import type { OwnerRef } from '../../domain/owner.ts'
import { secondsAgo } from '../sql/age.ts'
import { runPrepared } from '../sql/prepared-statements.ts'
import type { Database, Tables } from '../tables.ts'

/** The variables of a repository, in the order in which they were added. */
export function envVarsOf(db: Database, repositoryId: number): Promise<EnvVar[]> {
  const variables = db
    .selectFrom('env_vars')
    .selectAll()
    .where('repository_id', '=', repositoryId)
    .orderBy('created_at')
    .orderBy('id')
  return runPrepared(db, variables)
}

/** The variables that each owner has for all repositories, in the order in which they were added. */
export async function envVarsOfOwners(
  db: Database,
  owners: readonly OwnerRef[],
): Promise<EnvVar[][]> {
  if (owners.length === 0) return []
  const variables = await db
    .selectFrom('env_vars')
    .selectAll()
    .where((eb) =>
      eb.or(
        owners.map(({ owner_type, owner_id }) =>
          eb('owner_type', '=', owner_type).and('owner_id', '=', owner_id),
        ),
      ),
    )
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return owners.map(({ owner_type, owner_id }) =>
    variables.filter((each) => each.owner_type === owner_type && each.owner_id === owner_id),
  )
}

/** The variables of a repository and of its owner in one statement, in the order in which they were added. */
export async function envVarsInReach(
  db: Database,
  repository: OwnerRef & { id: number },
): Promise<{ ofRepository: EnvVar[]; ofOwner: EnvVar[] }> {
  const { id, owner_type, owner_id } = repository
  const variables = db
    .selectFrom('env_vars')
    .selectAll()
    .where((eb) =>
      eb.or([
        eb('repository_id', '=', id),
        eb('owner_type', '=', owner_type).and('owner_id', '=', owner_id),
      ]),
    )
    .orderBy('created_at')
    .orderBy('id')
  const found = await runPrepared(db, variables)
  return {
    ofRepository: found.filter(({ repository_id }) => repository_id !== null),
    ofOwner: found.filter(({ repository_id }) => repository_id === null),
  }
}

/** Whether a text has the form of an id: PostgreSQL rejects other texts. */
export const isEnvVarId = (text: string) => /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text)

export function findEnvVar(db: Database, id: string): Promise<EnvVar | undefined> {
  if (!isEnvVarId(id)) return Promise.resolve(undefined)
  return db.selectFrom('env_vars').selectAll().where('id', '=', id).executeTakeFirst()
}

/** How many variables a repository has, or an owner has for all repositories. */
export async function countEnvVars(db: Database, holder: EnvVarHolder): Promise<number> {
  const { count } = await db
    .selectFrom('env_vars')
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .where((eb) =>
      'repository_id' in holder
        ? eb('repository_id', '=', holder.repository_id)
        : eb('owner_type', '=', holder.owner_type).and('owner_id', '=', holder.owner_id),
    )
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** A variable's name, holder and branch; without an id, the variable is not stored yet. */
export type EnvVarKey = EnvVarHolder & Pick<EnvVar, 'name' | 'branch'> & { id?: string }

/** Whether its holder has another variable of this name for this branch, or for all branches. */
export async function isEnvVarTaken(
  db: Database,
  { id, name, branch, ...holder }: EnvVarKey,
): Promise<boolean> {
  const row = await db
    .selectFrom('env_vars')
    .select('id')
    .where((eb) =>
      'repository_id' in holder
        ? eb('repository_id', '=', holder.repository_id)
        : eb('owner_type', '=', holder.owner_type).and('owner_id', '=', holder.owner_id),
    )
    .where('name', '=', name)
    .where('branch', 'is not distinct from', branch)
    .$if(id !== undefined, (query) => query.where('id', '<>', id ?? ''))
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

export function insertEnvVar(
  db: Database,
  variable: Insertable<Tables['env_vars']>,
): Promise<EnvVar> {
  return db.insertInto('env_vars').values(variable).returningAll().executeTakeFirstOrThrow()
}

/** Changes of a variable; undefined members stay unchanged. */
type EnvVarChanges = {
  [K in 'name' | 'public' | 'branch' | 'sealed_value']?: EnvVar[K] | undefined
}

/** Locks the variable for the rest of the transaction; undefined if the variable is gone. */
export function lockEnvVar(db: Database, id: string): Promise<EnvVar | undefined> {
  return db.selectFrom('env_vars').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
}

/** Undefined if the variable is gone. */
export function updateEnvVar(
  db: Database,
  id: string,
  changes: EnvVarChanges,
): Promise<EnvVar | undefined> {
  return db
    .updateTable('env_vars')
    .set({ ...changes, updated_at: sql`now()` })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
}

/** Deletes and returns the variable; undefined if it was gone already. */
export function deleteEnvVar(db: Database, id: string): Promise<EnvVar | undefined> {
  return db.deleteFrom('env_vars').where('id', '=', id).returningAll().executeTakeFirst()
}

const tables = ['env_vars', 'key_pairs', 'ssh_keys'] as const

/** Deletes variables and keys of repositories and organizations that were deleted over `seconds` ago. */
export async function dropSecretsOfDeleted(db: Database, seconds: number): Promise<void> {
  for (const table of tables) {
    await sql`
      delete from ${sql.table(table)} using repositories
      where repositories.id = repository_id and repositories.deleted_at < ${secondsAgo(seconds)}
    `.execute(db)
  }
  await sql`
    delete from env_vars using organizations
    where owner_type = 'Organization' and organizations.id = owner_id
      and organizations.deleted_at < ${secondsAgo(seconds)}
  `.execute(db)
}
