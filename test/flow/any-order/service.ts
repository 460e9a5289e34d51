import { CodehostError } from '../../../src/codehost/codehost.ts'
import type { Context } from '../../../src/flow/context.ts'
import { finishJob } from '../../../src/flow/jobs/finish-job.ts'
import { acceptRequest } from '../../../src/flow/requests/accept-request.ts'
import { giveUpRequest, noteRequestWaiting } from '../../../src/flow/requests/give-up-request.ts'
import { publishOutbox } from '../../../src/flow/statuses/publish-outbox.ts'

/** The state and the random choices of a story. */
export interface Setting {
  /** The next choice, as a number. */
  pick(): number
  /** Whether the build file of one of the bases is deleted. */
  isFileDeleted: boolean
}

/** After this many permanent failures a request is given up, as by the queue. */
const mostTries = 8

/** The work that the workers of the service do on the rows of one repository. */
export function serviceOf(ctx: Context, idOfRepository: () => Promise<number>) {
  const { db } = ctx
  const tries = new Map<number, number>()

  async function decide(id: number): Promise<void> {
    try {
      await acceptRequest(ctx, id)
    } catch (error) {
      if (!(error instanceof CodehostError)) throw error
      await noteRequestWaiting(ctx, id, error).catch(() => {})
      if (error.temporary) return
      const tried = (tries.get(id) ?? 0) + 1
      tries.set(id, tried)
      if (tried === mostTries) await giveUpRequest(ctx, id)
    }
  }

  return {
    /** Processes all remaining entries as the queue does, as if its pauses were over. */
    async work(): Promise<void> {
      const repositoryId = await idOfRepository()
      const undecided = await db
        .updateTable('requests')
        .set({ retry_at: null })
        .where('repository_id', '=', repositoryId)
        .where('state', '<>', 'finished')
        .returning('id')
        .execute()
      for (const { id } of undecided.toSorted((a, b) => a.id - b.id)) await decide(id)
      const unreported = await db
        .updateTable('outbox')
        .set({ next_attempt_at: null })
        .where('published_at', 'is', null)
        .where('stream', 'like', `%:${repositoryId}:%`)
        .returning('stream')
        .execute()
      const streams = new Set(unreported.map(({ stream }) => stream))
      for (const stream of streams) await publishOutbox(ctx, stream)
    },

    /** Ends one of the waiting jobs. */
    async finish(pick: () => number): Promise<void> {
      const open = await db
        .selectFrom('jobs')
        .innerJoin('builds', 'builds.id', 'jobs.build_id')
        .select(['jobs.id', 'jobs.attempt'])
        .where('jobs.repository_id', '=', await idOfRepository())
        .where('jobs.state', '=', 'created')
        .where('builds.waits_for_approval', '=', false)
        .orderBy('jobs.id')
        .execute()
      const job = open[pick() % Math.max(1, open.length)]
      const run = job && { job_id: job.id, attempt: job.attempt }
      if (run) await finishJob(ctx, run, pick() % 2 ? 'passed' : 'failed')
    },
  }
}
