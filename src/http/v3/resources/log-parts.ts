import { wrongParams } from '../../../domain/errors.ts'
import { type LogPart, wholePart } from '../../../domain/log/log.ts'
import { readLog } from '../../../flow/logs/read-log.ts'
import { json, stream } from '../../core/answer.ts'
import { refusalOfAttempt } from '../../identity/log-access.ts'
import { filterFlag, flag, integer, list } from '../../parameters/kinds.ts'
import { described, ofType } from '../../parameters/parameter.ts'
import {
  beginReading,
  type Pages,
  type ReadLog,
  textOf,
  textsOf,
  wholeOf,
} from '../../views/log-pages.ts'
import { actionsOf, get } from '../core/action.ts'
import { showing } from '../core/presented.ts'
import { begun, lastEntry, lastList } from '../core/streamed-json.ts'
import { growsIn, ofLog, partNumber, readingLog } from '../records/one-log.ts'

/** Presents a part: all of it, or all except its text. */
type Shown = (part: LogPart) => object

const around = { '@type': 'log_parts', '@representation': 'standard' }

interface ShownParts {
  read: ReadLog
  /** Whether the parts are joined into one. */
  isJoined: boolean
  show: Shown
}

function present({ read, isJoined, show }: ShownParts) {
  if ('whole' in read) {
    const parts = isJoined ? [wholeOf(textOf(read.whole))] : read.whole
    return json({ ...around, log_parts: parts.map(show) })
  }
  return stream(written(read.pages, { isJoined, show }), 'application/json')
}

async function* written(pages: Pages, { isJoined, show }: Omit<ShownParts, 'read'>) {
  yield begun(around)
  yield* isJoined
    ? lastEntry('log_parts', wholeOf(''), textsOf(pages))
    : lastList('log_parts', pages, show)
}

function numbersIn(given: readonly string[] | undefined): number[] | undefined {
  return given?.map((text) => {
    if (!/^\d+$/.test(text)) throw wrongParams('part_numbers must be integers')
    return partNumber(Number(text))
  })
}

/** Whether all these parts were read; a log that is read in pages is longer than any such list. */
function hasAll(read: ReadLog, numbers: readonly number[]): boolean {
  if ('pages' in read) return true
  const known = new Set(read.whole.map(({ number }) => number))
  return numbers.every((number) => known.has(number))
}

/** The parts of a log, for clients that follow it. Parts are not resources of their own. */
export const logPartsActions = actionsOf(
  { type: 'log_parts' },
  {
    find: get('/job/{job.id}/log_parts', {
      ...readingLog,
      docs: {
        summary:
          'the numbered parts of a log, to follow it while a job runs; hidden like the log; not paginated',
        fails: ['log_access_denied', 'log_expired'],
      },
      accepts: {
        ...ofType('log_parts', {
          after: described('the number of a part: only later ones are listed', integer()),
          part_numbers: described('numbers of the parts that are listed', list()),
          content: described('false to leave out the text of each part', filterFlag()),
          require_all: described(
            'true to list parts only once all of `part_numbers` exist',
            flag(),
          ),
        }),
        ...ofLog,
      },
      async act(call, found, values) {
        const { 'log_parts.after': after, 'log_parts.content': content } = values
        const given = values['log.attempt']
        const attempt = given === undefined ? undefined : partNumber(given)
        const refusal = await refusalOfAttempt(call, found, attempt)
        if (refusal) throw refusal
        const numbers = numbersIn(values['log_parts.part_numbers'])
        const wanted = { attempt: attempt ?? found.attempt }
        const wantsWhole = after === undefined && (numbers?.includes(wholePart) ?? true)
        const isJoined = wantsWhole && !growsIn(found, wanted)
        if (isJoined && content === false) {
          const { number, final } = wholeOf('')
          return { read: { whole: [] }, isJoined, show: () => ({ number, final }) }
        }
        const pages = readLog(call.ctx, found.id, {
          ...wanted,
          after: after === undefined ? undefined : partNumber(after),
          numbers: isJoined ? undefined : numbers,
          joined: isJoined,
        })
        const read = await beginReading(pages)
        const show: Shown = ({ number, content: text, final }) =>
          content === false ? { number, final } : { number, content: text, final }
        // If all parts are required, none is shown until all exist.
        const isAllOrNone = values['log_parts.require_all']
        const isShort = isAllOrNone && !isJoined && numbers !== undefined && !hasAll(read, numbers)
        return { read: isShort ? { whole: [] } : read, isJoined, show }
      },
      present: showing([], present),
    }),
  },
)
