import { expect, test } from 'vitest'
import { awakeTimers } from '../../src/runner/run-job.ts'
import { createClock } from './clock.ts'

function begin(ms: number) {
  const clock = createClock()
  let called = false
  const stop = awakeTimers(clock).after(ms, () => {
    called = true
  })
  return { clock, stop, isOver: () => called }
}

test('time in which the process runs counts', async () => {
  const { clock, isOver } = begin(10_500)
  await clock.pass(10_499)
  expect(isOver()).toBe(false)
  await clock.pass(1)
  expect(isOver()).toBe(true)
  expect(clock.waiting()).toBe(0)
})

test('time in which the process is suspended does not count', async () => {
  const { clock, isOver } = begin(60_000)
  await clock.pass(30_000)
  await clock.sleep(3_600_000)
  await clock.pass(28_000)
  expect(isOver()).toBe(false)
  await clock.pass(2000)
  expect(isOver()).toBe(true)
})

test('a wait never ends at the moment when a suspended process resumes', async () => {
  const { clock, isOver } = begin(1000)
  await clock.pass(999)
  for (let times = 0; times < 3; times++) {
    await clock.sleep(60_000)
    expect(isOver()).toBe(false)
  }
  await clock.pass(1000)
  expect(isOver()).toBe(true)
})

test('the delays of a busy machine count', async () => {
  const { clock, isOver } = begin(60_000)
  for (let times = 0; times < 30; times++) await clock.sleep(2000)
  expect(isOver()).toBe(true)
})

test('a wait can be canceled at any time', async () => {
  const { clock, stop, isOver } = begin(5000)
  await clock.pass(2500)
  stop()
  await clock.pass(10_000)
  expect(isOver()).toBe(false)
  expect(clock.waiting()).toBe(0)
})
