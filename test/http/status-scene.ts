import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import type { EnvVarHolder } from '../../src/domain/env-var.ts'
import type { Repository } from '../../src/domain/repository.ts'
import { putUserBetaFeature } from '../../src/store/beta-features.ts'
import { putBranch, setLastBuildOfBranch } from '../../src/store/branches.ts'
import type { Database } from '../../src/store/tables.ts'
import { noon, testSealer } from '../support/context.ts'
import { factories } from '../support/factories.ts'
import { caller } from './door.ts'

/**
 * Whether a repository, and what it made, is private: repository, request, build and job 1 are public,
 * 2 private. With 3 only the repository is public, with 4 only what it made. There is no 5.
 */
export const privacies = [
  { made: false, repository: false },
  { made: true, repository: true },
  { made: true, repository: false },
  { made: false, repository: true },
]

/** Gives repositories 1 to 4 what they have made, and user 1 features to choose. */
export async function fillRepositories(
  db: Database,
  repositories: readonly Repository[],
): Promise<void> {
  const make = factories(db)
  for (const [index, repository] of repositories.entries()) {
    const hidden = privacies[index]?.made ?? false
    const build = await make.build({ repository, private: hidden })
    await make.job({ build, private: hidden })
    await make.notification(build)
    const { id } = await putBranch(db, repository.id, 'main')
    await setLastBuildOfBranch(db, id, build.id, null)
    await db
      .updateTable('requests')
      .set({ private: hidden })
      .where('id', '=', build.request_id)
      .execute()
  }
  const features = ['first', 'second'].map((name) => ({ name, description: name }))
  await db.insertInto('beta_features').values(features).execute()
  await restore(db)
}

/** Makes up for what earlier calls have written or removed. */
async function restore(db: Database): Promise<void> {
  for (const table of ['builds', 'jobs'] as const) {
    await db.updateTable(table).set({ state: 'created', finished_at: null }).execute()
  }
  await db.updateTable('repositories').set({ active: true }).execute()
  await db.updateTable('notifications').set({ state: 'sent' }).execute()
  // A sync goes on until it is looked up.
  await db.updateTable('users').set({ is_syncing: false }).execute()
  // The member has chosen a feature.
  await putUserBetaFeature(db, { user_id: 1, beta_feature_id: 2, enabled: true })
  for (const [id, owner_type] of [
    [organizationsVariable, 'Organization'],
    [usersVariable, 'User'],
  ] as const) {
    await keepVariable(db, { id, owner_type, owner_id: 1 })
  }
  for (const repository_id of [1, 2, 3, 4]) {
    await keepSecrets(db, repository_id)
    const pair = { public_key: 'PEM', fingerprint: 'aa:bb', sealed_private_key: 'sealed' }
    await db
      .insertInto('key_pairs')
      .values({ repository_id, ...pair })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }
  // And a cron with its own number, which those that replace it have not.
  await db.deleteFrom('crons').execute()
  const branches = await db.selectFrom('branches').selectAll().where('name', '=', 'main').execute()
  for (const { id: branch_id, repository_id } of branches) {
    const plan = { interval: 'daily', start_at: null, next_run: noon } as const
    await db
      .insertInto('crons')
      .values({ id: repository_id, repository_id, branch_id, ...plan })
      .execute()
  }
  // Otherwise a new one could get a number that is taken.
  await sql`select setval(pg_get_serial_sequence('crons', 'id'), 100)`.execute(db)
}

/** The variable that a repository has. */
export const variableOf = (repository_id: number): string =>
  `00000000-0000-4000-8000-00000000000${repository_id}`

/** Those that organization 1 and user 1 have for all repositories. */
export const organizationsVariable = '00000000-0000-4000-8000-000000000011'
export const usersVariable = '00000000-0000-4000-8000-000000000021'

async function keepVariable(db: Database, variable: EnvVarHolder & { id: string }): Promise<void> {
  const sealed_value = testSealer.sealText({ type: 'env_var', id: variable.id }, 'a')
  await db
    .insertInto('env_vars')
    .values({ ...variable, name: 'A', sealed_value })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** A variable and an SSH key of a repository, if it has none. */
export async function keepSecrets(db: Database, repository_id: number): Promise<void> {
  await keepVariable(db, { id: variableOf(repository_id), repository_id })
  await db
    .insertInto('ssh_keys')
    .values({ repository_id, fingerprint: null, sealed_value: 'sealed' })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export type Tokens = Record<string, string>

/** Calls as one of those who have a token, or as no one, and returns the status. */
export function statusOf(db: Database, server: FastifyInstance, tokens: Tokens) {
  const call = caller(server)
  return async (path: string, who: string, rest: Record<string, string>): Promise<number> => {
    const { statusCode } = await call(path, headersFor(tokens, who, rest))
    // The next request has a number that other calls take for a missing one.
    if (path.startsWith('POST')) await db.deleteFrom('requests').where('id', '>', 4).execute()
    // What revokes the token has to leave it to the other calls.
    if (/^(?:GET \/logout|DELETE \/(?:access_)?token|POST \/(?:logout|profile))/.test(path))
      await db.updateTable('tokens').set({ revoked_at: null }).execute()
    if (!path.startsWith('GET')) await restore(db)
    return statusCode
  }
}

export const headersFor = (tokens: Tokens, who: string, rest: Record<string, string>) =>
  tokens[who] === undefined ? rest : { ...rest, authorization: `token ${tokens[who]}` }
