import { beforeAll, describe, expect, test } from 'vitest'
import { createServer } from '../../../src/http/server.ts'
import { v3Client } from '../../support/client.ts'
import { noon, testContext } from '../../support/context.ts'
import { ownDatabase } from '../../support/database.ts'
import { factories } from '../../support/factories.ts'
import type { Role } from '../v2/roles.ts'
import { build, type BuildScene, makeBuilds, missing, stageOf } from './build-scene.ts'

const { db } = await ownDatabase()
const make = factories(db)
const client = v3Client(await createServer(testContext(db)))

let scene: BuildScene
beforeAll(async () => {
  scene = await makeBuilds(db)
})

const call = (asked: string, who: Role = 'no one') => client(asked, { token: scene.tokens[who] })

async function shown(asked: string): Promise<Record<string, unknown>> {
  const { status, body } = await call(asked)
  expect(status).toBe(200)
  return body as Record<string, unknown>
}

describe('the stages of a build', () => {
  test('are shown in their order', async () => {
    expect(await call('GET /build/1/stages')).toEqual({
      status: 200,
      body: {
        '@type': 'stages',
        '@href': '/build/1/stages',
        '@representation': 'standard',
        stages: build.stages.map((stage, index) => ({
          ...stage,
          '@representation': 'standard',
          jobs: [build.jobs[index]],
        })),
      },
    })
  })

  test('are hidden with the build', async () => {
    expect(await call('GET /build/2/stages')).toEqual(missing('build'))
    expect(await call('GET /build/9/stages')).toEqual(missing('build'))
    expect(await call('GET /build/2/stages', 'reader')).toMatchObject({ status: 200 })
  })

  test('have no pages', async () => {
    const body = await shown('GET /build/1/stages?limit=1')
    expect(body).toMatchObject({ '@warnings': [{ parameter: 'limit' }], stages: [{}, {}] })
    expect(body).not.toHaveProperty('@pagination')
  })

  test('include their jobs', async () => {
    expect(await shown('GET /build/1/stages?include=stage.jobs')).toMatchObject({
      stages: [{ jobs: [{ '@representation': 'standard', number: '1.1' }] }, { jobs: [{ id: 2 }] }],
    })
  })

  test('show when they ran, once they have', async () => {
    const build = await make.build({ state: 'passed' })
    const { id } = await make.stage(build, 1, 'deploy')
    await db
      .updateTable('stages')
      .set({ state: 'passed', started_at: noon, finished_at: new Date(noon.getTime() + 9000) })
      .where('id', '=', id)
      .execute()
    expect((await shown(`GET /build/${build.id}/stages`)).stages).toEqual([
      {
        ...stageOf(1),
        '@representation': 'standard',
        id,
        name: 'deploy',
        state: 'passed',
        started_at: '2026-01-02T12:00:00Z',
        finished_at: '2026-01-02T12:00:09Z',
        jobs: [],
      },
    ])
  })
})
