import { partsIn } from '../../store/build-parts.ts'
import { foundBeside } from '../../store/linked-records.ts'
import { membershipsIn } from '../../store/owners.ts'
import { type ShownBeside, shownBuild, shownJob } from '../../store/shown-records.ts'
import type { Call } from '../endpoint.ts'
import { findRecord } from '../find-record.ts'
import { knowParts } from './build-parts.ts'
import { knowLinked } from './linked.ts'
import { knowMemberships } from './reads.ts'

/** Tells a call what was read beside a record. */
export function knowBeside(call: Call, { beside, memberships = null }: ShownBeside): void {
  knowLinked(call, foundBeside(beside))
  knowMemberships(call, membershipsIn(memberships))
}

/** The build that a path names, with all that it is shown with, which need not be read again. */
export async function findShownBuild(call: Call) {
  const found = await findRecord(call, call.params.build, shownBuild)
  if (!found) return
  const { jobs, stages, beside, ...build } = found
  knowBeside(call, { beside })
  knowParts(call, build.id, partsIn({ jobs, stages }))
  return build
}

/** The same of a job. */
export async function findShownJob(call: Call) {
  const found = await findRecord(call, call.params.job, shownJob)
  if (!found) return
  const { beside, memberships, ...job } = found
  knowBeside(call, { beside, memberships })
  return job
}
