import type { Message } from '../buildfile/messages/message.ts'

/** Codes about a key of the map that the message's path leads to. */
const aboutKeys = new Set([
  'unknown_key',
  'find_key',
  'strip_key',
  'clean_key',
  'underscore_key',
  'alias_key',
  'overwrite',
  'duplicate_key',
  'deprecated_key',
  'default',
  'required',
])

/** The path of the offending key itself, as written (D9). */
export function offendingKey({ code, key, args = {} }: Omit<Message, 'level'>): string[] {
  if (aboutKeys.has(code)) return [...key, String(args.original ?? args.alias ?? args.key)]
  return standsForSecure(code, args) && key.at(-1) === 'secure' ? key.slice(0, -1) : key
}

/** Whether a last `secure` in the path is a value's type rather than a key of that name. */
function standsForSecure(code: string, args: Record<string, unknown>): boolean {
  return code !== 'invalid_type' || args.actual === 'secure'
}
