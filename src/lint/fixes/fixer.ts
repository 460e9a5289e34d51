import type { Message } from '../../buildfile/messages/message.ts'
import type { LintContext } from '../context/context.ts'
import type { ProposedFix } from '../rules/rule.ts'

/** Returns the fix for a message, if there is one that needs no decision. */
export type Fixer = (message: Message, context: LintContext) => ProposedFix | undefined
