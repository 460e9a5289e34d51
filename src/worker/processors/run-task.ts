import type { Processor } from '../processor.ts'
import { tasks } from '../schedule.ts'

/** Runs a task of the schedule. A run that fails is not retried: the next one is scheduled. */
export const runTask: Processor<'schedule.run'> = {
  queue: 'schedule.run',
  role: 'worker',
  attempts: 1,
  pause: 1000,
  concurrency: () => 1,
  async process({ task }, { ctx }) {
    await tasks[task]?.run(ctx)
  },
}
