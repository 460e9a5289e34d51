import { cancelText } from '../domain/job/cancellation.ts'
import type { Context } from '../flow/context.ts'
import { type Run, renewClaim } from '../flow/jobs/claim-job.ts'
import type { AbortReason } from '../runner/verdict.ts'
import { findJob } from '../store/jobs/jobs.ts'

const renewEvery = 5000

export interface Claim {
  /** Aborted with the reason when the run has to stop. */
  signal: AbortSignal
  /** Must be called when other code finds that the claim is gone. */
  lost(): void
  close(): void
}

/**
 * Renews the claim on a job while it runs, and stops the run when the claim is gone: the job was
 * canceled, released, or claimed by another runner. Canceling across machines needs no other message.
 */
export function watchClaim(ctx: Context, run: Run, stopping: AbortSignal): Claim {
  const controller = new AbortController()
  const abort = (reason: AbortReason) => controller.abort(reason)
  const stop = () => abort({ kind: 'shutdown' })
  // A signal that is already aborted fires no event.
  if (stopping.aborted) stop()
  else stopping.addEventListener('abort', stop, { once: true })

  async function renew(): Promise<void> {
    if (!(await renewClaim(ctx, run))) abort(await reasonOf(ctx, run))
  }
  const timer = setInterval(() => {
    renew().catch((error: unknown) => {
      ctx.log.warn({ ...run, err: error }, 'claim was not renewed')
    })
  }, renewEvery)

  return {
    signal: controller.signal,
    lost: () => abort({ kind: 'taken' }),
    close() {
      clearInterval(timer)
      stopping.removeEventListener('abort', stop)
    },
  }
}

async function reasonOf({ db }: Context, { job_id, attempt }: Run): Promise<AbortReason> {
  const job = await findJob(db, job_id)
  if (job?.state !== 'canceled' || job.attempt !== attempt) return { kind: 'taken' }
  return { kind: 'canceled', reason: cancelText(job) }
}
