import type { Updateable } from 'kysely'
import { batchesOf } from '../../domain/batches.ts'
import type { Stage } from '../../domain/stage.ts'
import type { Database, Tables } from '../tables.ts'

/** Maximum number of rows in one statement, which can have at most 65,535 parameters. */
const mostRows = 1000

/** Stores the stages of a new build, numbered from 1 in the order of their names. */
export async function insertStages(
  db: Database,
  buildId: number,
  names: readonly string[],
  state: Pick<Stage, 'state' | 'started_at' | 'finished_at'>,
): Promise<Stage[]> {
  const rows = names.map((name, index) => ({
    build_id: buildId,
    number: index + 1,
    name,
    ...state,
  }))
  const stages: Stage[] = []
  for (const batch of batchesOf(rows, mostRows)) {
    stages.push(...(await db.insertInto('stages').values(batch).returningAll().execute()))
  }
  return stages
}

export function stagesOfBuild(db: Database, buildId: number): Promise<Stage[]> {
  return db
    .selectFrom('stages')
    .selectAll()
    .where('build_id', '=', buildId)
    .orderBy('number')
    .execute()
}

export async function updateStage(
  db: Database,
  id: number,
  changes: Updateable<Tables['stages']>,
): Promise<void> {
  await db.updateTable('stages').set(changes).where('id', '=', id).execute()
}
