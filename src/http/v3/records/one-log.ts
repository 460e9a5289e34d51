import { logRights } from '../../../access/build-rights.ts'
import { lastPart, wholePart } from '../../../domain/log/log.ts'
import type { SeenLog } from '../../../store/repositories/repository-access.ts'
import type { Call } from '../../core/endpoint.ts'
import { findLog } from '../../identity/log-access.ts'
import { anonymousLogs } from '../../identity/rate-limits.ts'
import { integer, text } from '../../parameters/kinds.ts'
import { described, ofType } from '../../parameters/parameter.ts'
import { isComplete } from '../../views/log-pages.ts'

/** The log of a job. Where the job is missing or hidden, the error names the job. */
export const oneLog = {
  type: 'log',
  logOf: 'job',
  within: { type: 'job', rights: logRights, find: (call: Call) => findLog(call, 'job') },
  find: async (_call: Call, log: SeenLog) => log,
  rights: logRights,
}

/** The parameters of endpoints that read a log; the token is read together with the credentials. */
export const ofLog = {
  ...ofType('log', {
    attempt: described('the number of a run of the job; without it the current one', integer()),
  }),
  'log.token': text('a token for this log, from its `@raw_log_href`, instead of a login'),
}

/** The steps shared by endpoints that read a log. */
export const readingLog = { ...oneLog, right: 'view_log', rate: anonymousLogs } as const

/** Whether the log of an attempt can still grow. */
export function growsIn(log: SeenLog, { attempt }: { attempt: number }): boolean {
  return attempt === log.attempt && !isComplete(log)
}

/** The number of a part or attempt, limited to the numbers that the database can hold. */
export function partNumber(given: number): number {
  return Math.max(wholePart - 1, Math.min(given, lastPart))
}
