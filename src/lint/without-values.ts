import type { Message } from '../buildfile/messages/message.ts'
import { isSecureKey, namesSecret } from '../buildfile/schema/secret-keys.ts'
import { secretVariableIn } from './secret-conditions.ts'

/** Codes whose arguments repeat the value at their path; the arguments of other codes are names of keys. */
const aboutValues = new Set([
  ...['unexpected_seq', 'invalid_type', 'unknown_value', 'invalid_format', 'find_value'],
  ...['clean_value', 'alias_value', 'downcase', 'deprecated_value', 'duplicate'],
])

/** Replacement for a secret in texts. */
const hidden = '[secure]'

/** Whether a message is about a value that may be a secret, judged by the keys that lead to it. */
export function isAboutSecret({ code, key }: Pick<Message, 'code' | 'key'>): boolean {
  if (!aboutValues.has(code)) return false
  // The schema has no secret keys at the root, but some root keys have the name of a section's secret key.
  const last = key.length > 1 ? key.at(-1) : undefined
  return key.some(namesSecret) || (last !== undefined && isSecureKey(last))
}

/** The arguments of a message for display, without possible secrets. */
export function shownArgs(message: Message): Readonly<Record<string, unknown>> {
  const { args = {} } = message
  const shown = isAboutSecret(message) ? withoutValues(args) : args
  const { condition } = shown
  const found = typeof condition === 'string' ? secretVariableIn(condition) : undefined
  // The error message repeats a part of the condition.
  return found ? { ...shown, condition: `${found[0]} …`, message: undefined } : shown
}

function withoutValues(args: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const names = ['value', 'values', 'original', 'alias'].filter((name) => isPlain(args[name]))
  return { ...args, ...Object.fromEntries(names.map((name) => [name, hidden])) }
}

function isPlain(value: unknown): boolean {
  return ['string', 'number', 'boolean'].includes(typeof value) || Array.isArray(value)
}
