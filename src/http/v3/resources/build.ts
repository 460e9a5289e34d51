import { buildRights } from '../../../access/build-rights.ts'
import type { Build } from '../../../domain/build.ts'
import { running } from '../../../domain/job/job.ts'
import { unmetNotes } from '../../../domain/job/machine.ts'
import { preciseTime, time } from '../../../domain/time/api-time.ts'
import type { InRepository } from '../../core/path-id.ts'
import { always, each, resourceOf, type View } from '../core/resource.ts'
import { asPart, jobsOf, stagesOf } from '../records/build-parts.ts'
import { areLogsComplete } from '../records/log-complete.ts'
import { linked, linkedBy } from '../render/linked.ts'
import { pullRequestsOf } from '../render/reads.ts'

/** `only_running`: only its queued and running jobs are shown. */
type BuildModel = InRepository<Build> & { only_running?: boolean }

declare module '../core/resource.ts' {
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

const standard = [
  ...minimal,
  'repository',
  'branch',
  'tag',
  'commit',
  'jobs',
  'stages',
  'created_by',
  'updated_at',
] as const

const creatorOf = linked('users')

export const build = resourceOf<BuildModel>()({
  type: 'build',
  href: ({ id }) => `/build/${id}`,
  rights: buildRights,
  permissions: ['read', 'write', 'cancel', 'restart', 'prioritize'],
  representations: {
    minimal,
    standard,
    list: [...minimal, 'branch', 'tag', 'commit', 'request', 'created_by'],
    active: standard,
  },
  includable: ['log_complete', 'notes'],
  alwaysMinimal: { list: ['branch', 'request'] },
  values: {
    number: each(({ number }) => String(number)),
    started_at: each(({ started_at }) => time(started_at)),
    finished_at: each(({ finished_at }) => time(finished_at)),
    updated_at: each(({ updated_at }) => preciseTime(updated_at)),
    priority: always(false),
    pull_request_title: async (view, builds) =>
      (await pullsOf(view, builds)).map((pull) => pull?.title ?? null),
    pull_request_number: async (view, builds) =>
      (await pullsOf(view, builds)).map((pull) => pull?.number ?? null),
    async notes(view, builds) {
      const jobs = await jobsOf(view, builds.map(asPart))
      return jobs.map((own) => unmetNotes(own.length, own))
    },
    async log_complete(view, builds) {
      const jobs = await jobsOf(view, builds.map(asPart))
      const complete = await areLogsComplete(view, jobs.flat())
      const rest = complete.values()
      return jobs.map((own) => own.map(() => rest.next().value).every((done) => done === true))
    },
  },
  links: {
    repository: { to: 'repository', read: each(({ repository }) => repository) },
    branch: { to: 'branch', read: linkedBy('branches', ({ branch_id }: BuildModel) => branch_id) },
    tag: { to: 'tag', read: linkedBy('tags', ({ tag_id }: BuildModel) => tag_id) },
    commit: { to: 'commit', read: linkedBy('commits', ({ commit_id }: BuildModel) => commit_id) },
    request: {
      to: 'request',
      read: linkedBy('requests', ({ request_id }: BuildModel) => request_id),
    },
    jobs: {
      to: 'job',
      async read(view, builds) {
        const jobs = await jobsOf(view, builds.map(asPart))
        return builds.map(({ only_running = false }, index) =>
          (jobs[index] ?? []).filter(({ state }) => !only_running || isRunning(state)),
        )
      },
    },
    stages: { to: 'stage', read: (view, builds) => stagesOf(view, builds.map(asPart)) },
    created_by: {
      to: 'user',
      read: (view, builds) =>
        creatorOf(
          view,
          builds.map(({ sender_id }) => sender_id),
        ),
    },
  },
})

const isRunning = (state: string) => (running as readonly string[]).includes(state)

function pullsOf(view: View, builds: readonly BuildModel[]) {
  return pullRequestsOf(
    view,
    builds.map(({ pull_request_id }) => pull_request_id),
  )
}
