import type { DroppedJob } from '../../buildfile/expand/plan.ts'
import { seenText } from '../../lint/jobs/seen-text.ts'
import type { NewMessage } from './stored-message.ts'

/** Adds to the message of a left-out job or stage its condition's location and the values that it used. */
export function withFindings(message: NewMessage, dropped: readonly DroppedJob[]): NewMessage {
  const kind = kinds[message.code]
  if (kind === undefined) return message
  const { condition, number } = message.args
  const found = dropped
    .map(({ why }) => why)
    .find(
      (why) =>
        why.kind === kind &&
        why.condition === condition &&
        (why.kind !== 'stage' || why.entry === number),
    )
  if (!found || (found.kind !== 'condition' && found.kind !== 'stage')) return message
  const { src = message.src, line } = found
  // The error of an unreadable condition has a message of its own.
  if (found.error !== null) return { ...message, src, line: message.line ?? line }
  const seen = seenText(found.saw)
  return { ...message, text: seen === '' ? message.text : `${message.text}: ${seen}`, src, line }
}

const kinds: Readonly<Record<string, 'condition' | 'stage'>> = {
  skip_job: 'condition',
  skip_stage: 'stage',
}
