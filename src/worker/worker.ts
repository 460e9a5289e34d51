import { CodehostError } from '../codehost/codehost.ts'
import type { ServiceRole } from '../config/config.ts'
import { closeOrLeave } from '../queue/close-or-leave.ts'
import type { QueueConnection } from '../queue/connection.ts'
import type { Payloads, QueueName } from '../queue/queues.ts'
import { type OpenWorker, openWorker, Postponed } from '../queue/work.ts'
import { ReadingStopped } from '../reader/reader.ts'
import type { NextHops } from './next-hops.ts'
import type { Processor, Tools } from './processor.ts'
import { processors } from './processors/index.ts'

/** Wraps each hop of a push; a test uses it to end the process at that very point. */
export type WrapHop = <T>(hop: string, work: () => Promise<T>) => Promise<T>

export interface Hops {
  wrapHop: WrapHop
  nextHops: NextHops
}

export interface Workers {
  /** Takes no new entries and waits for those in progress. */
  close(): Promise<void>
}

export function processorsOf(roles: readonly ServiceRole[]) {
  return processors.filter(({ role }) => roles.includes(role))
}

/** Processes the entries of all queues that belong to these roles, until it is closed. */
export async function startWorkers(
  to: QueueConnection,
  roles: readonly ServiceRole[],
  tools: Tools,
  { wrapHop, nextHops }: Hops,
): Promise<Workers> {
  const open = await Promise.all(
    processorsOf(roles).map((processor) =>
      // Each processor belongs to its own queue; the type of the list does not express that.
      start(to, processor as unknown as Processor<QueueName>, tools, { wrapHop, nextHops }),
    ),
  )
  return {
    async close() {
      const hops = closeOrLeave(to, () => nextHops.close())
      await Promise.all([hops, ...open.map((worker) => worker.close())])
    },
  }
}

async function start<N extends QueueName>(
  to: QueueConnection,
  processor: Processor<N>,
  tools: Tools,
  { wrapHop, nextHops }: Hops,
): Promise<OpenWorker> {
  const { queue, attempts, pause, here } = processor
  const { log } = tools.ctx
  const concurrency = processor.concurrency(tools)

  async function process(payload: Payloads[N]): Promise<void> {
    try {
      await wrapHop(`process ${queue}`, () => processor.process(payload, tools))
    } catch (error) {
      // The entry is not at fault: the next process takes it.
      if (error instanceof ReadingStopped) throw new Postponed(error, 1)
      if (!(error instanceof CodehostError) || !error.temporary) throw error
      log.warn({ queue, payload, reason: error.message }, 'entry waits for the code host')
      throw new Postponed(error, error.retryAfter)
    }
  }

  const worker = await openWorker(queue, to, {
    attempts,
    pause,
    concurrency,
    process: here
      ? nextHops.serve(queue, {
          after: here.after,
          ahead: here.ahead ?? 0,
          when: () => here.when?.(tools) ?? true,
          slots: concurrency,
          pause,
          process,
        })
      : process,
    async giveUp(payload, error) {
      log.error({ queue, payload, err: error }, 'entry is dead')
      await processor.giveUp?.(payload, tools, error)
    },
    onError: (error) => log.warn({ queue, err: error }, 'entry failed'),
  })
  if (processor.role === 'runner') tools.runner?.rest.guard(worker)
  return worker
}
