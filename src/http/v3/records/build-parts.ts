import { canSee } from '../../../access/visibility.ts'
import type { Build } from '../../../domain/build.ts'
import { grouped } from '../../../domain/grouped.ts'
import { maximumJobs } from '../../../domain/request/decision.ts'
import { type BuildParts, countJobs, partsOfBuilds } from '../../../store/builds/build-parts.ts'
import type { InRepository } from '../../core/path-id.ts'
import type { Models, View } from '../core/resource.ts'
import { loader } from '../render/loader.ts'
import { expectRoom, recordsLeft } from '../render/response-budget.ts'

const partsOf = loader<number, BuildParts>(
  (id) => id,
  async ({ ctx, call }, ids) => {
    const most = recordsLeft(call)
    // A few builds cannot have too many jobs, so their jobs need not be counted.
    if (ids.length * maximumJobs > most) {
      expectRoom(call, await countJobs(ctx.db, ids, most + 1))
    }
    return partsOfBuilds(ctx.db, ids)
  },
)

/** Registers the parts of a build that a call has read already. */
export function knowParts(call: object, buildId: number, parts: BuildParts): void {
  partsOf.know(call, [buildId], [parts])
}

/** A build, or a record that belongs to a build. */
type OfBuild = InRepository<{ build_id: number; private: boolean }>

/** A build in the form in which its parts name it. */
export const asPart = ({ id, private: isPrivate, repository }: InRepository<Build>): OfBuild => ({
  build_id: id,
  private: isPrivate,
  repository,
})

/** The jobs of each record's build, as far as the viewer can see them. */
export const jobsOf = loader<OfBuild, Models['job'][]>(
  ({ build_id }) => build_id,
  async (view, records) => {
    const parts = await partsOf(
      view,
      records.map(({ build_id }) => build_id),
    )
    return records.map(({ repository }, index) =>
      (parts[index]?.jobs ?? [])
        .filter((job) => canSee(view.viewer, repository, job))
        .map((job) => ({ ...job, repository })),
    )
  },
)

/** The jobs of each record's build, by the ids of their stages. */
export const jobsByStage = loader<OfBuild, ReadonlyMap<number | null, Models['job'][]>>(
  ({ build_id }) => build_id,
  async (view, records) =>
    (await jobsOf(view, records)).map((jobs) => grouped(jobs, ({ stage_id }) => stage_id)),
)

/** The stages of each record's build. */
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
