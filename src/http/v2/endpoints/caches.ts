import type { Cache } from '../../../domain/cache.ts'
import { time } from '../../../domain/time/api-time.ts'
import { deleteCaches } from '../../../flow/repositories/delete-caches.ts'
import { cachesOf } from '../../../store/repositories/caches.ts'
import { del, get } from '../../core/endpoint.ts'
import { actorOf } from '../../identity/actor.ts'
import { oneText } from '../../parameters/kinds.ts'
import { oneRepository, repositoryPaths } from '../one-repository.ts'
import { answers } from '../openapi/answers.ts'
import { refusals } from '../refusals.ts'

/** The steps shared by reading and deleting caches. */
const caches = {
  ...oneRepository,
  login: true,
  accepts: { branch: oneText(), match: oneText() },
  refused: { status: 403 as const, answer: refusals.forbiddenEmpty },
}

export const cacheEndpoints = [
  get(repositoryPaths('/caches'), {
    ...caches,
    right: 'cache_view',
    docs: {
      summary: 'the caches of a repository; needs the right to push',
      schema: answers.caches,
    },
    act: ({ ctx }, { id }, filter) => cachesOf(ctx.db, id, filter),
    present: (found) => presentCaches(found),
  }),

  del(repositoryPaths('/caches'), {
    ...caches,
    right: 'cache_delete',
    scope: 'settings',
    docs: {
      summary: 'deletes caches, and returns them; needs the right to push',
      schema: answers.caches,
    },
    act: (call, { id }, filter) => deleteCaches(call.ctx, id, filter, actorOf(call)),
    present: (found) => presentCaches(found),
  }),
]

function presentCaches(caches: readonly Cache[]) {
  return { caches: caches.map(presentCache) }
}

function presentCache({ repository_id, size, slug, branch, last_modified }: Cache) {
  return { repository_id, size, slug, branch, last_modified: time(last_modified) }
}
