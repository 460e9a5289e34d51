import { stateConflict } from '../../../domain/errors.ts'
import { isFinished } from '../../../domain/job/job.ts'
import { cancelJob } from '../../../flow/jobs/cancel-job.ts'
import { restartJob } from '../../../flow/jobs/restart-job.ts'
import type { Call } from '../../core/endpoint.ts'
import { actorOf } from '../../identity/actor.ts'
import { refusedJobRestart } from '../../views/refused-restart.ts'
import { changing } from '../core/accepted.ts'
import { actionsOf, get, post } from '../core/action.ts'
import { as } from '../core/presented.ts'
import type { Models } from '../core/resource.ts'
import { oneJob } from '../records/one-build.ts'
import { findShownJob } from '../render/shown.ts'
import { job } from './job.ts'

type JobModel = Models['job']

const changed = { ...oneJob, login: true, scope: 'builds' } as const

/** The job as it is after a change. */
const again = async (call: Call, before: JobModel) => (await oneJob.find(call)) ?? before

export const jobActions = actionsOf(job, {
  find: get('/job/{job.id}', {
    ...oneJob,
    find: findShownJob,
    right: 'read',
    docs: {
      summary:
        'a job with its state; while it waits, also why, and its place in the queue; `vm_size` stays null',
    },
    present: as('standard', job),
  }),
  cancel: post('/job/{job.id}/cancel', {
    ...changed,
    right: 'cancel',
    conflict: async (_call, found) =>
      isFinished(found) ? stateConflict('job_not_cancelable', found) : undefined,
    async act(call, before): Promise<JobModel> {
      const canceled = await cancelJob(call.ctx, actorOf(call), before.id)
      if (!canceled) throw stateConflict('job_not_cancelable', before)
      return again(call, before)
    },
    docs: {
      summary: 'cancels a job that has not finished; needs the right to push',
      fails: ['job_not_cancelable'],
    },
    present: changing(job, 'cancel'),
  }),
  restart: post('/job/{job.id}/restart', {
    ...changed,
    once: true,
    right: 'restart',
    async conflict(_call, found) {
      const waits = found.state === 'created' || isFinished(found)
      return waits ? undefined : stateConflict('job_already_running', found)
    },
    async act(call, before): Promise<JobModel> {
      // The job is already waiting.
      if (before.state === 'created') return before
      if (await restartJob(call.ctx, actorOf(call), before.id)) return again(call, before)
      throw refusedJobRestart(before)
    },
    docs: {
      summary:
        'restarts a finished job, and the later jobs that it kept from running; changes nothing in the state `created`; needs the right to push',
      fails: ['job_already_running', 'not_restartable'],
    },
    present: changing(job, 'restart'),
  }),
  // There are no debug builds, so no one has the right.
  debug: post('/job/{job.id}/debug', {
    ...changed,
    right: 'debug',
    docs: { summary: 'always refused, because this service has no debug builds' },
    present: as('minimal', job),
  }),
})
