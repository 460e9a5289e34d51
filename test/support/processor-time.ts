// Loaded before each test file: measures what the file costs, for `report-files.ts`.
import { afterAll } from 'vitest'
import { processorSeconds } from './processor-clock.ts'

// Vitest takes nothing but a pattern there.
// oxlint-disable-next-line eslint/no-empty-pattern
afterAll(({}, suite) => {
  suite.file.meta.processorSeconds = processorSeconds()
})
