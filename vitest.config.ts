import { defineConfig } from 'vitest/config'
import { reportSkipped } from './test/support/report-skipped.ts'

export default defineConfig({
  plugins: [reportSkipped],
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  test: {
    include: ['test/**/*.test.{ts,tsx}'],
    globalSetup: ['test/support/cluster.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
})
