import type { FastifyRequest } from 'fastify'
import { isTextPath } from '../text-path.ts'

/** JSON is labelled as plain text for clients that accept nothing else, and errors of paths to texts. */
export function jsonTypeFor(request: FastifyRequest): string {
  const { accept } = request.headers
  return accept === 'text/plain' || isTextPath(request) ? 'text/plain' : 'application/json'
}

/** Spaces by which V3 indents its JSON. */
export const indent = 2
