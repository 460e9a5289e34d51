import type { Message } from '../../buildfile/messages/message.ts'
import type { Context } from '../context/context.ts'
import type { ProposedFix } from '../rules/rule.ts'

/** Returns the fix for a message, where there is one that leaves nothing to decide. */
export type Fixer = (message: Message, context: Context) => ProposedFix | undefined
