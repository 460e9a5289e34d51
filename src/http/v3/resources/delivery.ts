import { administrationRights } from '../../../access/administration.ts'
import { listViewer } from '../../../access/viewer.ts'
import { isVisible } from '../../../access/visibility.ts'
import type { Repository, Seen } from '../../../domain/repository.ts'
import { isStorable } from '../../../domain/text/storable-text.ts'
import { time } from '../../../domain/time/api-time.ts'
import { replayDelivery } from '../../../flow/deliveries/deliveries.ts'
import {
  findDeliveryByGuid,
  followingOfDeliveries,
  type ListedDelivery,
} from '../../../store/deliveries/listed-deliveries.ts'
import { listedRepositoriesByIds } from '../../../store/repositories/listed-repositories.ts'
import type { Call } from '../../core/endpoint.ts'
import { byId } from '../../core/path-id.ts'
import { actorOf } from '../../identity/actor.ts'
import { changing } from '../core/accepted.ts'
import { actionsOf, get, post } from '../core/action.ts'
import { as } from '../core/presented.ts'
import { each, resourceOf } from '../core/resource.ts'
import { ofInstallation } from '../records/administration.ts'
import { loader } from '../render/loader.ts'

declare module '../core/resource.ts' {
  interface Models {
    delivery: ListedDelivery
  }
}

const idOf = ({ id }: ListedDelivery) => id

const followingOf = loader<ListedDelivery, { request_id: number; build_id: number | null } | null>(
  idOf,
  async ({ ctx }, deliveries) => {
    const following = await followingOfDeliveries(ctx.db, deliveries.map(idOf))
    return deliveries.map(({ id }) => following.get(id) ?? null)
  },
)

/** Administrators see a webhook's repository only if they can see that repository. */
const repositoryOf = loader<ListedDelivery, Seen<Repository> | null>(
  idOf,
  async ({ ctx, viewer }, deliveries) => {
    const ids = deliveries.flatMap(({ repository_id }) => repository_id ?? [])
    const found = byId(await listedRepositoriesByIds(ctx.db, ids, listViewer(viewer)))
    return deliveries.map(({ repository_id }) => found(repository_id))
  },
)

/** The metadata of a webhook, without its payload. */
export const delivery = resourceOf<ListedDelivery>()({
  type: 'delivery',
  href: ({ guid }) => `/delivery/${encodeURIComponent(guid)}`,
  rights: administrationRights,
  permissions: ['read', 'write'],
  representations: {
    minimal: ['id', 'guid', 'event', 'action'],
    standard: [
      'id',
      'guid',
      'event',
      'action',
      'provider',
      'repository',
      'repository_codehost_id',
      'outcome',
      'message',
      'attempts',
      'received_at',
      'processed_at',
      'kept',
      'request_id',
      'build_id',
    ],
  },
  values: {
    outcome: each(({ result }) => result ?? 'waiting'),
    message: async (view, deliveries) => {
      const repositories = await repositoryOf(view, deliveries)
      // The outcome can contain names of the repository and its branches.
      return deliveries.map(({ repository_id, outcome, sealed }, index) => {
        if (repository_id === null) return outcome
        const repository = repositories[index]
        return repository && isVisible(repository, { private: sealed }) ? outcome : null
      })
    },
    received_at: each(({ received_at }) => time(received_at)),
    processed_at: each(({ processed_at }) => time(processed_at)),
    request_id: async (view, deliveries) =>
      (await followingOf(view, deliveries)).map((found) => found?.request_id ?? null),
    build_id: async (view, deliveries) =>
      (await followingOf(view, deliveries)).map((found) => found?.build_id ?? null),
  },
  links: { repository: { to: 'repository', read: repositoryOf } },
})

const oneDelivery = {
  ...ofInstallation('delivery'),
  async find({ ctx, viewer, params: { delivery: guid = '' } }: Call) {
    if (!administrationRights(viewer).read || !isStorable(guid)) return
    return findDeliveryByGuid(ctx.db, guid)
  },
}

export const deliveryActions = actionsOf(delivery, {
  find: get('/delivery/{delivery.guid}', {
    ...oneDelivery,
    docs: {
      summary:
        'one webhook with its outcome, without its payload; for administrators of the service',
    },
    present: as('standard', delivery),
  }),

  replay: post('/delivery/{delivery.guid}/replay', {
    ...oneDelivery,
    right: 'write',
    docs: {
      summary:
        'processes a webhook again while its body is kept; it creates no second request; for administrators of the service',
      fails: ['unprocessable_entity'],
    },
    async act(call, found) {
      await replayDelivery(call.ctx, found, actorOf(call))
      return found
    },
    present: changing(delivery, 'replay'),
  }),
})
