import { expect, test } from 'vitest'
import { createServer } from '../../src/http/server.ts'
import { testContext } from '../support/context.ts'
import { ownDatabase } from '../support/database.ts'
import { factories } from '../support/factories.ts'
import { caller } from './door.ts'

const { db } = await ownDatabase()
const make = factories(db)

async function metricsWith(headers: Record<string, string>, token: string | null = 'right') {
  const ctx = testContext(db)
  const stream = () => ({ connections: 3, messages: 70 })
  if (token !== null) ctx.metrics = { token, stream }
  return caller(await createServer(ctx))('GET /metrics', headers)
}

const right = { authorization: 'Bearer right' }

test('GET /metrics shows the work of the installation and the streams of the process', async () => {
  const build = await make.build()
  await make.job({ build, state: 'started' })
  await make.job({ build, state: 'started' })
  await make.job({ build, state: 'passed' })
  const { statusCode, headers, body } = await metricsWith(right)
  expect([statusCode, headers['content-type']]).toEqual([
    200,
    'text/plain; version=0.0.4; charset=utf-8',
  ])
  const lines = body.split('\n')
  expect(lines).toEqual(
    expect.arrayContaining([
      'build_service_jobs{state="created"} 0',
      'build_service_jobs{state="started"} 2',
      'build_service_oldest_waiting_job_seconds 0',
      'build_service_queue_entries{queue="job.run",state="active"} 2',
      'build_service_runners{able="true"} 0',
      'build_service_stream_connections 3',
      'build_service_stream_messages_total 70',
    ]),
  )
  expect(body).not.toContain('passed')
})

test.each([
  ['no token', {}, 'right'],
  ['a wrong token', { authorization: 'Bearer wrong' }, 'right'],
  ['another scheme', { authorization: 'token right' }, 'right'],
  ['no token, where there are no metrics', {}, null],
])('GET /metrics is not found with %s', async (_what, headers, token) => {
  expect((await metricsWith(headers, token)).statusCode).toBe(404)
})
