import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type NetConnectOpts, type Socket } from 'node:net'

export interface SwallowingProxy {
  port: number
  /** From now on nothing passes on the connections there are, and no one is told; new ones work. */
  swallow(): void
  close(): Promise<void>
}

/**
 * A server between a client and another server, on this machine. `filter` makes, for each connection, what changes
 * the bytes for the client.
 */
export async function swallowingProxy(
  to: NetConnectOpts,
  filter = () => (data: Buffer) => data,
): Promise<SwallowingProxy> {
  const sockets = new Set<Socket>()
  const server = createServer((near) => {
    const far = connect(to)
    for (const [socket, other, change] of [
      [near, far, (data: Buffer) => data],
      [far, near, filter()],
    ] as const) {
      sockets.add(socket)
      socket.on('data', (data) => other.write(change(data)))
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        other.destroy()
      })
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    swallow() {
      for (const socket of sockets) socket.removeAllListeners('data').on('data', () => {})
    },
    async close() {
      server.close()
      for (const socket of sockets) socket.destroy()
      await once(server, 'close')
    },
  }
}
