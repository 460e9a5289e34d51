import { cronRights } from '../../access/cron-rights.ts'
import { isBranchVisible } from '../../store/branches.ts'
import { findSeenCron } from '../../store/seen.ts'
import type { Call } from '../endpoint.ts'
import { findRecord } from '../find-record.ts'

/** The steps shared by all that is done to one cron: it is as visible as its branch. */
export const oneCron = {
  type: 'cron',
  async find(call: Call) {
    const found = await findRecord(call, call.params.cron, findSeenCron)
    const isSeen = found && (await isBranchVisible(call.ctx.db, found.repository, found.branch))
    return isSeen ? found : undefined
  },
  rights: cronRights,
}
