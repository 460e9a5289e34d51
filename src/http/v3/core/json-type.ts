import type { FastifyRequest } from 'fastify'
import { isTextPath } from '../../core/text-path.ts'

/** The type of JSON: plain text for clients that accept nothing else and for errors at `.txt` paths. */
export function jsonTypeFor(request: FastifyRequest): string {
  const { accept } = request.headers
  return accept === 'text/plain' || isTextPath(request) ? 'text/plain' : 'application/json'
}

/** Spaces by which V3 indents its JSON. */
export const indent = 2
