import { buildRights } from '../../../access/build-rights.ts'
import type { Build } from '../../../domain/build.ts'
import type { InRepository } from '../../find-record.ts'
import { time } from '../../time.ts'
import { pullRequestsOf } from '../reads.ts'
import { always, each, resourceOf, type View } from '../resource.ts'

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
  later: [
    'branch',
    'tag',
    'commit',
    'jobs',
    'stages',
    'created_by',
    'updated_at',
    'request',
    'log_complete',
  ],
  values: {
    number: each(({ number }) => String(number)),
    started_at: each(({ started_at }) => time(started_at)),
    finished_at: each(({ finished_at }) => time(finished_at)),
    priority: always(false),
    pull_request_title: async (view, builds) =>
      (await pullsOf(view, builds)).map((pull) => pull?.title ?? null),
    pull_request_number: async (view, builds) =>
      (await pullsOf(view, builds)).map((pull) => pull?.number ?? null),
  },
  links: { repository: { to: 'repository', read: each(({ repository }) => repository) } },
})

function pullsOf(view: View, builds: readonly BuildModel[]) {
  return pullRequestsOf(
    view,
    builds.map(({ pull_request_id }) => pull_request_id),
  )
}
