import fc from 'fast-check'
import { expect, test } from 'vitest'
import { openDoor } from '../../bot/door.ts'
import { appCodehost } from '../../codehost/app/app-codehost.ts'
import { startCodehost } from '../../support/codehost/codehost.ts'
import { testContext } from '../../support/context.ts'
import { ownDatabase } from '../../support/database.ts'
import { fakeInAnyOrder, steps as stepsOfFake } from './fake.ts'
import { codehostInAnyOrder, steps } from './memory.ts'

const { db } = await ownDatabase()

interface Setting {
  fork: boolean
  /** The next choice, as a number. */
  pick(): number
}

interface Told<Step> {
  take(step: Step): Promise<void>
  settle(): Promise<void>
  problems(): Promise<string[]>
}

/** Tells so many stories of these steps, in random orders, and looks at how each ends. */
async function everyStory<Step>(
  runs: number,
  steps: readonly Step[],
  begin: (setting: Setting) => Promise<Told<Step>>,
): Promise<void> {
  const story = fc.record({
    fork: fc.boolean(),
    steps: fc.array(fc.constantFrom(...steps), { minLength: 12, maxLength: 24 }),
    picks: fc.infiniteStream(fc.nat(99)),
  })
  const property = fc.asyncProperty(story, async ({ fork, steps, picks }) => {
    const told = await begin({ fork, pick: () => picks.next().value ?? 0 })
    for (const step of steps) await told.take(step)
    await told.settle()
    expect(await told.problems()).toEqual([])
  })
  await fc.assert(property, { seed: 20_260_102, numRuns: runs })
}

/**
 * Pushes to a pull request, of a fork or not, closed, reopened and merged in any order, with webhooks
 * that come late and out of order, a merge queue that it enters and leaves, and a code host that
 * refuses, forgets or is away at any time.
 */
test('whatever happens in whatever order, each head gets its own result and nothing waits unsaid', async () => {
  await everyStory(200, steps, (setting) => codehostInAnyOrder(db, setting))
}, 300_000)

test('the same holds over HTTP, at a code host with git, tokens and webhooks of its own', async () => {
  const app = { events: ['pull_request', 'merge_group'] }
  const host = await startCodehost({ webhookUrl: 'http://127.0.0.1:9/', app })
  host.limitRate(1_000_000)
  const ctx = testContext(db, { codehost: appCodehost(host) })
  const scene = { ctx, host, door: await openDoor(db, ctx) }
  try {
    await everyStory(40, stepsOfFake, (setting) => fakeInAnyOrder(scene, setting))
  } finally {
    // Without the field for the merge commit, what it returns is not as described today.
    await host.stop({ beyondDescription: true })
  }
}, 300_000)
