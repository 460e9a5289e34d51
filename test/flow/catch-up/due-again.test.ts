import { expect, test } from 'vitest'
import type { PastWebhook } from '../../../src/codehost/codehost.ts'
import { dueAmong } from '../../../src/flow/catch-up/due-again.ts'

const at = (minutes: number) => new Date(Date.UTC(2026, 0, 2) + minutes * 60_000)

/** The attempts to send the webhooks, newest first, as the code host lists them. */
const list = (sent: readonly [guid: string, minutes: number][]): PastWebhook[] =>
  sent
    .toSorted(([, a], [, b]) => b - a)
    .map(([guid, minutes], index) => ({
      ...{ id: index, guid, event: 'push', action: null, repository: 1 },
      delivered_at: at(minutes),
    }))

/**
 * The minutes at which a webhook that never arrives is resent, if other webhooks arrive at these
 * times.
 */
function attemptsOf(arrivals: readonly number[], until: number): number[] {
  const tries = [0]
  for (let now = 0; now <= until; now += 15) {
    const arrived = arrivals.filter((time) => time <= now)
    const sent = list([
      ...tries.map((minutes): [string, number] => ['lost', minutes]),
      ...arrived.map((minutes): [string, number] => [`other-${minutes}`, minutes]),
    ])
    const guids = new Set(arrived.map((minutes) => `other-${minutes}`))
    if (dueAmong(sent, guids, at(now)).due.length > 0) tries.push(now)
  }
  return tries.slice(1)
}

test('missed webhooks are resent after growing pauses, as long as the code host keeps them', () => {
  const day = 24 * 60
  expect(attemptsOf([], day)).toEqual([0, 15, 45, 105, 225, 465, 945, 1425])
})

test('missed webhooks are resent immediately when any webhook arrives', () => {
  expect(attemptsOf([601], 660)).toEqual([0, 15, 45, 105, 225, 465, 615])
})

test('a webhook that keeps failing while others arrive is resent only twice', () => {
  const always = Array.from({ length: 40 }, (_, index) => index * 15 + 5)
  expect(attemptsOf(always, 600)).toEqual([0, 15])
})

test('webhooks that have arrived, or that have no handler, are not missed', () => {
  const [push, unhandled] = list([
    ['a', 1],
    ['b', 0],
  ])
  if (!push || !unhandled) throw new Error('there is nothing')
  const sent = [push, { ...unhandled, event: 'star' }]
  expect(dueAmong(sent, new Set(['a']), at(5))).toEqual({ due: [], waiting: [] })
  expect(dueAmong(sent, new Set(), at(5)).due).toEqual([push])
})
