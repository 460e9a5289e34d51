import { repositoryRights } from '../../../access/repository-rights.ts'
import type { Viewer } from '../../../access/viewer.ts'
import { cronIntervals } from '../../../domain/cron.ts'
import { notFound, validationFailed } from '../../../domain/errors.ts'
import type { Repository, Seen } from '../../../domain/repository.ts'
import { time } from '../../../domain/time/api-time.ts'
import { isTimezone } from '../../../domain/time/zoned-time.ts'
import { removeCron, setCron } from '../../../flow/repositories/crons.ts'
import { isBranchVisible } from '../../../store/repositories/branches.ts'
import type { CronOfBranch } from '../../../store/repositories/crons.ts'
import { findSeenCron } from '../../../store/repositories/repository-access.ts'
import { repositoryWithCron } from '../../../store/repositories/repository-settings-view.ts'
import { type Call, inside } from '../../core/endpoint.ts'
import { type InRepository, findRecord } from '../../core/path-id.ts'
import { actorOf } from '../../identity/actor.ts'
import { settingFlag } from '../../parameters/fields.ts'
import { described, ofType, parameter, splitName } from '../../parameters/parameter.ts'
import { actionsOf, del, get, post } from '../core/action.ts'
import { as, asNothing } from '../core/presented.ts'
import { each, resourceOf } from '../core/resource.ts'
import { oneRepository, repositoryTemplates, repositoryWith } from '../records/one-repository.ts'
import { ifVisible, oneBranch } from './branch.ts'

type CronModel = InRepository<CronOfBranch>

declare module '../core/resource.ts' {
  interface Models {
    cron: CronModel
  }
}

/** The steps shared by endpoints for one cron, which is as visible as its branch. */
const oneCron = {
  type: 'cron',
  async find(call: Call) {
    const found = await findRecord(call, call.params.cron, findSeenCron)
    const isSeen = found && (await isBranchVisible(call.ctx.db, found.repository, found.branch))
    return isSeen ? found : undefined
  },
  rights: cronRights,
}

const refuse = (expected: string) => (name: string) => {
  const field = splitName(name).key
  return validationFailed([{ field, code: 'invalid', message: `${field} must be ${expected}` }])
}

const unlessEmpty = (given: unknown) => (given === null || given === '' ? undefined : given)

/** A required parameter with one of these words. */
const oneOfWords = <const T extends string>(words: readonly T[]) =>
  parameter<T>({
    schema: { type: 'string', enum: words },
    required: true,
    parse: (given) => given ?? null,
    refuse: refuse(`one of ${words.join(', ')}`),
  })

/** A time of day; undefined if not sent. */
const clockTime = () =>
  parameter<string | undefined>({
    schema: { type: 'string', pattern: '^(?:[01][0-9]|2[0-3]):[0-5][0-9]$' },
    parse: unlessEmpty,
    refuse: refuse('a time of the day like 03:30'),
  })

/** A time zone by its name; undefined if not sent. */
const timezone = () =>
  parameter<string | undefined>({
    schema: { type: 'string', maxLength: 64 },
    parse(given) {
      const name = unlessEmpty(given)
      return typeof name === 'string' && !isTimezone(name) ? null : name
    },
    refuse: refuse('a timezone like Europe/Berlin'),
  })

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

/** The repository that a path names, with the branch and the branch's cron. */
const withCron = repositoryWith((db, ref, userId, { branch = '' }) =>
  repositoryWithCron(db, ref, userId, branch),
)

const ofBranch = repositoryTemplates('/branch/{branch.name}/cron')

export const cronActions = actionsOf(cron, {
  find: get('/cron/{cron.id}', {
    ...oneCron,
    right: 'read',
    docs: {
      summary: 'a cron: the interval of its builds, the time of the last one and of the next one',
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
    // A missing record is reported before a missing right, which is a right on the repository.
    async find(call) {
      const repository = await oneRepository.find(call)
      if (!repository || !repositoryRights(call.viewer, repository).read) return undefined
      return { ...repository, branch: await branchIn(call, repository) }
    },
    rights: repositoryRights,
    right: 'create_cron',
    docs: {
      summary:
        'schedules daily, weekly or monthly builds of a branch, replacing its present cron; needs the right to push',
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
        'the time of day of each build, like 03:30; by default the time when the cron is created',
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
        'deletes a cron, which ends the scheduled builds of its branch; needs the right to push',
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

/** A viewer's rights on a cron. No action starts a cron, so `start` is granted to everyone. */
function cronRights(viewer: Viewer, { repository }: { repository: Seen<Repository> }) {
  const { read, write } = repositoryRights(viewer, repository)
  return { read, write, delete: write, start: true }
}
