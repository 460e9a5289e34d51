import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { openDoor } from '../../bot/door.ts'
import { appCodehost } from '../../codehost/app/app-codehost.ts'
import { startCodehost } from '../../support/codehost/codehost.ts'
import { testContext } from '../../support/context.ts'
import { ownDatabase } from '../../support/database.ts'
import { fakeInAnyOrder, steps as stepsOfFake } from './fake.ts'
import { codehostInAnyOrder, steps } from './memory.ts'
import type { Setting } from './service.ts'

const { db } = await ownDatabase()

interface Told<Step> {
  take(step: Step): Promise<void>
  settle(): Promise<void>
  problems(): Promise<string[]>
}

/** Tells stories of these steps, in random orders; returns what ended wrongly, and how it came to it. */
async function wrongEndings<Step>(
  { runs, steps }: { runs: number; steps: readonly Step[] },
  begin: (setting: Setting) => Promise<Told<Step>>,
): Promise<string | null> {
  const story = fc.record({
    fork: fc.boolean(),
    steps: fc.array(fc.constantFrom(...steps), { minLength: 12, maxLength: 24 }),
    picks: fc.infiniteStream(fc.nat(99)),
  })
  const property = fc.asyncProperty(story, async ({ fork, steps, picks }) => {
    const told = await begin({ fork, pick: () => picks.next().value ?? 0 })
    for (const step of steps) await told.take(step)
    await told.settle()
    const problems = await told.problems()
    if (problems.length > 0) throw new Error(problems.join('\n'))
  })
  const details = await fc.check(property, { seed: 20_260_102, numRuns: runs })
  if (!details.failed) return null
  return `${fc.defaultReportMessage(details)}\n${String(details.errorInstance)}`
}

/**
 * Pushes to a pull request, of a fork or not, closed, reopened and merged in any order, with webhooks
 * that come late and out of order, a merge queue that it enters and leaves, and a code host that
 * refuses, forgets or is away at any time.
 */
test('whatever happens in whatever order, each head gets its own result and nothing waits unsaid', async () => {
  const begin = (setting: Setting) => codehostInAnyOrder(db, setting)
  expect(await wrongEndings({ runs: 200, steps }, begin)).toBeNull()
}, 300_000)

test('the same holds over HTTP, at a code host with git, tokens and webhooks of its own', async () => {
  const app = { events: ['pull_request', 'merge_group'] }
  const host = await startCodehost({ webhookUrl: 'http://127.0.0.1:9/', app })
  host.limitRate(1_000_000)
  const ctx = testContext(db, { codehost: appCodehost(host) })
  const scene = { ctx, host, door: await openDoor(db, ctx) }
  // Without the field for the merge commit, what it returns is not as described today.
  onTestFinished(() => host.stop({ beyondDescription: true }))
  const begin = (setting: Setting) => fakeInAnyOrder(scene, setting)
  expect(await wrongEndings({ runs: 40, steps: stepsOfFake }, begin)).toBeNull()
}, 300_000)
