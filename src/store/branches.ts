import { sql } from 'kysely'
import type { Branch, Tag } from '../domain/commit.ts'
import type { Repository } from '../domain/repository.ts'
import type { Database } from './tables.ts'

/** The branch, made if it was unknown, and marked as existing at the code host. */
export function putBranch(db: Database, repositoryId: number, name: string): Promise<Branch> {
  return db
    .insertInto('branches')
    .values({ repository_id: repositoryId, name })
    .onConflict((conflict) =>
      conflict
        .columns(['repository_id', 'name'])
        .doUpdateSet({ exists_on_codehost: true, updated_at: sql`now()` }),
    )
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function markBranchGone(
  db: Database,
  repositoryId: number,
  name: string,
): Promise<void> {
  await db
    .updateTable('branches')
    .set({ exists_on_codehost: false, updated_at: sql`now()` })
    .where('repository_id', '=', repositoryId)
    .where('name', '=', name)
    .execute()
}

export async function setLastBuildOfBranch(
  db: Database,
  id: number,
  buildId: number,
): Promise<void> {
  await db.updateTable('branches').set({ last_build_id: buildId }).where('id', '=', id).execute()
}

export function putTag(db: Database, repositoryId: number, name: string): Promise<Tag> {
  return db
    .insertInto('tags')
    .values({ repository_id: repositoryId, name })
    .onConflict((conflict) =>
      conflict.columns(['repository_id', 'name']).doUpdateSet({ exists_on_codehost: true }),
    )
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function markTagGone(db: Database, repositoryId: number, name: string): Promise<void> {
  await db
    .updateTable('tags')
    .set({ exists_on_codehost: false })
    .where('repository_id', '=', repositoryId)
    .where('name', '=', name)
    .execute()
}

/** The default branch of each repository, in their order; a row that is missing is made. */
export async function defaultBranchesOf(
  db: Database,
  repositories: readonly Pick<Repository, 'id' | 'default_branch_name'>[],
): Promise<Branch[]> {
  const known = await branchesNamed(db, repositories)
  return Promise.all(
    repositories.map(
      async ({ id, default_branch_name: name }) =>
        known.get(`${id}/${name}`) ?? (await putBranch(db, id, name)),
    ),
  )
}

async function branchesNamed(
  db: Database,
  repositories: readonly Pick<Repository, 'id' | 'default_branch_name'>[],
): Promise<Map<string, Branch>> {
  const rows = await db
    .selectFrom('branches')
    .selectAll()
    .where(({ eb, refTuple, tuple }) =>
      eb(
        refTuple('repository_id', 'name'),
        'in',
        repositories.map(({ id, default_branch_name }) => tuple(id, default_branch_name)),
      ),
    )
    .execute()
  return new Map(rows.map((branch) => [`${branch.repository_id}/${branch.name}`, branch]))
}
