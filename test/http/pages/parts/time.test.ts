import { expect, test } from 'vitest'
import { timeAgo } from '../../../../src/http/pages/parts/time.tsx'
import { before, noon } from '../records.ts'

test.each([
  [-60, 'just now'],
  [0, 'just now'],
  [44, 'just now'],
  [45, '1 minute ago'],
  [119, '1 minute ago'],
  [120, '2 minutes ago'],
  [3600, '1 hour ago'],
  [86_399, '23 hours ago'],
  [86_400, '1 day ago'],
  [30 * 86_400, '30 days ago'],
  [31 * 86_400, 'on 2025-04-19'],
])('the time %d seconds before noon is shown as %j', (seconds, text) => {
  expect(timeAgo(before(seconds), noon)).toBe(text)
})
