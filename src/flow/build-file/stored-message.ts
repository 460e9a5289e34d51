import type { Message } from '../../buildfile/messages/message.ts'
import type { PreparedText } from '../../buildfile/prepared-text.ts'
import type { RequestMessage } from '../../domain/request/request.ts'
import { messageText } from '../../lint/message-text.ts'

export type NewMessage = Omit<RequestMessage, 'id' | 'request_id'>

/** The file that a message is about; undefined if only its name is known. */
export type FileOf = (src: string | undefined) => PreparedText | undefined

/** A message as stored with its request, located in the file as written (D30). */
export function storedMessage(message: Message, file: string, fileOf: FileOf): NewMessage {
  const { level, key, code, args = {}, src } = message
  const text = messageText(message)
  return { level, key, code, args, text, src: src ?? file, ...locationOf(message, fileOf) }
}

function locationOf(
  { at, line, src }: Message,
  fileOf: FileOf,
): Pick<NewMessage, 'line' | 'column'> {
  const prepared = fileOf(src)
  if (!prepared) return { line: line === undefined ? null : line + 1, column: null }
  if (!at || at.start < 0) return { line: null, column: null }
  const written = prepared.written(at.start)
  return { line: written.line, column: written.column }
}
