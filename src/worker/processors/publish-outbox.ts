import { publishOutbox } from '../../flow/publish-outbox.ts'
import type { Processor } from '../processor.ts'

/** The verb itself retries what failed; here only what no one expected is repeated. */
export const publishStreams: Processor<'outbox.publish'> = {
  queue: 'outbox.publish',
  role: 'worker',
  attempts: 5,
  pause: 1000,
  // Each holds a connection of the pool, and the local code host takes a second one for a moment.
  concurrency: () => 4,
  process: ({ stream }, { ctx }) => publishOutbox(ctx, stream),
}
