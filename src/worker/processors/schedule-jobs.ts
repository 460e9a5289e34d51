import { scheduleJobs } from '../../flow/jobs/schedule-jobs.ts'
import type { Processor } from '../processor.ts'

export const scheduleOwners: Processor<'jobs.schedule'> = {
  queue: 'jobs.schedule',
  role: 'worker',
  here: { after: 0 },
  attempts: 5,
  pause: 500,
  concurrency: () => 2,
  process: (owner, { ctx }) => scheduleJobs(ctx, owner),
}
