import { buildRights } from '../../access/build-rights.ts'
import { findSeenBuild } from '../../store/seen.ts'
import type { Call } from '../endpoint.ts'
import { findRecord } from '../find-record.ts'

/** The steps shared by every V3 endpoint for one build, or for what is in it. */
export const oneBuild = {
  type: 'build',
  find: (call: Call) => findRecord(call, call.params.build, findSeenBuild),
  rights: buildRights,
}
