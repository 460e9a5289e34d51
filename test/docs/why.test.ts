// What every door says in each situation. The page is written by `npm run docs:why`.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ownDatabase } from '../support/database.ts'
import { urlOf } from '../support/service-process.ts'
import { evidenceOf } from './why/evidence.ts'
import { failures } from './why/failures.ts'
import { pageOf, type Shown, type ShownRun } from './why/page.ts'
import { evidenceOfFailure } from './why/recorded-run.ts'
import { openScenes } from './why/scene.ts'
import { situations } from './why/situations.ts'

const { db, connection } = await ownDatabase()
const shown: Shown[] = []
const shownRuns: ShownRun[] = []
let scenes: Awaited<ReturnType<typeof openScenes>>

/** Maximum length of a status at the code host. */
const mostOfStatus = 140

describe('why a push was built, or not', () => {
  beforeAll(async () => {
    scenes = await openScenes(db, urlOf(connection))
  })

  afterAll(() => scenes.stop())

  test.each(situations)('$title: something is said', async ({ title, file, act, open, after }) => {
    const scene = await scenes.next()
    const sha = await act(scene, file ?? '')
    if (open) await open(scene)
    else await scene.rest()
    const evidence = await evidenceOf(scenes.service, scene, sha)
    await after?.(scene)
    await scene.rest()

    expect(Object.values(evidence).flat().length).toBeGreaterThan(0)
    for (const line of evidence.status) {
      // Behind its context and its state.
      const description = line.replace(/^\w+: \w+: /, '')
      expect(Array.from(description).length).toBeLessThanOrEqual(mostOfStatus)
    }
    shown.push({ title, file: file ?? null, evidence })
  })
})

describe('why a job failed', () => {
  beforeAll(async () => {
    scenes = await openScenes(db, urlOf(connection), { BUILD_CHECK: 'true' })
  })

  afterAll(() => scenes.stop())

  test.each(failures)('$title: each door shows the same lines', async (failure) => {
    const scene = await scenes.next()
    const { status, check, page, api } = await evidenceOfFailure(scenes.service, scene, failure)
    const description = status.replace(/^\w+: /, '')
    expect(Array.from(description).length).toBeLessThanOrEqual(mostOfStatus)
    expect(description).toContain(failure.status)
    expect(api.lines.length).toBeLessThanOrEqual(10)
    for (const { number } of api.lines.slice(0, 3)) {
      expect(check).toMatch(new RegExp(`^${number}: `, 'm'))
      expect(page).toContain(`#L${number}"`)
    }
    shownRuns.push({ title: failure.title, status, ...api })
  })
})

test('docs/why.md says what they all say', async () => {
  expect(shown).toHaveLength(situations.length)
  expect(shownRuns).toHaveLength(failures.length)
  await expect(pageOf(shown, shownRuns)).toMatchFileSnapshot('../../docs/why.md')
})
