import type { DropReason } from '../../buildfile/expand/rules/drop-reason.ts'
import { sourceName } from '../../domain/request/request.ts'
import { visible } from '../../domain/text/escape-control-characters.ts'
import { quote } from '../quote.ts'
import { shownCondition } from '../secret-conditions.ts'
import { atLine, describeOrigin } from './describe-origin.ts'
import { seenText } from './seen-text.ts'

/** Why a job is left out, in a few words that are harmless on a terminal. */
export function describeDrop(why: DropReason): string {
  switch (why.kind) {
    case 'excluded':
      return `jobs.exclude ${why.entry}${atLine(why.line)} fits it`
    case 'condition':
      return failed('its condition', why)
    case 'stage':
      return failed(`the condition of its stage ${quote(why.stage)}`, why)
    case 'duplicate':
      return `it equals ${why.of.number === null ? 'one that is left out' : `job ${why.of.number}`}, from ${describeOrigin(why.of.origin)}`
    case 'replaced':
      return 'a matrix of one job gives way to jobs.include'
  }
}

type Failed = Extract<DropReason, { kind: 'condition' | 'stage' }>

function failed(what: string, { condition, line, src, saw, error }: Failed): string {
  const place = src === undefined ? atLine(line) : ` (in ${visible(sourceName(src))})`
  const text = `${what} ${visible(shownCondition(condition))}${place}`
  if (error !== null) return `${text} cannot be evaluated: ${visible(error)}`
  const seen = seenText(saw)
  return `${text} does not hold${seen === '' ? '' : `: ${seen}`}`
}
