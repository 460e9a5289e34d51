import type { FastifyRequest } from 'fastify'
import type { Viewer } from '../access/viewer.ts'
import { wrongCredentials } from '../domain/errors.ts'
import { useToken } from '../flow/use-token.ts'
import type { HttpContext } from './context.ts'
import type { Endpoint } from './endpoint.ts'
import type { Given } from './parameters/nest.ts'

/**
 * The viewer that the token for feeds in the address of a call stands for, where the endpoint is a feed:
 * readers of feeds cannot send headers. It opens nothing else. Throws for one that is none.
 */
export async function feedViewer(
  ctx: HttpContext,
  { query, headers }: Pick<FastifyRequest, 'query' | 'headers'>,
  { feed }: Pick<Endpoint, 'feed'>,
): Promise<Viewer | undefined> {
  const { token = '' } = query as Given
  if (!feed || token === '' || headers.authorization !== undefined) return
  const viewer = typeof token === 'string' ? await useToken(ctx, token, 'feed') : undefined
  if (!viewer) throw wrongCredentials()
  return { ...viewer, ...(ctx.site.publicMode ? {} : { closed: true }) }
}
