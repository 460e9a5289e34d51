import type { Build } from '../../src/domain/build.ts'
import type { Database } from '../../src/store/tables.ts'

/** Has a build be the last one of its repository that was started. */
export async function setLastBuild(
  db: Database,
  { id, repository_id }: Pick<Build, 'id' | 'repository_id'>,
  at: Date,
): Promise<void> {
  await db
    .updateTable('repositories')
    .set({ last_build_id: id, last_build_started_at: at })
    .where('id', '=', repository_id)
    .where((eb) => eb.or([eb('last_build_id', 'is', null), eb('last_build_id', '<', id)]))
    .execute()
}
