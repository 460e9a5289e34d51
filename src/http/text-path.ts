import type { FastifyRequest } from 'fastify'

/** Whether a path ends in `.txt`, by which it asks for the text of a log. */
export function isTextPath({ routeOptions }: Pick<FastifyRequest, 'routeOptions'>): boolean {
  return routeOptions.url?.endsWith('.txt') ?? false
}
