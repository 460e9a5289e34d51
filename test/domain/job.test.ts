import { expect, test } from 'vitest'
import { isFinished, jobStates, transitions } from '../../src/domain/job/job.ts'

// Columns: created queued received started passed failed errored canceled.
test.each([
  ['enqueue', 'x.......'],
  ['receive', 'xx......'],
  ['start', 'xxx.....'],
  ['finish', 'xxxx....'],
  ['cancel', 'xxxx....'],
  ['reset', '.xxx....'],
  ['restart', '....xxxx'],
  ['stale', '.xxx....'],
] as const)('%s is allowed in %s', (event, row) => {
  const from: readonly string[] = transitions[event].from
  expect(jobStates.map((state) => (from.includes(state) ? 'x' : '.')).join('')).toBe(row)
})

test('four states are final', () => {
  const final = jobStates.filter((state) => isFinished({ state }))
  expect(final).toEqual(['passed', 'failed', 'errored', 'canceled'])
})
