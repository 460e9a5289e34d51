import { giveUpUserSync } from '../../flow/people/request-user-sync.ts'
import { syncUser } from '../../flow/people/sync-user.ts'
import type { Processor } from '../processor.ts'

export const syncUsers: Processor<'user.sync'> = {
  queue: 'user.sync',
  role: 'worker',
  here: null,
  attempts: 5,
  pause: 2000,
  concurrency: () => 4,
  process: ({ user_id }, { ctx }) => syncUser(ctx, user_id),
  giveUp: ({ user_id }, { ctx }) => giveUpUserSync(ctx, user_id),
}
