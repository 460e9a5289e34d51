import { canSee } from '../../access/visibility.ts'
import type { Build } from '../../domain/build.ts'
import { type BuildParts, partsOfBuilds } from '../../store/build-parts.ts'
import type { InRepository } from '../find-record.ts'
import { loader } from './loader.ts'
import type { Models, View } from './resource.ts'

const partsOf = loader<number, BuildParts>(
  (id) => id,
  ({ ctx }, ids) => partsOfBuilds(ctx.db, ids),
)

/** Tells what a call has read of a build already. */
export function knowParts(call: object, buildId: number, parts: BuildParts): void {
  partsOf.know(call, [buildId], [parts])
}

/** A build, or what belongs to one. */
type OfBuild = InRepository<{ build_id: number; private: boolean }>

/** A build as what belongs to it names it. */
export const asPart = ({ id, private: isPrivate, repository }: InRepository<Build>): OfBuild => ({
  build_id: id,
  private: isPrivate,
  repository,
})

/** The jobs of the build of each of these, as far as the viewer can see them. */
export async function jobsOf(view: View, records: readonly OfBuild[]): Promise<Models['job'][][]> {
  const parts = await partsOf(
    view,
    records.map(({ build_id }) => build_id),
  )
  return records.map(({ repository }, index) =>
    (parts[index]?.jobs ?? [])
      .filter((job) => canSee(view.viewer, repository, job))
      .map((job) => ({ ...job, repository })),
  )
}

/** The stages of the build of each of these. */
export async function stagesOf(
  view: View,
  records: readonly OfBuild[],
): Promise<Models['stage'][][]> {
  const parts = await partsOf(
    view,
    records.map(({ build_id }) => build_id),
  )
  return records.map(({ private: isPrivate, repository }, index) =>
    (parts[index]?.stages ?? []).map((stage) => ({ ...stage, private: isPrivate, repository })),
  )
}
