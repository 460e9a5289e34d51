import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { createMetricsServer, metricsOf } from '../../src/http/metrics.ts'
import { createServer } from '../../src/http/server.ts'
import { noon, testContext } from '../support/context.ts'
import { ownDatabase } from '../support/database.ts'
import { factories } from '../support/factories.ts'
import { caller } from './door.ts'

const { db } = await ownDatabase()
const make = factories(db)

async function metricsWith(headers: Record<string, string>, token: string | null = 'right') {
  const ctx = testContext(db)
  const stream = () => ({ connections: 3, messages: 70 })
  const source = { stream, takeEnded: () => ended.splice(0) }
  if (token !== null) ctx.metrics = { token, read: metricsOf(ctx, source) }
  return caller(await createServer(ctx))('GET /metrics', headers)
}

const ended: { job_id: number; attempt: number }[] = []

const right = { authorization: 'Bearer right' }

test('GET /metrics shows the work of the installation and the streams of the process', async () => {
  const build = await make.build()
  await make.job({ build, state: 'started' })
  await make.job({ build, state: 'started' })
  await make.job({ build, state: 'passed' })
  const bytes = await sql<{ bytes: number }>`
    select pg_total_relation_size('log_parts')::int as bytes
  `.execute(db)
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
      `build_service_log_bytes{place="database"} ${bytes.rows[0]?.bytes}`,
      'build_service_log_bytes{place="objects"} 0',
      'build_service_notice_queue_ratio 0',
      'build_service_runners{able="true"} 0',
      'build_service_stream_connections 3',
      'build_service_stream_messages_total 70',
    ]),
  )
  expect(body).not.toContain('build_service_jobs{state="passed"}')
})

test.each([
  ['no token', {}, 'right'],
  ['a wrong token', { authorization: 'Bearer wrong' }, 'right'],
  ['another scheme', { authorization: 'token right' }, 'right'],
  ['no token, while metrics are turned off', {}, null],
])('GET /metrics is not found with %s', async (_what, headers, token) => {
  expect((await metricsWith(headers, token)).statusCode).toBe(404)
})

test('a server for metrics shows them without a token, and nothing else', async () => {
  const ctx = testContext(db)
  const source = { stream: () => ({ connections: 3, messages: 70 }), takeEnded: () => [] }
  const call = caller(await createMetricsServer(metricsOf(ctx, source)))
  const { statusCode, body } = await call('GET /metrics')
  expect(statusCode).toBe(200)
  expect(body).toContain('build_service_stream_connections 3\n')
  for (const path of ['/', '/health', '/repos', '/webhooks/codehost']) {
    expect((await call(`GET ${path}`)).statusCode).toBe(404)
  }
})

test('GET /metrics shows how long jobs waited and ran, and the age of the oldest waiting work', async () => {
  const build = await make.build()
  const times = { queued_at: later(0), started_at: later(2), finished_at: later(42) }
  const passed = await make.job({ build, state: 'passed', ...times })
  const failed = await make.job({ build, state: 'failed', ...times })
  const again = await make.job({ build, state: 'passed', ...times })
  ended.push(
    { job_id: passed.id, attempt: passed.attempt },
    { job_id: failed.id, attempt: failed.attempt },
    { job_id: again.id, attempt: again.attempt - 1 },
  )
  const lines = (await metricsWith(right)).body.split('\n')
  expect(lines).toEqual(
    expect.arrayContaining([
      'build_service_job_duration_seconds_bucket{le="30",state="passed"} 0',
      'build_service_job_duration_seconds_bucket{le="60",state="passed"} 1',
      'build_service_job_duration_seconds_sum{state="failed"} 40',
      'build_service_job_duration_seconds_count{state="errored"} 0',
      'build_service_job_wait_seconds_bucket{le="1"} 0',
      'build_service_job_wait_seconds_count 2',
      'build_service_oldest_waiting_seconds{work="delivery"} 0',
      'build_service_oldest_waiting_seconds{work="status"} 0',
    ]),
  )
})

const later = (seconds: number) => new Date(noon.getTime() + seconds * 1000)
