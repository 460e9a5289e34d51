import { cronRights } from '../../../access/cron-rights.ts'
import { repositoryRights } from '../../../access/repository-rights.ts'
import { cronIntervals } from '../../../domain/cron.ts'
import { notFound } from '../../../domain/errors.ts'
import type { Repository, Seen } from '../../../domain/repository.ts'
import { removeCron } from '../../../flow/remove-cron.ts'
import { setCron } from '../../../flow/set-cron.ts'
import type { CronOfBranch } from '../../../store/crons.ts'
import { repositoryWithCron } from '../../../store/kept-records.ts'
import { actorOf } from '../../actor.ts'
import { type Call, inside } from '../../endpoint.ts'
import type { InRepository } from '../../find-record.ts'
import { clockTime, oneOfWords, timezone } from '../../parameters/cron-fields.ts'
import { settingFlag } from '../../parameters/fields.ts'
import { described, ofType } from '../../parameters/parameter.ts'
import { time } from '../../time.ts'
import { actionsOf, del, get, post } from '../action.ts'
import { oneCron } from '../one-cron.ts'
import { oneRepository, repositoryTemplates, repositoryWith } from '../one-repository.ts'
import { as, asNothing } from '../presented.ts'
import { each, resourceOf } from '../resource.ts'
import { ifVisible, oneBranch } from './branch.ts'

type CronModel = InRepository<CronOfBranch>

declare module '../resource.ts' {
  interface Models {
    cron: CronModel
  }
}

export const cron = resourceOf<CronModel>()({
  type: 'cron',
  href: ({ id }) => `/cron/${id}`,
  rights: cronRights,
  permissions: ['read', 'write', 'delete', 'start'],
  representations: {
    minimal: ['id'],
    standard: [
      'id',
      'repository',
      'branch',
      'interval',
      'dont_run_if_recent_build_exists',
      'last_run',
      'next_run',
      'created_at',
      'active',
      'inactive_reason',
      'start_at',
      'timezone',
    ],
  },
  values: {
    last_run: each(({ last_run }) => time(last_run)),
    next_run: each(({ next_run }) => time(next_run)),
    created_at: each(({ created_at }) => time(created_at)),
  },
  links: {
    repository: { to: 'repository', read: each(({ repository }) => repository) },
    branch: { to: 'branch', read: each(({ branch, repository }) => ({ ...branch, repository })) },
  },
})

/** The repository that a path names, with the branch, and the cron of that. */
const withCron = repositoryWith((db, ref, userId, { branch = '' }) =>
  repositoryWithCron(db, ref, userId, branch),
)

const ofBranch = repositoryTemplates('/branch/{branch.name}/cron')

export const cronActions = actionsOf(cron, {
  find: get('/cron/{cron.id}', {
    ...oneCron,
    right: 'read',
    docs: {
      summary: 'a cron: how often its branch is built, when it was last, and when it is next',
    },
    present: as('standard', cron),
  }),

  for_branch: get(ofBranch, {
    ...oneCron,
    within: inside(withCron, {
      ...oneBranch,
      async find({ ctx }, { branch: found, cron: kept, ...repository }) {
        const branch = await ifVisible(ctx, found, repository)
        return branch && { ...branch, kept }
      },
    }),
    async find(_call, { kept, repository, ...branch }) {
      return kept ? { ...kept, branch, repository } : undefined
    },
    right: 'read',
    docs: { summary: 'the cron of a branch, which has one at most' },
    present: as('standard', cron),
  }),

  create: post(ofBranch, {
    type: 'repository',
    login: true,
    scope: 'settings',
    // What is missing is told before the right, which is one on the repository.
    async find(call) {
      const repository = await oneRepository.find(call)
      if (!repository || !repositoryRights(call.viewer, repository).read) return undefined
      return { ...repository, branch: await branchIn(call, repository) }
    },
    rights: repositoryRights,
    right: 'create_cron',
    docs: {
      summary:
        'has a branch built daily, weekly or monthly, in place of the cron that it has; needs the right to push',
    },
    accepts: ofType('cron', {
      interval: described(
        `how often it is built: ${cronIntervals.join(', ')}`,
        oneOfWords(cronIntervals),
      ),
      dont_run_if_recent_build_exists: described(
        'whether a run is left out after a build in the last 24 hours; false by default',
        settingFlag(),
      ),
      start_at: described(
        'the time of the day at which it is built, like 03:30; without it, the time at which the cron is made',
        clockTime(),
      ),
      timezone: described(
        'the timezone of `start_at`, like Europe/Berlin; UTC by default',
        timezone(),
      ),
    }),
    async act(call, { branch, ...repository }, values): Promise<CronModel> {
      const made = await setCron(call.ctx, actorOf(call), branch, {
        interval: values['cron.interval'],
        dont_run_if_recent_build_exists: values['cron.dont_run_if_recent_build_exists'] ?? false,
        start_at: values['cron.start_at'] ?? null,
        timezone: values['cron.timezone'] ?? 'UTC',
      })
      return { ...made, branch, repository }
    },
    present: as('standard', cron),
  }),

  delete: del('/cron/{cron.id}', {
    ...oneCron,
    login: true,
    scope: 'settings',
    right: 'delete',
    docs: {
      summary:
        'deletes a cron, after which its branch is no longer built by itself; needs the right to push',
    },
    async act(call, found) {
      if (!(await removeCron(call.ctx, actorOf(call), found))) throw notFound('cron')
    },
    present: asNothing,
  }),
})

async function branchIn(call: Call, repository: Seen<Repository>) {
  const branch = await oneBranch.find(call, repository)
  if (!branch) throw notFound('branch')
  return branch
}
