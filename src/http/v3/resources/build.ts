import { buildRights } from '../../../access/build-rights.ts'
import type { Build } from '../../../domain/build.ts'
import type { Repository, Seen } from '../../../domain/repository.ts'
import { pullRequestsByIds } from '../../../store/pull-requests.ts'
import { time } from '../../time.ts'
import type { Resource, View } from '../resource.ts'

type Shown = Build & { repository: Seen<Repository> }

const minimal = [
  'id',
  'number',
  'state',
  'duration',
  'event_type',
  'previous_state',
  'pull_request_title',
  'pull_request_number',
  'started_at',
  'finished_at',
  'private',
  'priority',
]

/** A build as other resources show it. A resource of its own comes with its endpoints. */
export const build: Resource<Shown> = {
  type: 'build',
  href: ({ id }) => `/build/${id}`,
  rights: buildRights,
  permissions: ['read', 'write', 'cancel', 'restart', 'prioritize'],
  representations: { minimal, standard: [...minimal, 'repository'] },
  values: {
    number: (_view, builds) => builds.map(({ number }) => String(number)),
    started_at: (_view, builds) => builds.map(({ started_at }) => time(started_at)),
    finished_at: (_view, builds) => builds.map(({ finished_at }) => time(finished_at)),
    priority: (_view, builds) => builds.map(() => false),
    pull_request_title: async (view, builds) =>
      (await pullsOf(view, builds)).map((pull) => pull?.title ?? null),
    pull_request_number: async (view, builds) =>
      (await pullsOf(view, builds)).map((pull) => pull?.number ?? null),
  },
  links: {
    repository: (_view, builds) =>
      builds.map(({ repository }) => ({ type: 'repository', model: repository })),
  },
}

async function pullsOf({ ctx }: View, builds: readonly Shown[]) {
  const ids = builds.flatMap(({ pull_request_id }) => pull_request_id ?? [])
  const pulls = new Map((await pullRequestsByIds(ctx.db, ids)).map((pull) => [pull.id, pull]))
  return builds.map(({ pull_request_id }) => pulls.get(pull_request_id ?? 0))
}
