import type { MessageLevel } from '../../domain/request/request.ts'
import type { Message } from './message.ts'

/** Maximum messages of one code: no one reads more, and each takes time to make, place and show. */
export const mostAlike = 2000

/** Replaces all further messages of a code. */
export function moreAlike(level: MessageLevel, code: string): Message {
  return { level, code: 'more_alike', key: [], args: { code, count: mostAlike } }
}
