import type { FastifyRequest } from 'fastify'

/** JSON goes by the name of plain text to those who want nothing else. */
export function jsonTypeFor({ headers }: FastifyRequest): string {
  return headers.accept === 'text/plain' ? 'text/plain' : 'application/json'
}
