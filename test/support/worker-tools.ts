import type { Context } from '../../src/flow/context.ts'
import type { Executor } from '../../src/runner/executor.ts'
import { defaultImageMap } from '../../src/script/images/image-map.ts'
import type { Tools } from '../../src/worker/processor.ts'

/** What processors get on `machine-1`: its runner is the only one, takes every job, and never rests. */
export function toolsOf(ctx: Context, executor: Executor): Required<Tools> {
  return {
    ctx,
    receive: () => Promise.reject(new Error('nobody delivers')),
    runner: {
      id: 'machine-1',
      executor,
      version: '1',
      slots: 1,
      stopping: new AbortController().signal,
      machine: { os: 'linux', arch: 'amd64' },
      isAlone: () => true,
      isWatched: () => false,
      losses: { others: async () => 0 },
      running: new Set<number>(),
      images: defaultImageMap,
      dockerInJobs: [],
      queues: null,
      jobLimits: {},
      rest: { guard() {}, isResting: () => false, consider: async () => {} },
    },
  }
}
