import { listViewer } from '../../../access/viewer.ts'
import {
  hiddenRepositorySortKeys,
  repositoriesOfMember,
  repositoriesOfOwner,
  type RepositoryPageFilter,
  type RepositoryPageViewer,
  repositorySortKeys,
} from '../../../store/repositories/repository-pages.ts'
import type { ListedRepository } from '../../../store/repositories/shown-repositories.ts'
import type { Paged } from '../../../store/sql/page.ts'
import type { Call } from '../../core/endpoint.ts'
import { anyOf, filterFlag } from '../../parameters/kinds.ts'
import { described, unlisted } from '../../parameters/parameter.ts'
import { actionsOf, get } from '../core/action.ts'
import { collectionOf } from '../core/collection.ts'
import type { QueryOf } from '../core/list-query.ts'
import { openPageSteps, pageSteps } from '../core/page-steps.ts'
import type { Models } from '../core/resource.ts'
import { warn } from '../core/warnings.ts'
import { oneOwner, ownerTemplates } from '../records/one-owner.ts'
import { knownFrom } from '../records/repository-reads.ts'
import { repository } from './repository.ts'

export const repositories = collectionOf<Models['repository']>()({
  type: 'repositories',
  of: repository,
  besides: [
    'current_build',
    'last_started_build',
    'next_build_number',
    'private_key',
    'token',
    'user_settings',
    'allow_migration',
    'email_subscribed',
  ],
  limit: 100,
  sort: { keys: repositorySortKeys },
  hiddenKeys: hiddenRepositorySortKeys,
  filters: {
    'repository.active': described(
      'whether only active ones are listed, or only others',
      filterFlag(),
    ),
    'repository.private': described(
      'whether only private ones are listed, or only public ones',
      filterFlag(),
    ),
    'repository.starred': described(
      'whether only those are listed that the caller has starred, or only others',
      filterFlag(),
    ),
    'repository.managed_by_installation': described(
      'whether only those are listed that the app has access to, or only others',
      filterFlag(),
    ),
    'repository.active_on_org': described(
      'true lists nothing: there is no other instance',
      filterFlag(),
    ),
    'repository.name_filter': unlisted(anyOf()),
    'repository.slug_filter': unlisted(anyOf()),
  },
})

type Query = QueryOf<typeof repositories>

function filterIn({ filters }: Query): RepositoryPageFilter {
  return {
    active: filters['repository.active'],
    private: filters['repository.private'],
    managed_by_installation: filters['repository.managed_by_installation'],
    active_on_org: filters['repository.active_on_org'],
    starred: filters['repository.starred'],
    name: filters['repository.name_filter'],
    slug: filters['repository.slug_filter'],
  }
}

/** A list can be sorted by similarity only with the filter that names are compared to. */
function sortableIn(call: Call, query: Query): Query {
  const sort = query.sort.filter(({ key }) => {
    const isSimilarity = key === 'name_filter' || key === 'slug_filter'
    const lacks = isSimilarity && query.filters[`repository.${key}`].length === 0
    if (lacks) {
      const message = `sort_by ${key} has no effect without ${key}, ignored`
      warn(call, { '@type': 'warning', message })
    }
    return !lacks
  })
  return { ...query, sort }
}

function viewerOf({ viewer }: Call): RepositoryPageViewer {
  return { ...listViewer(viewer), ownId: viewer.user?.id }
}

async function entriesOf(call: Call, page: Promise<Paged<ListedRepository>>) {
  const { records, count } = await page
  return { records: knownFrom(call, records), count }
}

export const repositoriesActions = actionsOf(repositories, {
  for_owner: get(
    ownerTemplates('/repos'),
    pageSteps(
      repositories,
      {
        ...oneOwner,
        right: 'read',
        docs: {
          summary:
            'the repositories of a user or an organization, without those that others share; `token` and `private_key` stay null',
        },
      },
      (call, { type, model }, query) => {
        const owner_type = type === 'user' ? 'User' : 'Organization'
        const owner = { owner_type, owner_id: model.id } as const
        const [filter, page] = [filterIn(query), sortableIn(call, query)]
        return entriesOf(
          call,
          repositoriesOfOwner(call.ctx.db, owner, viewerOf(call), filter, page),
        )
      },
    ),
  ),
  for_current_user: get(
    '/repos',
    openPageSteps(
      repositories,
      {
        login: true,
        docs: {
          summary:
            'the repositories on which the caller has a role; `token` and `private_key` stay null',
        },
      },
      (call, query) => {
        const [filter, page] = [filterIn(query), sortableIn(call, query)]
        return entriesOf(call, repositoriesOfMember(call.ctx.db, viewerOf(call), filter, page))
      },
    ),
  ),
})
