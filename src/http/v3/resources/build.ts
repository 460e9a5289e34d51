import { buildRights } from '../../../access/build-rights.ts'
import type { Build } from '../../../domain/build.ts'
import { pullRequestsByIds } from '../../../store/pull-requests.ts'
import { byId } from '../../by-id.ts'
import type { InRepository } from '../../find-record.ts'
import { time } from '../../time.ts'
import { always, each, resourceOf, shared } from '../resource.ts'

type BuildModel = InRepository<Build>

declare module '../resource.ts' {
  interface Models {
    build: BuildModel
  }
}

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
] as const

/** A build as other resources show it. It has no endpoints yet. */
export const build = resourceOf<BuildModel>()({
  type: 'build',
  href: ({ id }) => `/build/${id}`,
  rights: buildRights,
  permissions: ['read', 'write', 'cancel', 'restart', 'prioritize'],
  representations: { minimal, standard: [...minimal, 'repository'] },
  values: {
    number: each(({ number }) => String(number)),
    started_at: each(({ started_at }) => time(started_at)),
    finished_at: each(({ finished_at }) => time(finished_at)),
    priority: always(false),
    pull_request_title: async (view, builds) =>
      (await pullRequestsOf(view, builds)).map((pull) => pull?.title ?? null),
    pull_request_number: async (view, builds) =>
      (await pullRequestsOf(view, builds)).map((pull) => pull?.number ?? null),
  },
  links: { repository: each(({ repository }) => ({ type: 'repository', model: repository })) },
})

const pullRequestsOf = shared<BuildModel, { title: string; number: number } | null>(
  async ({ ctx }, builds) => {
    const ids = builds.flatMap(({ pull_request_id }) => pull_request_id ?? [])
    const pullOf = byId(await pullRequestsByIds(ctx.db, ids))
    return builds.map(({ pull_request_id }) => pullOf(pull_request_id))
  },
)
