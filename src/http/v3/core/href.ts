import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import type { Site } from '../../core/context.ts'
import { prefixOf } from '../../core/prefix.ts'

/** Requests whose path began with `/v3`, so that the paths in their responses also begin with it. */
const byPath = new WeakSet<IncomingMessage>()

export function markByPath(raw: IncomingMessage): void {
  byPath.add(raw)
}

export function hrefOf(site: Site, { raw }: Pick<FastifyRequest, 'raw'>, path: string): string {
  return `${prefixOf(site, raw)}${byPath.has(raw) ? '/v3' : ''}${path}`
}
