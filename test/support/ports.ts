import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'

/**
 * A port where nothing ever listens. A free one would not do: another test may be given it in between.
 */
export const closedPort = 1

/** A free port, for a server that cannot be asked which port it took. Another test may take it first. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
