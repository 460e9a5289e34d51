import fc from 'fast-check'
import { expect, test } from 'vitest'
import { codehostInAnyOrder, type Step, steps } from './any-order.ts'
import { ownDatabase } from '../support/database.ts'

const { db } = await ownDatabase()

const runs = 200

/**
 * Pushes to a pull request, of a fork or not, closed, reopened and merged in any order, with webhooks
 * that come late and out of order, a merge queue that it enters and leaves, and a code host that refuses, forgets or is away at any time.
 */
test('whatever happens in whatever order, each head gets its own result and nothing waits unsaid', async () => {
  const story = fc.record({
    fork: fc.boolean(),
    steps: fc.array(fc.constantFrom<Step>(...steps), { minLength: 12, maxLength: 24 }),
    picks: fc.infiniteStream(fc.nat(99)),
  })
  const property = fc.asyncProperty(story, async ({ fork, steps, picks }) => {
    const told = await codehostInAnyOrder(db, { fork, pick: () => picks.next().value ?? 0 })
    for (const step of steps) await told.take(step)
    await told.settle()
    expect(await told.problems()).toEqual([])
  })
  await fc.assert(property, { seed: 20_260_102, numRuns: runs })
}, 300_000)
