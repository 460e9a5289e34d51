import { type IncomingMessage, type Server, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'

/** Takes over the sockets of requests for a WebSocket. */
export interface Upgrades {
  /** The status with which a request is refused, or undefined when it can be accepted. */
  refusalOf(request: IncomingMessage): number | undefined
  accept(request: IncomingMessage, socket: Socket, head: Buffer): void
}

/**
 * Has an HTTP server hand over its requests for a WebSocket, before its routes. Refusals are responses to
 * the request: clients then wait for longer and longer, which they do after no code of a close.
 */
export function takeUpgrades(server: Server, { refusalOf, accept }: Upgrades): void {
  server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    // Without a listener, a reset would end the process.
    socket.on('error', () => socket.destroy())
    // The routes refuse a request with several Host headers.
    const hosts = request.headersDistinct.host?.length ?? 0
    if (request.headers.upgrade?.toLowerCase() !== 'websocket' || hosts > 1) {
      return serveWithoutUpgrade(server, request, socket, head)
    }
    const refused = refusalOf(request)
    if (refused === undefined) accept(request, socket, head)
    else refuse(socket, refused)
  })
}

function refuse(socket: Socket, status: number): void {
  socket.end(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
      'Connection: close',
      'Content-Length: 0',
      ...(status === 503 ? ['Retry-After: 15'] : []),
      '',
      '',
    ].join('\r\n'),
    () => socket.destroy(),
  )
}

/**
 * Serves a request that offers another protocol, as Java's client offers HTTP/2 with each call, like any
 * other: the offer may be ignored. Node hands over the bare socket as soon as anyone takes upgrades, so the
 * request is read again, without the offer.
 */
function serveWithoutUpgrade(
  server: Server,
  { method, url, httpVersion, rawHeaders }: IncomingMessage,
  socket: Socket,
  head: Buffer,
): void {
  const lines = [`${method} ${url} HTTP/${httpVersion}`]
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? ''
    if (!/^(?:upgrade|connection|http2-settings)$/i.test(name)) {
      lines.push(`${name}: ${rawHeaders[index + 1]}`)
    }
  }
  const request = Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1')
  socket.removeAllListeners('error')
  socket.unshift(Buffer.concat([request, head]))
  server.emit('connection', socket)
}
