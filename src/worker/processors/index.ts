import { acceptRequests } from './accept-request.ts'
import { processDelivery } from './process-delivery.ts'
import { publishStreams } from './publish-outbox.ts'
import { syncInstallations } from './sync-installation.ts'
import { runJobs } from './run-job.ts'
import { scheduleOwners } from './schedule-jobs.ts'

/** All processors. */
export const processors = [
  processDelivery,
  syncInstallations,
  acceptRequests,
  scheduleOwners,
  runJobs,
  publishStreams,
] as const
