import { expect, onTestFinished, test, vi } from 'vitest'
import { startSchedule } from '../../src/worker/schedule.ts'
import { age } from '../support/age.ts'
import { testContext } from '../support/context.ts'
import { testDatabase } from '../support/database.ts'
import { factories } from '../support/factories.ts'

const db = await testDatabase()
const make = factories(db)

test('rows without an entry are found when the schedule starts, and by its timer', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const ctx = testContext(db)
  const requestsIn = () => ctx.enqueued.filter(({ name }) => name === 'request.accept').length
  await make.request({ state: 'created' })
  const schedule = await startSchedule(ctx)
  expect(requestsIn()).toBe(1)

  await age(db, 120)
  vi.advanceTimersByTime(5000)
  await vi.waitFor(() => expect(requestsIn()).toBe(2))
  await schedule.close()
  await age(db, 120)
  vi.advanceTimersByTime(60_000)
  expect(requestsIn()).toBe(2)
})
