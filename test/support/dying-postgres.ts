import { once } from 'node:events'
import { createServer, type ListenOptions, type Server } from 'node:net'

/** A message of the server: its type, its length and its content. */
function message(type: string, content: string): Buffer {
  const head = Buffer.alloc(5)
  head.write(type)
  head.writeInt32BE(4 + Buffer.byteLength(content), 1)
  return Buffer.concat([head, Buffer.from(content)])
}

const ready = Buffer.concat([message('R', '\0\0\0\0'), message('Z', 'I')])
const shutDown = message(
  'E',
  'SFATAL\0VFATAL\0C57P01\0Mterminating connection due to administrator command\0\0',
)

/** A PostgreSQL that lets in anyone who comes, and at once drops them, as one that is being stopped. */
export async function dyingPostgres(at: ListenOptions): Promise<Server> {
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', () => {
      socket.write(ready)
      setImmediate(() => socket.end(shutDown))
    })
  }).listen(at)
  await once(server, 'listening')
  return server
}
