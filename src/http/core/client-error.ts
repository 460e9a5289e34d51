import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { wrongParams } from '../../domain/errors.ts'
import { crossOriginHeaders } from '../identity/cross-origin.ts'

/** Refuses a request with several Host headers: proxies and programs disagree on which of them counts. */
export function refuseSeveralHosts(
  { raw: { rawHeaders } }: Pick<FastifyRequest, 'raw'>,
  _reply: FastifyReply,
  done: (error?: Error) => void,
): void {
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    if (rawHeaders[at]?.length === 4 && rawHeaders[at]?.toLowerCase() === 'host') hosts += 1
  }
  done(hosts > 1 ? wrongParams('the request has more than one Host header: send one') : undefined)
}

/** Milliseconds that a refused client has to read the response. */
const patience = 1000

/**
 * Responds to requests that Node rejects because their head is too long, too slow or malformed. Their
 * generation is not known yet, so the response is V2.1's.
 */
export function refuseClient(error: NodeJS.ErrnoException, socket: Socket): void {
  // The rest of a refused request fails again, but its response was sent already.
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
  // Closing immediately would discard the response if the client is still sending.
  const end = setTimeout(() => socket.destroy(), patience)
  socket.once('close', () => clearTimeout(end))
}

function refusalOf({ code }: NodeJS.ErrnoException): { status: number; message: string } {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return { status: 408, message: 'the request timed out: send it again' }
  }
  if (code === 'HPE_HEADER_OVERFLOW') {
    const message =
      'the address and the headers are too long: together they can have 16 KiB; send parameters in ' +
      'the body, or ask for less at a time'
    return { status: 431, message }
  }
  return { status: 400, message: 'malformed HTTP request' }
}
