import { jobRights } from '../../access/build-rights.ts'
import { findSeenJob } from '../../store/seen.ts'
import type { Call } from '../endpoint.ts'
import { findRecord } from '../find-record.ts'

/** The steps shared by every V3 endpoint for one job, or for what is in it. */
export const oneJob = {
  type: 'job',
  find: (call: Call) => findRecord(call, call.params.job, findSeenJob),
  rights: jobRights,
}
