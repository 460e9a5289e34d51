import type { MessageLevel } from '../../domain/request/request.ts'
import type { Message } from './message.ts'

/** No one reads more of one code, and each takes time to make, to place and to show. */
export const mostAlike = 2000

/** Stands for all further ones of a code. */
export function moreAlike(level: MessageLevel, code: string): Message {
  return { level, code: 'more_alike', key: [], args: { code, count: mostAlike } }
}
