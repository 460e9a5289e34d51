import { describe, expect, test } from 'vitest'
import { afterLoss, type Loss, retryPause } from '../../src/domain/job/loss.ts'

const fresh = {
  state: 'started',
  resets: 0,
  retries: 0,
  retry_reason: null,
  unlucky_seconds: null,
} as const
const day = 24 * 60 * 60

const stopped: Loss = { kind: 'stopped', reason: 'its runner was stopped' }
const machine: Loss = { kind: 'machine', reason: 'the disk is full' }
const alone: Loss = { kind: 'gone', reason: 'its runner was lost', others: 0 }
const refused: Loss = { kind: 'refused', reason: 'the code host refused the token' }
const withOthers: Loss = { ...alone, others: 2 }

const again = (seconds: number, blamed = false) => ({ next: 'retry', seconds, blamed })
const culprit = { next: 'errored', why: 'culprit' }
const tooLong = { next: 'errored', why: 'too_long' }

describe('after a loss', () => {
  test.each([
    ['by an orderly stop a job is retried immediately', fresh, stopped, again(0)],
    ['by its machine a job is retried after a pause', fresh, machine, again(5)],
    [
      'by its machine for the fourth time a job is retried after a longer pause',
      { ...fresh, retries: 3 },
      machine,
      again(40),
    ],
    [
      'by a rejected token a job is retried with a new token',
      { ...fresh, retries: 2 },
      refused,
      again(20),
    ],
    [
      'by a rejected token once more a job is errored',
      { ...fresh, retries: 1, retry_reason: refused.reason },
      refused,
      { next: 'errored', why: 'refused' },
    ],
    ['of its runner while its commands ran a job is blamed', fresh, alone, again(5, true)],
    ['of its runner for the third time a job is errored', { ...fresh, resets: 2 }, alone, culprit],
    ['together with other jobs a job is not blamed', { ...fresh, resets: 2 }, withOthers, again(5)],
    [
      'before its commands ran a job is not blamed',
      { ...fresh, resets: 2, state: 'received' },
      alone,
      again(5),
    ],
    [
      'by its machine a job is never blamed',
      { ...fresh, resets: 2, retries: 99 },
      machine,
      again(300),
    ],
    [
      'within the first day a job is retried',
      { ...fresh, retries: 99, unlucky_seconds: day },
      machine,
      again(300),
    ],
    ['after a day a job is not retried', { ...fresh, unlucky_seconds: day + 1 }, machine, tooLong],
    [
      'by an orderly stop a job is retried even after a day',
      { ...fresh, unlucky_seconds: day + 1 },
      stopped,
      again(0),
    ],
  ] as const)('%s', (_what, job, loss, expected) => {
    expect(afterLoss(job, loss)).toEqual(expected)
  })
})

test('pauses grow from five seconds to five minutes', () => {
  expect([0, 1, 2, 3, 4, 5, 6, 7, 1000].map(retryPause)).toEqual([
    ...[5, 10, 20, 40, 80, 160, 300, 300, 300],
  ])
})
