import { acceptRequest } from '../../flow/requests/accept-request.ts'
import { giveUpRequest, noteRequestWaiting } from '../../flow/requests/give-up-request.ts'
import type { Processor } from '../processor.ts'

export const acceptRequests: Processor<'request.accept'> = {
  queue: 'request.accept',
  role: 'worker',
  here: { after: 0 },
  attempts: 8,
  pause: 1000,
  concurrency: () => 4,
  async process({ request_id }, { ctx }) {
    try {
      await acceptRequest(ctx, request_id)
    } catch (error) {
      await noteRequestWaiting(ctx, request_id, error)
      throw error
    }
  },
  giveUp: ({ request_id }, { ctx }) => giveUpRequest(ctx, request_id),
}
