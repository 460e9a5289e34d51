import { isVisible } from '../../access/visibility.ts'
import type { Build } from '../../domain/build.ts'
import type { Repository, Seen } from '../../domain/repository.ts'
import { buildsByIds } from '../../store/repositories/load-by-ids.ts'
import type { Database } from '../../store/tables.ts'
import { byId } from '../core/path-id.ts'

/** The last started build of each repository, in their order; null if none or hidden from the viewer. */
export async function lastBuildsOfRepositories(
  db: Database,
  repositories: readonly Seen<Repository>[],
): Promise<(Build | null)[]> {
  const ids = repositories.flatMap(({ last_build_id }) => last_build_id ?? [])
  const buildOf = byId(await buildsByIds(db, ids))
  return repositories.map((repository) =>
    visibleBuild(repository, buildOf(repository.last_build_id)),
  )
}

export function visibleBuild(repository: Seen<Repository>, build: Build | null): Build | null {
  return build && isVisible(repository, build) ? build : null
}
