import { partsIn } from '../../../store/builds/build-parts.ts'
import { type ShownBeside, shownBuild, shownJob } from '../../../store/builds/build-view.ts'
import { membershipsIn } from '../../../store/people/owners.ts'
import { foundBeside } from '../../../store/repositories/load-by-ids.ts'
import type { Call } from '../../core/endpoint.ts'
import { findKept } from '../../core/path-id.ts'
import { knowParts } from '../records/build-parts.ts'
import { knowLinked } from './linked.ts'
import { knowMemberships } from './reads.ts'

/** Registers the records that were read together with a record. */
export function knowBeside(call: Call, { beside, memberships = null }: ShownBeside): void {
  knowLinked(call, foundBeside(beside))
  knowMemberships(call, membershipsIn(memberships))
}

/** The build that a path names. The records shown with it are read together and registered with the call. */
export async function findShownBuild(call: Call) {
  const found = await findKept(call, 'build', call.params.build, shownBuild)
  if (!found) return
  const { jobs, stages, beside, ...build } = found
  knowBeside(call, { beside })
  knowParts(call, build.id, partsIn({ jobs, stages }))
  return build
}

/** The job that a path names. The records shown with it are read together and registered with the call. */
export async function findShownJob(call: Call) {
  const found = await findKept(call, 'job', call.params.job, shownJob)
  if (!found) return
  const { beside, memberships, ...job } = found
  knowBeside(call, { beside, memberships })
  return job
}
