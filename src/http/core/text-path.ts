import type { FastifyRequest } from 'fastify'

/** Whether a path ends in `.txt`, which requests the text of a log. */
export function isTextPath({ url }: Pick<FastifyRequest, 'url'>): boolean {
  return url.split('?', 1)[0]?.endsWith('.txt') ?? false
}
