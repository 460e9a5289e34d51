import type { BareJob } from '../domain/job.ts'
import type { Stage } from '../domain/stage.ts'
import { bareColumns } from './job-columns.ts'
import { listed, prepared } from './prepared.ts'
import type { Database } from './tables.ts'
import { bareJobIn, stageIn, type Written } from './written.ts'

/** What a build consists of: its jobs by their ids, and its stages in their order. */
export interface BuildParts {
  jobs: BareJob[]
  stages: Stage[]
}

interface Row {
  jobs: Written<BareJob>[] | null
  stages: Written<Stage>[] | null
}

const parts = prepared<Row>(`
  select
    (select json_agg(job order by id) from (
      select ${bareColumns.join()} from jobs where build_id = asked.build_id) as job) as jobs,
    (select json_agg(stages order by number) from stages where build_id = asked.build_id) as stages
  from unnest(${listed('$1', 'bigint[]')}) with ordinality as asked (build_id, position)
  order by asked.position
`)

/** The parts of these builds, in their order, in one statement. */
export async function partsOfBuilds(
  db: Database,
  buildIds: readonly number[],
): Promise<BuildParts[]> {
  const rows = await parts(db, buildIds)
  return rows.map(({ jobs, stages }) => ({
    jobs: (jobs ?? []).map(bareJobIn),
    stages: (stages ?? []).map(stageIn),
  }))
}
