import { logRights } from '../../access/build-rights.ts'
import { lastPart, wholePart } from '../../domain/log/log.ts'
import type { SeenLog } from '../../store/seen.ts'
import type { Call } from '../endpoint.ts'
import { findLog } from '../log-access.ts'
import { integer, text } from '../parameters/kinds.ts'
import { described, ofType } from '../parameters/parameter.ts'
import { anonymousLogs } from '../rates.ts'

/** The log of a job. Where the job is missing or hidden, the error names the job. */
export const oneLog = {
  type: 'log',
  logOf: 'job',
  within: { type: 'job', rights: logRights, find: (call: Call) => findLog(call, 'job') },
  find: async (_call: Call, log: SeenLog) => log,
  rights: logRights,
}

/** The parameters of all that reads a log; the token is read together with the credentials. */
export const ofLog = {
  ...ofType('log', {
    attempt: described('the number of a run of the job; without it the current one', integer()),
  }),
  'log.token': text('a token for this log, from its `@raw_log_href`, in place of a login'),
}

/** The steps shared by all that reads a log. */
export const readingLog = { ...oneLog, right: 'view_log', rate: anonymousLogs } as const

/** A number of a part or of an attempt, as far as the database has any. */
export function partNumber(given: number): number {
  return Math.max(wholePart - 1, Math.min(given, lastPart))
}
