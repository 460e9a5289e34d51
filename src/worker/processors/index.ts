import { acceptRequests } from './accept-request.ts'
import { processDelivery } from './process-delivery.ts'
import { publishStreams } from './publish-outbox.ts'
import { runJobs } from './run-job.ts'
import { runTask } from './run-task.ts'
import { scheduleOwners } from './schedule-jobs.ts'

/** All processors. */
export const processors = [
  processDelivery,
  acceptRequests,
  scheduleOwners,
  runJobs,
  publishStreams,
  runTask,
] as const
