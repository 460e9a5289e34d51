import { beforeAll, describe, expect, test } from 'vitest'
import { createServer } from '../../../src/http/server.ts'
import { v3Client } from '../../support/client.ts'
import { noon, testContext } from '../../support/context.ts'
import { ownDatabase } from '../../support/database.ts'
import { factories } from '../../support/factories.ts'
import type { Role } from '../v2/roles.ts'
import { type BuildScene, makeBuilds, missing } from './build-scene.ts'

const { db } = await ownDatabase()
const make = factories(db)
const client = v3Client(await createServer(testContext(db)))

let scene: BuildScene
beforeAll(async () => {
  scene = await makeBuilds(db)
})

const call = (asked: string, who: Role = 'no one') => client(asked, { token: scene.tokens[who] })

describe('GET /job/{job.id}/attempts', () => {
  test('shows each attempt before a restart, and the current one', async () => {
    const build = await make.build({ state: 'started' })
    const { id } = await make.job({ build, attempt: 2 })
    const after = (seconds: number) => new Date(noon.getTime() + seconds * 1000)
    const times = {
      created_at: noon,
      queued_at: after(1),
      received_at: after(2),
      started_at: after(3),
      finished_at: after(4),
      restarted_at: after(-1),
    }
    await db
      .insertInto('job_versions')
      .values({
        job_id: id,
        number: 1,
        state: 'errored',
        ...times,
        lost_reason: 'its runner was lost',
      })
      .execute()
    const attempt = {
      '@type': 'attempt',
      '@representation': 'standard',
      '@permissions': { read: true, write: false },
    }
    expect(await call(`GET /job/${id}/attempts`)).toEqual({
      status: 200,
      body: {
        '@type': 'attempts',
        '@href': `/job/${id}/attempts`,
        '@representation': 'standard',
        attempts: [
          {
            ...attempt,
            number: 1,
            state: 'errored',
            created_at: '2026-01-02T12:00:00Z',
            queued_at: '2026-01-02T12:00:01Z',
            received_at: '2026-01-02T12:00:02Z',
            started_at: '2026-01-02T12:00:03Z',
            finished_at: '2026-01-02T12:00:04Z',
            restarted_at: '2026-01-02T11:59:59Z',
            cancel_reason: null,
            lost_reason: 'its runner was lost',
          },
          {
            ...attempt,
            number: 2,
            state: 'created',
            created_at: '2026-01-02T12:00:00Z',
            queued_at: null,
            received_at: null,
            started_at: null,
            finished_at: null,
            restarted_at: null,
            cancel_reason: null,
            lost_reason: null,
          },
        ],
      },
    })
  })

  test('hides the attempts of a private job', async () => {
    expect(await call('GET /job/3/attempts')).toEqual(missing('job'))
    expect(await call('GET /job/99/attempts')).toEqual(missing('job'))
    expect(await call('GET /job/3/attempts', 'reader')).toMatchObject({
      status: 200,
      body: {
        attempts: [{ number: 1, state: 'passed', '@permissions': { read: true, write: false } }],
      },
    })
  })
})
