// What every door says in each situation. The page is written by `npm run docs:why`.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ownDatabase } from '../support/database.ts'
import { urlOf } from '../support/service-process.ts'
import { evidenceOf } from './why/evidence.ts'
import { pageOf, type Shown } from './why/page.ts'
import { openScenes } from './why/scene.ts'
import { situations } from './why/situations.ts'

const { db, connection } = await ownDatabase()
const shown: Shown[] = []
let scenes: Awaited<ReturnType<typeof openScenes>>

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
    expect(Array.from(description).length).toBeLessThanOrEqual(140)
  }
  shown.push({ title, file: file ?? null, evidence })
})

test('docs/why.md says what they all say', async () => {
  expect(shown).toHaveLength(situations.length)
  await expect(pageOf(shown)).toMatchFileSnapshot('../../docs/why.md')
})
