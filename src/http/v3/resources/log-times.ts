import { logRights } from '../../../access/build-rights.ts'
import { type LogTimes, timesOfLog } from '../../../store/jobs/log-times.ts'
import type { SeenLog } from '../../../store/repositories/repository-access.ts'
import { refusalOfAttempt } from '../../identity/log-access.ts'
import { integer, listOf, objectOf, timeOrNull } from '../../openapi/schema.ts'
import { actionsOf, get } from '../core/action.ts'
import { as } from '../core/presented.ts'
import { each, resourceOf } from '../core/resource.ts'
import { ofLog, partNumber, readingLog } from '../records/one-log.ts'

/** When the lines of one attempt's log came. */
type LogTimesModel = SeenLog & { number: number } & LogTimes

declare module '../core/resource.ts' {
  interface Models {
    log_times: LogTimesModel
  }
}

const attributes = ['attempt', 'begun_at', 'lines'] as const

export const logTimes = resourceOf<LogTimesModel>()({
  type: 'log_times',
  href: ({ id }) => `/job/${id}/log/times`,
  rights: logRights,
  permissions: ['read', 'write', 'cancel', 'restart', 'debug', 'delete_log', 'view_log'],
  representations: { minimal: attributes, standard: attributes },
  values: {
    attempt: each(({ number }) => number),
    begun_at: each(({ begun_at }) => begun_at && new Date(begun_at)),
    lines: each(({ lines }) => lines),
  },
  types: {
    attempt: integer,
    begun_at: timeOrNull,
    lines: listOf(objectOf({ line: integer, seconds: integer })),
  },
})

export const logTimesActions = actionsOf(logTimes, {
  find: get('/job/{job.id}/log/times', {
    ...readingLog,
    docs: {
      summary:
        'the times of the lines of a log: seconds since the first output, one entry for each second; hidden like the log',
      fails: ['log_access_denied', 'log_expired'],
    },
    accepts: ofLog,
    async act(call, found, { 'log.attempt': given }) {
      const number = given === undefined ? found.attempt : partNumber(given)
      const refusal = await refusalOfAttempt(call, found, given === undefined ? undefined : number)
      if (refusal) throw refusal
      return { ...found, number, ...(await timesOfLog(call.ctx.db, found.id, number)) }
    },
    present: as('standard', logTimes),
  }),
})
