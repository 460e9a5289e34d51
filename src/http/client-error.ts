import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { crossOriginHeaders } from './cross-origin.ts'

/** Within this time a client has to have read why it was refused. */
const patience = 1000

/**
 * Answers what Node does not take for a request: its head is too long, comes too slowly or cannot be
 * read. It has no generation yet, so the answer is V2.1's.
 */
export function refuseClient(error: NodeJS.ErrnoException, socket: Socket): void {
  // The rest of what was refused is refused as well, and answered already.
  if (socket.writableEnded) return
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy(error)
    return
  }
  const { status, message } = refusalOf(error)
  const body = JSON.stringify({ error: message })
  const headers = {
    ...crossOriginHeaders,
    'cache-control': 'no-store',
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`)
  // To close at once would take the answer from a client that still sends.
  const end = setTimeout(() => socket.destroy(), patience)
  socket.once('close', () => clearTimeout(end))
}

function refusalOf({ code }: NodeJS.ErrnoException): { status: number; message: string } {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return { status: 408, message: 'the request came too slowly: send it again' }
  }
  if (code === 'HPE_HEADER_OVERFLOW') {
    const message =
      'the address and the headers are too long: together they can have 16 KiB; send parameters in ' +
      'the body, or ask for less at a time'
    return { status: 431, message }
  }
  return { status: 400, message: 'what was sent is no HTTP request that can be read' }
}
