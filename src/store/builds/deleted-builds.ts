import type { DeletedBuild } from '../../domain/retention.ts'
import {
  asked,
  type AskedRow,
  type InRepository,
  readAsked,
  seen,
  seenRepositoryIn,
  withRole,
} from '../repositories/repository-access.ts'
import { reader, type Written } from '../sql/json-rows.ts'
import { prepared } from '../sql/prepared-statements.ts'
import { existingRepository } from '../sql/visibility.ts'
import type { Database } from '../tables.ts'

const deletedBuildIn = reader<DeletedBuild>({ deleted_at: true })

interface Row {
  record: Written<DeletedBuild>
}

const readBy = (condition: string) =>
  readAsked<Row>(
    prepared<AskedRow<Row>>(`
      select asked.position, row_to_json(deleted) as record, ${seen}, '' as version
      from ${asked} join deleted_builds as deleted on ${condition}
      join repositories on repositories.id = deleted.repository_id ${withRole}
      where ${existingRepository}
    `),
  )

const byId = readBy('deleted.id = asked.id')
const byJob = readBy('deleted.job_ids @> array[asked.id]')

/** The build with this id, or with a job of this id, that retention deleted; as a viewer sees it. */
export async function findDeletedBuild(
  db: Database,
  of: 'build' | 'job',
  id: number,
  userId: number | undefined,
): Promise<InRepository<DeletedBuild> | undefined> {
  const read = of === 'build' ? byId : byJob
  const row = await read(db, { id, viewer: userId ?? null })
  return row && Object.assign(deletedBuildIn(row.record), { repository: seenRepositoryIn(row) })
}

const numberOf = prepared<{ count: string }>(
  'select count(*) as count from deleted_builds where repository_id = $1::bigint',
)

/** The number of builds of a repository that retention deleted. */
export async function countOfDeletedBuilds(db: Database, repositoryId: number): Promise<number> {
  const [row] = await numberOf(db, repositoryId)
  return Number(row?.count ?? 0)
}
