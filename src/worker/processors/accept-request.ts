import { acceptRequest, giveUpRequest } from '../../flow/accept-request.ts'
import type { Processor } from '../processor.ts'

export const acceptRequests: Processor<'request.accept'> = {
  queue: 'request.accept',
  role: 'worker',
  attempts: 8,
  pause: 1000,
  concurrency: () => 4,
  process: ({ request_id }, { ctx }) => acceptRequest(ctx, request_id),
  giveUp: ({ request_id }, { ctx }) => giveUpRequest(ctx, request_id),
}
