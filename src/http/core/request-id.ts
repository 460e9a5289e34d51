import type { FastifyReply, FastifyRequest } from 'fastify'

/** Returns the id that a request came with, so that both sides can find it in their logs. */
export function echoRequestId(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  done = () => {},
): void {
  const id = headers['x-request-id']
  if (id !== undefined) reply.header('x-request-id', id)
  done()
}
