import type { Message } from '../messages/message.ts'
import type { WrittenText } from './section.ts'

/** A message, but for its location. */
export type MessageBody = Pick<Message, 'level' | 'key' | 'code' | 'args'>

export function importError(code: string, args: Record<string, unknown>): MessageBody {
  return { level: 'error', key: ['import'], code, args }
}

export function skipped(source: string, condition: string): MessageBody {
  return { level: 'info', key: ['import'], code: 'skip_import', args: { source, condition } }
}

export function unknownValue(key: string[], value: string): MessageBody {
  return { level: 'error', key, code: 'unknown_value', args: { value } }
}

export function unknownVar(name: string): MessageBody {
  return { level: 'warn', key: ['import', 'source'], code: 'unknown_var', args: { var: name } }
}

export function messageAt(
  src: string | null,
  location: Partial<Pick<WrittenText, 'at' | 'line'>> | undefined,
  body: MessageBody,
): Message {
  return {
    ...body,
    ...(location?.line !== undefined && { line: location.line }),
    ...(location?.at !== undefined && { at: location.at }),
    ...(src !== null && { src }),
  }
}
