import { expect, test } from 'vitest'
import { durationText, secondsOf } from '../../../../src/http/pages/parts/duration.tsx'
import { before, noon } from '../records.ts'

test.each([
  [0, '0 s'],
  [0.337, '0.34 s'],
  [9.4, '9.4 s'],
  [12.34, '12.3 s'],
  [45, '45 s'],
  [60, '1 min'],
  [61.9, '1 min 1 s'],
  [3599, '59 min 59 s'],
  [3600, '1 h'],
  [7320, '2 h 2 min'],
  [90_000, '25 h'],
])('a duration of %d seconds is shown as %j', (seconds, text) => {
  expect(durationText(seconds)).toBe(text)
})

test.each([
  [{ started_at: null, finished_at: null }, null],
  [{ started_at: before(90), finished_at: null }, 90],
  [{ started_at: before(90), finished_at: before(30) }, 60],
  [{ started_at: before(-5), finished_at: null }, 0],
])('a duration from %j took %j seconds at noon', (span, seconds) => {
  expect(secondsOf(span, noon)).toBe(seconds)
})
