import type { FastifyInstance } from 'fastify'
import type { Repository } from '../../src/domain/repository.ts'
import { putUserBetaFeature } from '../../src/store/people/beta-features.ts'
import { putBranch, setLastBuildOfBranch } from '../../src/store/repositories/branches.ts'
import type { Database } from '../../src/store/tables.ts'
import { factories } from '../support/factories.ts'
import { caller } from './door.ts'
import { keepAll } from './endpoints.ts'
import {
  keepSshKey,
  keepVariable,
  organizationsVariable,
  usersVariable,
  variableOf,
} from './endpoints/keep.ts'

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
export async function restore(db: Database): Promise<void> {
  for (const table of ['builds', 'jobs'] as const) {
    await db.updateTable(table).set({ state: 'created', finished_at: null }).execute()
  }
  await db.updateTable('repositories').set({ active: true }).execute()
  await db.updateTable('notifications').set({ state: 'sent' }).execute()
  // A sync goes on until it is looked up.
  await db.updateTable('users').set({ is_syncing: false }).execute()
  // The member has chosen a feature.
  await putUserBetaFeature(db, { user_id: 1, beta_feature_id: 2, enabled: true })
  await db.deleteFrom('env_vars').where('name', '=', 'FRESH').execute()
  for (const [id, owner_type] of [
    [organizationsVariable, 'Organization'],
    [usersVariable, 'User'],
  ] as const) {
    await keepVariable(db, { id, owner_type, owner_id: 1 })
  }
  await Promise.all(
    [1, 2, 3, 4].map(async (repository_id) => {
      await keepVariable(db, { id: variableOf(repository_id), repository_id })
      await keepAll(db, repository_id)
    }),
  )
}

/** A variable and an SSH key of a repository, if it has none. */
export async function keepSecrets(db: Database, repository_id: number): Promise<void> {
  await keepVariable(db, { id: variableOf(repository_id), repository_id })
  await keepSshKey(db, repository_id)
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
    // What is refused has changed nothing.
    if (!path.startsWith('GET') && statusCode < 400) await restore(db)
    return statusCode
  }
}

export const headersFor = (tokens: Tokens, who: string, rest: Record<string, string>) =>
  tokens[who] === undefined ? rest : { ...rest, authorization: `token ${tokens[who]}` }
