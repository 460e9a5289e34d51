import { repositoryRights } from '../../../access/repository-rights.ts'
import { cronIntervals } from '../../../domain/cron.ts'
import type { Repository, Seen } from '../../../domain/repository.ts'
import { isTimezone } from '../../../domain/time/zoned-time.ts'
import { removeCron, setCron } from '../../../flow/repositories/crons.ts'
import {
  findBranch,
  isBranchVisible,
  type KnownBranch,
} from '../../../store/repositories/branches.ts'
import { cronsOfRepository } from '../../../store/repositories/crons.ts'
import { findSeenCron } from '../../../store/repositories/repository-access.ts'
import { type Call, get, givenIn, post } from '../../core/endpoint.ts'
import { findRecord } from '../../core/path-id.ts'
import { actorOf } from '../../identity/actor.ts'
import { asPage } from '../as-page.tsx'
import { redirectWith } from '../notice.ts'
import { isUnder, oneRepository } from '../one-repository.ts'
import type { FieldProblems } from '../parts/field.tsx'
import { cronsPath } from '../paths.ts'
import { type CronForm, CronsPage } from './page.tsx'

const show = asPage(CronsPage)
const none: FieldProblems = new Map()

/** Most crons that are shown. */
const most = 100

const ofRepository = {
  ...oneRepository,
  login: true,
  scope: 'settings',
  right: 'create_cron',
} as const

const oneCron = {
  type: 'cron',
  async find(call: Call) {
    const cron = await findRecord(call, call.params.cron, findSeenCron)
    if (!cron || !isUnder(call, cron)) return undefined
    return (await isBranchVisible(call.ctx.db, cron.repository, cron.branch)) ? cron : undefined
  },
  rights: (viewer: Call['viewer'], { repository }: { repository: Seen<Repository> }) =>
    repositoryRights(viewer, repository),
  login: true,
  scope: 'settings',
  right: 'create_cron',
} as const

const emptyForm = ({ default_branch_name }: Repository): CronForm => ({
  branch: default_branch_name,
  interval: 'daily',
  start_at: '',
  timezone: '',
  dont_run_if_recent_build_exists: false,
})

export const cronPages = [
  get('/:owner/:name/crons', {
    ...ofRepository,
    act: (call, repository) => shown(call, repository, emptyForm(repository), none),
    present: (read, call) => show(read, call),
  }),

  post('/:owner/:name/crons', {
    ...ofRepository,
    async act(call, repository) {
      const form = formIn(call)
      const branch = await visibleBranch(call, repository, form.branch)
      const problems = problemsOf(form, branch)
      if (!branch || problems.size > 0) {
        return show(await shown(call, repository, form, problems), call, 422)
      }
      await setCron(call.ctx, actorOf(call), branch, {
        interval: form.interval,
        dont_run_if_recent_build_exists: form.dont_run_if_recent_build_exists,
        start_at: form.start_at === '' ? null : form.start_at,
        timezone: form.timezone === '' ? 'UTC' : form.timezone,
      })
      const { site } = call.ctx
      return redirectWith(site, cronsPath(site.prefix, repository), 'cron_set')
    },
    present: (answer) => answer,
  }),

  post('/:owner/:name/crons/:cron/delete', {
    ...oneCron,
    async act(call, cron) {
      // Someone else may have been quicker, with the same result.
      await removeCron(call.ctx, actorOf(call), cron)
      const { site } = call.ctx
      return redirectWith(site, cronsPath(site.prefix, cron.repository), 'cron_deleted')
    },
    present: (answer) => answer,
  }),
]

async function shown(
  { ctx }: Call,
  repository: Seen<Repository>,
  form: CronForm,
  problems: FieldProblems,
) {
  const page = { limit: most, offset: 0, sort: [], counted: false }
  const { records: crons } = await cronsOfRepository(ctx.db, repository, page)
  return { repository, crons, form, problems }
}

async function visibleBranch({ ctx }: Call, repository: Seen<Repository>, name: string) {
  const branch = await findBranch(ctx.db, repository, name)
  return branch && (await isBranchVisible(ctx.db, repository, branch)) ? branch : undefined
}

function formIn(call: Call): CronForm {
  const given = givenIn(call)
  const text = (name: string) => {
    const value = given[name]
    return typeof value === 'string' ? value.trim() : ''
  }
  return {
    branch: text('branch'),
    interval: cronIntervals.find((each) => each === given.interval) ?? 'daily',
    start_at: text('start_at'),
    timezone: text('timezone'),
    dont_run_if_recent_build_exists: text('dont_run_if_recent_build_exists') === 'true',
  }
}

function problemsOf({ start_at, timezone }: CronForm, branch: KnownBranch | undefined) {
  const problems = new Map<string, string>()
  if (!branch?.exists_on_codehost) problems.set('branch', 'there is no such branch')
  if (start_at !== '' && !/^(?:[01]\d|2[0-3]):[0-5]\d$/.test(start_at)) {
    problems.set('start_at', 'enter a time of the day like 03:30')
  }
  if (timezone !== '' && (timezone.length > 64 || !isTimezone(timezone))) {
    problems.set('timezone', 'enter a timezone like Europe/Berlin')
  }
  return problems
}
