import { stateConflict } from '../../../domain/errors.ts'
import { isFinished, type Job } from '../../../domain/job/job.ts'
import { cancelJob } from '../../../flow/jobs/cancel-job.ts'
import { restartJob } from '../../../flow/jobs/restart-job.ts'
import { noContent } from '../../core/answer.ts'
import { post } from '../../core/endpoint.ts'
import { actorOf } from '../../identity/actor.ts'
import { canceling, restarting } from '../write-steps.ts'
import { oneJob } from './job.ts'

export const jobWriteEndpoints = [
  post('/jobs/:job/cancel', {
    ...oneJob,
    ...canceling('job'),
    async act(call, job) {
      if (await cancelJob(call.ctx, actorOf(call), job.id)) return
      throw stateConflict('job_not_cancelable', job)
    },
    present: noContent,
  }),

  post('/jobs/:job/restart', {
    ...oneJob,
    once: true,
    ...restarting<Job>('job', isFinished),
    async act(call, job) {
      if (await restartJob(call.ctx, actorOf(call), job.id)) return
      throw stateConflict('job_already_running', job)
    },
  }),
]
