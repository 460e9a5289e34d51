import { publishOutbox } from '../../flow/publish-outbox.ts'
import type { Processor } from '../processor.ts'

/** The verb itself tries again what failed; here only what nobody expected is repeated. */
export const publishStreams: Processor<'outbox.publish'> = {
  queue: 'outbox.publish',
  role: 'worker',
  attempts: 5,
  pause: 1000,
  concurrency: () => 4,
  process: ({ stream }, { ctx }) => publishOutbox(ctx, stream),
}
