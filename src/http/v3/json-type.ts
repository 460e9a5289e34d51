import type { FastifyRequest } from 'fastify'

/** JSON is labelled as plain text for clients that accept nothing else. */
export function jsonTypeFor({ headers }: FastifyRequest): string {
  return headers.accept === 'text/plain' ? 'text/plain' : 'application/json'
}

/** Spaces by which V3 indents its JSON. */
export const indent = 2
