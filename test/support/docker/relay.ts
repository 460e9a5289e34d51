import { connect, createServer, type Server } from 'node:net'

/** Passes connections at this address on to a server that listens on the loopback only, at the same port. */
export async function relayTo(target: string, address: string): Promise<Server> {
  const port = Number(new URL(target).port)
  const server = createServer((socket) => {
    const other = connect(port, '127.0.0.1')
    socket.on('error', () => other.destroy())
    other.on('error', () => socket.destroy())
    socket.pipe(other).pipe(socket)
  })
  await new Promise<void>((resolve) => server.listen(port, address, resolve))
  return server
}
