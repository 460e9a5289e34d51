import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { SetupError } from '../../domain/errors.ts'

interface Address {
  host: string
  port: number
}

/**
 * Listens and returns the port. Throws a `SetupError` when the address is not available; `setting` is what
 * names it, if not HOST and PORT.
 */
export async function listen(
  server: FastifyInstance,
  address: Address,
  setting?: string,
): Promise<number> {
  const { host, port } = address
  try {
    await server.listen({ host, port })
  } catch (cause) {
    throw unavailable(address, cause, setting)
  }
  return (server.server.address() as AddressInfo).port
}

/** Throws the error that `listen` would throw now, before anything is set up. */
export async function checkAddress(address: Address): Promise<void> {
  const { host, port } = address
  const server = createServer()
  try {
    server.listen({ host, port })
    await once(server, 'listening')
  } catch (cause) {
    throw unavailable(address, cause)
  }
  server.close()
  await once(server, 'close')
}

function unavailable({ host, port }: Address, cause: unknown, setting?: string): SetupError {
  const { code } = cause as NodeJS.ErrnoException
  if (code === 'EADDRINUSE') {
    const other = setting === undefined ? 'or set PORT to another' : `or set ${setting} to another`
    const remedy = `stop the program that listens there, ${other}`
    return new SetupError(`port ${port} of ${host} is in use: ${remedy}`, { cause })
  }
  const remedy = `set ${setting ?? 'HOST and PORT'} to an address of this machine that this user may use`
  return new SetupError(`${host}:${port} cannot be used (${code}): ${remedy}`, { cause })
}
