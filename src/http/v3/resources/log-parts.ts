import { wrongParams } from '../../../domain/errors.ts'
import type { LogPart } from '../../../domain/log/log.ts'
import { readLog } from '../../../store/logs.ts'
import { json, stream } from '../../answer.ts'
import { refusalOfAttempt } from '../../log-access.ts'
import { beginReading, type Pages, type ReadLog } from '../../log-pages.ts'
import { filterFlag, flag, integer, list } from '../../parameters/kinds.ts'
import { described, ofType } from '../../parameters/parameter.ts'
import { actionsOf, get } from '../action.ts'
import { ofLog, partNumber, readingLog } from '../one-log.ts'
import { showing } from '../presented.ts'
import { begun, lastList } from '../streamed-json.ts'

/** What a part shows: all of it, or all but its text. */
type Shown = (part: LogPart) => object

const around = { '@type': 'log_parts', '@representation': 'standard' }

function present({ read, show }: { read: ReadLog; show: Shown }) {
  if ('whole' in read) return json({ ...around, log_parts: read.whole.map(show) })
  return stream(written(read.pages, show), 'application/json')
}

async function* written(pages: Pages, show: Shown) {
  yield begun(around)
  yield* lastList('log_parts', pages, show)
}

function numbersIn(given: readonly string[] | undefined): number[] | undefined {
  return given?.map((text) => {
    if (!/^\d+$/.test(text)) throw wrongParams('part_numbers must be integers')
    return partNumber(Number(text))
  })
}

/** Whether all these parts were read; a log that goes on being read is longer than any such list. */
function hasAll(read: ReadLog, numbers: readonly number[]): boolean {
  if ('pages' in read) return true
  const known = new Set(read.whole.map(({ number }) => number))
  return numbers.every((number) => known.has(number))
}

/** The parts of a log, as clients follow it. They are no resources of their own. */
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
            'whether no part is listed until there are all of `part_numbers`',
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
        const pages = readLog(call.ctx.db, found.id, {
          attempt: attempt ?? found.attempt,
          after: after === undefined ? undefined : partNumber(after),
          numbers,
        })
        const read = await beginReading(pages)
        const show: Shown = ({ number, content: text, final }) =>
          content === false ? { number, final } : { number, content: text, final }
        // Of parts that all are needed there are none until all are there.
        const isAllOrNone = values['log_parts.require_all']
        const isShort = isAllOrNone && numbers !== undefined && !hasAll(read, numbers)
        return { read: isShort ? { whole: [] } : read, show }
      },
      present: showing([], present),
    }),
  },
)
