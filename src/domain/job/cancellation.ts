import type { Actor } from '../audit.ts'
import { visible } from '../text/escape-control-characters.ts'
import type { Job } from './job.ts'

/** The user or the cause that cancels jobs. */
export type Cancellation = Pick<Job, 'canceled_by_id' | 'cancel_reason'>

export function canceledBy({ user }: Pick<Actor, 'user'>): Cancellation {
  return { canceled_by_id: user.id, cancel_reason: `canceled by ${visible(user.login)}` }
}

/** For jobs that the service itself cancels. */
export function canceledBecause(why: string): Cancellation {
  return { canceled_by_id: null, cancel_reason: `canceled because ${visible(why)}` }
}

/** Why a job was canceled, as the rest of a sentence; older jobs have no reason. */
export function cancelText({ cancel_reason }: Pick<Job, 'cancel_reason'>): string {
  return cancel_reason ?? 'canceled'
}
