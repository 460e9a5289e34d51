import { publishOutbox } from '../../flow/statuses/publish-outbox.ts'
import type { Processor } from '../processor.ts'

/** The verb itself retries failed reports; these attempts are for unexpected errors. */
export const publishStreams: Processor<'outbox.publish'> = {
  queue: 'outbox.publish',
  role: 'worker',
  // So that jobs that were created with the report are started first.
  here: { after: 100 },
  attempts: 5,
  pause: 1000,
  // Each holds a connection of the pool, and the local code host briefly uses a second one.
  concurrency: () => 4,
  process: ({ stream }, { ctx }) => publishOutbox(ctx, stream),
}
