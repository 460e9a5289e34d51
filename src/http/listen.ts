import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { SetupError } from '../domain/errors.ts'

/** Listens and returns the port. Throws a `SetupError` when the address is not available. */
export async function listen(
  server: FastifyInstance,
  { host, port }: { host: string; port: number },
): Promise<number> {
  try {
    await server.listen({ host, port })
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    if (code === 'EADDRINUSE') {
      const remedy = 'stop the program that listens there, or set PORT to another'
      throw new SetupError(`port ${port} of ${host} is in use: ${remedy}`, { cause })
    }
    const remedy = 'set HOST and PORT to an address of this machine that this user may use'
    throw new SetupError(`${host}:${port} cannot be listened on (${code}): ${remedy}`, { cause })
  }
  return (server.server.address() as AddressInfo).port
}
