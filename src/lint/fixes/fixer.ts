import type { Message } from '../../buildfile/messages/message.ts'
import type { Context } from '../context/context.ts'
import type { Mend } from '../rules/rule.ts'

/** The mend of a message of the reader, where there is one that leaves nothing to decide. */
export type Mending = (message: Message, context: Context) => Mend | undefined
