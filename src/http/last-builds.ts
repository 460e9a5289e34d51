import { isVisible } from '../access/visibility.ts'
import type { Build } from '../domain/build.ts'
import type { Repository, Seen } from '../domain/repository.ts'
import { buildsByIds } from '../store/builds.ts'
import type { Database } from '../store/tables.ts'
import { byId } from './by-id.ts'

/** What keeps the id of a last build, with the repository that the build belongs to. */
interface WithLastBuild {
  last_build_id: number | null
  repository: Seen<Repository>
}

/** The last build of each of these, in their order; null without one, or if the viewer cannot see it. */
export async function lastBuildsOf(
  db: Database,
  records: readonly WithLastBuild[],
): Promise<(Build | null)[]> {
  const ids = records.flatMap(({ last_build_id }) => last_build_id ?? [])
  const buildOf = byId(await buildsByIds(db, ids))
  return records.map(({ last_build_id, repository }) => {
    const build = buildOf(last_build_id)
    return build && isVisible(repository, build) ? build : null
  })
}

/** The same for repositories themselves: the build that started last. */
export function lastBuildsOfRepositories(
  db: Database,
  repositories: readonly Seen<Repository>[],
): Promise<(Build | null)[]> {
  const records = repositories.map((repository) => ({
    last_build_id: repository.last_build_id,
    repository,
  }))
  return lastBuildsOf(db, records)
}
