import path from 'node:path'
import type { Reporter } from 'vitest/node'

declare module 'vitest' {
  interface TaskMeta {
    /** Processor seconds of the worker, and of programs that ended, while it ran this file. */
    processorSeconds?: number
  }
}

const shown = 20

/** Names at the end of a run of many files those that cost most. */
export const filesReporter: Reporter = {
  onTestRunEnd(modules) {
    if (modules.length <= shown) return
    const costs = modules
      .map((module) => ({
        file: path.relative(process.cwd(), module.moduleId),
        seconds: module.meta().processorSeconds ?? 0,
      }))
      .toSorted((a, b) => b.seconds - a.seconds)
    const all = costs.reduce((sum, { seconds }) => sum + seconds, 0)
    process.stderr.write(`Processor seconds of ${costs.length} files: ${all.toFixed(0)}\n`)
    for (const { file, seconds } of costs.slice(0, shown)) {
      process.stderr.write(`${seconds.toFixed(1).padStart(7)} ${file}\n`)
    }
  },
}
