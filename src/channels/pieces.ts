import { randomUUID } from 'node:crypto'
import type { LiveMessage } from '../domain/live.ts'
import type { Notice } from '../store/live/notices.ts'

type Piece = Extract<Notice, { kind: 'piece' }>

/** Bytes of a message in one notice, which has at most 7,999: in base64, with what is around it. */
const pieceBytes = 5400

/** A message in pieces that fit into notices. */
export function piecesOf(message: LiveMessage): Piece[] {
  const bytes = Buffer.from(JSON.stringify(message))
  const id = randomUUID()
  const of = Math.ceil(bytes.length / pieceBytes)
  return Array.from({ length: of }, (_, number) => {
    const piece = bytes.subarray(number * pieceBytes, (number + 1) * pieceBytes)
    return { kind: 'piece', message: id, number, of, text: piece.toString('base64') }
  })
}

/**
 * Collects pieces, and returns the message with its last piece. All pieces of a message are sent in one
 * transaction, so none of another message comes between them.
 */
export function createCollector(): (piece: Piece) => LiveMessage | undefined {
  let current = ''
  let texts: string[] = []
  return ({ message, number, of, text }) => {
    if (number === 0) {
      current = message
      texts = []
    }
    if (message !== current || number !== texts.length) return undefined
    texts.push(text)
    if (texts.length < of) return undefined
    const bytes = Buffer.concat(texts.map((each) => Buffer.from(each, 'base64')))
    texts = []
    return JSON.parse(bytes.toString()) as LiveMessage
  }
}
