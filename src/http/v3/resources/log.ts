import { logRights } from '../../../access/build-rights.ts'
import { stateConflict } from '../../../domain/errors.ts'
import { isFinished } from '../../../domain/job/job.ts'
import type { LogPart } from '../../../domain/log/log.ts'
import { removeLog } from '../../../flow/jobs/logs.ts'
import { readLog } from '../../../flow/logs/read-log.ts'
import { sizeOfLog } from '../../../store/jobs/logs.ts'
import type { SeenLog } from '../../../store/repositories/repository-access.ts'
import { textType } from '../../core/answer.ts'
import type { Call } from '../../core/endpoint.ts'
import { prefixOf } from '../../core/prefix.ts'
import { isTextPath } from '../../core/text-path.ts'
import { actorOf } from '../../identity/actor.ts'
import { refusalOfAttempt } from '../../identity/log-access.ts'
import { logTokenFor } from '../../identity/log-token.ts'
import { oneStoredText } from '../../parameters/kinds.ts'
import { described, ofType } from '../../parameters/parameter.ts'
import {
  beginReading,
  type Pages,
  type ReadLog,
  textOf,
  textsOf,
  wholeOf,
} from '../../views/log-pages.ts'
import { type LogText, measureText, textAnswer } from '../../views/log-text.ts'
import { actionsOf, del, get } from '../core/action.ts'
import { as, presented, showing } from '../core/presented.ts'
import { each, resourceOf } from '../core/resource.ts'
import { beforeMember, begun, lastEntry, lastList } from '../core/streamed-json.ts'
import { growsIn, ofLog, oneLog, partNumber, readingLog } from '../records/one-log.ts'

/** A log with its parts, and the path of its text. */
type LogModel = SeenLog & { parts: readonly LogPart[]; raw_log_href: string }

declare module '../core/resource.ts' {
  interface Models {
    log: LogModel
  }
}

export const log = resourceOf<LogModel>()({
  type: 'log',
  href: ({ id }) => `/job/${id}/log`,
  rights: logRights,
  permissions: ['read', 'write', 'cancel', 'restart', 'debug', 'delete_log', 'view_log'],
  representations: { minimal: ['id'], standard: ['id', 'content', 'log_parts', '@raw_log_href'] },
  values: {
    content: each(({ parts }) => textOf(parts)),
    log_parts: each(({ parts }) => parts),
    '@raw_log_href': each(({ raw_log_href }) => raw_log_href),
  },
})

function modelOf(call: Call, found: SeenLog, parts: readonly LogPart[]): LogModel {
  const token = logTokenFor(call, found)
  const query = token === undefined ? '' : `?log.token=${encodeURIComponent(token)}`
  const raw_log_href = `${prefixOf(call.ctx.site, call.request.raw)}/v3/job/${found.id}/log.txt${query}`
  return { ...found, parts, raw_log_href }
}

const shown = (model: LogModel) => presented('standard', log, model)

type Read = { found: SeenLog; grows: boolean } & (
  | { text: LogText }
  | {
      read: ReadLog
      /** Reads the parts again. */
      again(): Pages
    }
)

const asksForText = ({ request }: Call) =>
  isTextPath(request) || request.headers.accept === 'text/plain'

function presentRead(shownRead: Read, call: Call) {
  if ('text' in shownRead) return asText(shownRead, call)
  const { found, read, grows, again } = shownRead
  if ('whole' in read) {
    const parts = grows ? read.whole : [wholeOf(textOf(read.whole))]
    return shown(modelOf(call, found, parts))
  }
  const parts = () =>
    grows
      ? lastList('log_parts', again(), (part) => part)
      : lastEntry('log_parts', wholeOf(''), textsOf(again()))
  return {
    ...shown(modelOf(call, found, [])),
    write: (rendered: object) => written(rendered, read.pages, parts),
  }
}

function asText({ text, grows }: { text: LogText; grows: boolean }, { request }: Call) {
  const headers: Record<string, string> = {
    'x-content-type-options': 'nosniff',
    ...(isTextPath(request) ? { 'x-robots-tag': 'noindex, noarchive, nosnippet' } : {}),
  }
  return textAnswer(request, text, { headers, grows })
}

/** A rendered log, completed from pages of parts: first the text of all parts, then the parts. */
async function* written(
  rendered: object,
  pages: Pages,
  parts: () => AsyncGenerator<string>,
): AsyncGenerator<string> {
  yield begun({ ...rendered, content: undefined, log_parts: undefined })
  yield `,${beforeMember}"content": "`
  for await (const piece of textsOf(pages)) yield JSON.stringify(piece).slice(1, -1)
  yield '"'
  yield* parts()
}

export const logActions = actionsOf(log, {
  find: get(['/job/{job.id}/log', '/job/{job.id}/log.txt'], {
    ...readingLog,
    docs: {
      summary:
        'the log of a job, as JSON or as text; repository settings can hide old logs, or all logs from users without push access',
      types: ['application/json', textType],
      fails: ['log_access_denied', 'log_expired'],
    },
    accepts: ofLog,
    async act(call, found, { 'log.attempt': given }): Promise<Read> {
      const attempt = given === undefined ? undefined : partNumber(given)
      const refusal = await refusalOfAttempt(call, found, attempt)
      if (refusal) throw refusal
      const wanted = { attempt: attempt ?? found.attempt }
      const grows = growsIn(found, wanted)
      const again = () => readLog(call.ctx, found.id, { ...wanted, joined: !grows })
      const read = await beginReading(again())
      if (!asksForText(call)) return { found, read, grows, again }
      const size = () => sizeOfLog(call.ctx.db, found.id, wanted.attempt)
      return { found, text: await measureText(read, size), grows }
    },
    present: showing([{ resource: log, representation: 'standard' }], presentRead),
  }),
  delete: del('/job/{job.id}/log', {
    ...oneLog,
    login: true,
    scope: 'settings',
    right: 'delete_log',
    async conflict(_call, found) {
      if (!isFinished(found)) return stateConflict('job_unfinished', found)
      return found.removed_at ? stateConflict('log_already_removed', found) : undefined
    },
    accepts: ofType('log', {
      reason: described('the reason, for the note that replaces the log', oneStoredText()),
    }),
    async act(call, found, { 'log.reason': reason }) {
      const removed = await removeLog(call.ctx, actorOf(call), found, reason)
      return modelOf(call, found, [wholeOf(removed.text)])
    },
    docs: {
      summary:
        'removes the logs of a finished job and its earlier attempts, and leaves a note with the user’s name; needs the right to push',
      fails: ['job_unfinished', 'log_already_removed'],
    },
    present: as('standard', log),
  }),
})
