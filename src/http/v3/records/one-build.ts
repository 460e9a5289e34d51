import { buildRights, jobRights } from '../../../access/build-rights.ts'
import { findSeenBuild, findSeenJob } from '../../../store/repositories/repository-access.ts'
import type { Call } from '../../core/endpoint.ts'
import { findKept } from '../../core/path-id.ts'

/** The steps shared by every V3 endpoint for one build or its parts. */
export const oneBuild = {
  type: 'build',
  find: (call: Call) => findKept(call, 'build', call.params.build, findSeenBuild),
  rights: buildRights,
}

/** The steps shared by every V3 endpoint for one job or its parts. */
export const oneJob = {
  type: 'job',
  find: (call: Call) => findKept(call, 'job', call.params.job, findSeenJob),
  rights: jobRights,
}
