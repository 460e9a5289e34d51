import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { reportSkipped } from './test/support/report-skipped.ts'

export default defineConfig({
  plugins: [reportSkipped],
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  test: {
    include: ['test/**/*.test.{ts,tsx}'],
    globalSetup: ['test/support/cluster.ts'],
    // For what hangs; machines that are busy take long for what is right.
    testTimeout: 90_000,
    hookTimeout: 120_000,
    // Most tests wait for servers and processes, so that two at once pay even on two cores.
    maxWorkers: Math.max(2, availableParallelism() - 1),
  },
})
