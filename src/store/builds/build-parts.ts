import { sql } from 'kysely'
import type { BareJob } from '../../domain/job/job.ts'
import type { Stage } from '../../domain/stage.ts'
import { bareColumns } from '../jobs/job-columns.ts'
import { bareJobIn, stageIn, type Written } from '../sql/json-rows.ts'
import { listed, prepared } from '../sql/prepared-statements.ts'
import type { Database } from '../tables.ts'

/** The parts of a build: its jobs in the order of their ids, and its stages in their order. */
export interface BuildParts {
  jobs: BareJob[]
  stages: Stage[]
}

/** The parts of a build as a statement returns them. */
export interface WrittenParts {
  jobs: Written<BareJob>[] | null
  stages: Written<Stage>[] | null
}

/** The columns with the parts of the build with this id. */
export const partsOf = (buildId: string) => `
    (select json_agg(job order by id) from (
      select ${bareColumns.join()} from jobs where build_id = ${buildId}) as job) as jobs,
    (select json_agg(stages order by number) from stages where build_id = ${buildId}) as stages`

export function partsIn({ jobs, stages }: WrittenParts): BuildParts {
  return { jobs: (jobs ?? []).map(bareJobIn), stages: (stages ?? []).map(stageIn) }
}

const parts = prepared<WrittenParts>(`
  select ${partsOf('asked.build_id')}
  from unnest(${listed('$1', 'bigint[]')}) with ordinality as asked (build_id, position)
  order by asked.position
`)

/** Number of jobs of these builds, counted up to `most`. */
export async function countJobs(
  db: Database,
  buildIds: readonly number[],
  most: number,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count
    from (select from jobs where build_id = any(${buildIds}::bigint[]) limit ${most}) as counted
  `.execute(db)
  return rows[0]?.count ?? 0
}

/** The parts of these builds, in their order, in one statement. */
export async function partsOfBuilds(
  db: Database,
  buildIds: readonly number[],
): Promise<BuildParts[]> {
  return (await parts(db, buildIds)).map(partsIn)
}
