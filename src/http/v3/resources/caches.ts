import path from 'node:path'
import { repositoryRights } from '../../../access/repository-rights.ts'
import type { Cache } from '../../../domain/cache.ts'
import { time } from '../../../domain/time/api-time.ts'
import { deleteCaches } from '../../../flow/repositories/delete-caches.ts'
import { cachesOf } from '../../../store/repositories/caches.ts'
import type { InRepository } from '../../core/path-id.ts'
import { actorOf } from '../../identity/actor.ts'
import { oneText } from '../../parameters/kinds.ts'
import { described, allUnlisted, ofType, type Values } from '../../parameters/parameter.ts'
import { actionsOf, del, get } from '../core/action.ts'
import { collectionOf } from '../core/collection.ts'
import { asList } from '../core/presented.ts'
import { each, resourceOf } from '../core/resource.ts'
import { oneRepository, repositoryTemplates } from '../records/one-repository.ts'

type CacheModel = InRepository<Cache>

declare module '../core/resource.ts' {
  interface Models {
    cache: CacheModel
  }
}

const minimal = ['repository_id', 'size', 'name', 'branch', 'last_modified'] as const

/** Files that jobs of a branch keep for later jobs. A cache has no path of its own. */
export const cache = resourceOf<CacheModel>()({
  type: 'cache',
  rights(viewer, { repository }) {
    const { cache_view, cache_delete } = repositoryRights(viewer, repository)
    return { read: cache_view, write: cache_delete }
  },
  permissions: ['read', 'write'],
  representations: { minimal, standard: [...minimal, 'repo'] },
  values: {
    name: each(({ object_key }) => path.posix.basename(object_key)),
    last_modified: each(({ last_modified }) => time(last_modified)),
  },
  links: { repo: { to: 'repository', read: each(({ repository }) => repository) } },
})

export const caches = collectionOf<CacheModel>()({ type: 'caches', of: cache })

/** Several values are refused, rather than treated as no filter. */
const filters = {
  branch: described('the name of a branch', oneText()),
  match: described('a part of the name of the archive file', oneText()),
}
const accepts = { ...ofType('caches', filters), ...allUnlisted(ofType('cache', filters)) }

/** The filters of a call, given under either of their names. */
const filterIn = (values: Values<typeof accepts>) => ({
  branch: values['caches.branch'] ?? values['cache.branch'],
  nameMatch: values['caches.match'] ?? values['cache.match'],
})

const template = repositoryTemplates('/caches')

export const cachesActions = actionsOf(caches, {
  find: get(template, {
    ...oneRepository,
    login: true,
    right: 'cache_view',
    docs: {
      summary:
        'the caches of a repository, which no job fills yet; needs the right to push; not paginated',
    },
    accepts,
    async act({ ctx }, repository, values): Promise<CacheModel[]> {
      const found = await cachesOf(ctx.db, repository.id, filterIn(values))
      return found.map((each) => ({ ...each, repository }))
    },
    present: asList(caches),
  }),

  delete: del(template, {
    ...oneRepository,
    login: true,
    scope: 'settings',
    right: 'cache_delete',
    docs: {
      summary:
        'deletes the caches of a repository, all or those that match, and shows them; needs the right to push',
    },
    accepts,
    async act(call, repository, values): Promise<CacheModel[]> {
      const filter = filterIn(values)
      const deleted = await deleteCaches(call.ctx, repository.id, filter, actorOf(call))
      return deleted.map((each) => ({ ...each, repository }))
    },
    present: asList(caches),
  }),
})
