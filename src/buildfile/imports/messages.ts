import type { Message } from '../messages/message.ts'
import type { Written } from './section.ts'

/** A message, but for its place. */
export type Told = Pick<Message, 'level' | 'key' | 'code' | 'args'>

export function importError(code: string, args: Record<string, unknown>): Told {
  return { level: 'error', key: ['import'], code, args }
}

export function skipped(source: string, condition: string): Told {
  return { level: 'info', key: ['import'], code: 'skip_import', args: { source, condition } }
}

export function unknownValue(key: string[], value: string): Told {
  return { level: 'error', key, code: 'unknown_value', args: { value } }
}

export function unknownVar(name: string): Told {
  return { level: 'warn', key: ['import', 'source'], code: 'unknown_var', args: { var: name } }
}

export function messageAt(
  src: string | null,
  place: Partial<Pick<Written, 'at' | 'line'>> | undefined,
  told: Told,
): Message {
  return {
    ...told,
    ...(place?.line !== undefined && { line: place.line }),
    ...(place?.at !== undefined && { at: place.at }),
    ...(src !== null && { src }),
  }
}
