import { acceptRequests } from './accept-request.ts'
import { processDelivery } from './process-delivery.ts'
import { publishNotifications } from './publish-notifications.ts'
import { publishStreams } from './publish-outbox.ts'
import { runJobs } from './run-job.ts'
import { scheduleOwners } from './schedule-jobs.ts'
import { syncInstallations } from './sync-installation.ts'
import { syncUsers } from './sync-user.ts'

/** All processors. */
export const processors = [
  processDelivery,
  syncInstallations,
  syncUsers,
  acceptRequests,
  scheduleOwners,
  runJobs,
  publishStreams,
  publishNotifications,
] as const
