import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { appendLog } from '../../src/flow/jobs/logs.ts'
import { ownDatabase } from '../support/database.ts'
import { factories } from '../support/factories.ts'
import { app, serve } from './scene.ts'

const database = await ownDatabase()
const make = factories(database.db)

interface Call {
  path: string
  events: { name: string; channel: string; data: string }[]
}

test('only one of two web processes publishes through another service, with signed calls', async () => {
  const calls: Call[] = []
  let failures = 1
  const outside = createServer((request, response) => void take(request, response))
  async function take(request: IncomingMessage, response: ServerResponse) {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks).toString()
    const url = new URL(request.url ?? '/', 'http://outside')
    const { searchParams } = url
    const given = searchParams.get('auth_signature')
    const sent = [...searchParams].filter(([name]) => name !== 'auth_signature')
    const text = [
      'POST',
      url.pathname,
      sent
        .map((pair) => pair.join('='))
        .toSorted((a, b) => (a < b ? -1 : 1))
        .join('&'),
    ]
    const wanted = createHmac('sha256', app.secret).update(text.join('\n')).digest('hex')
    if (failures > 0 || given !== wanted) {
      failures -= 1
      return response.writeHead(500).end()
    }
    const { batch } = JSON.parse(body) as { batch: Call['events'] }
    calls.push({ path: url.pathname, events: batch })
    return response.end('{}')
  }
  outside.listen(0, '127.0.0.1')
  await once(outside, 'listening')
  onTestFinished(() => void outside.close())
  const { port } = outside.address() as AddressInfo
  const env = { STREAMING_URL: `http://127.0.0.1:${port}` }
  const first = await serve(database, { env })
  const services = [first, await serve(database, { env })]
  const job = await make.job({ state: 'started' })
  const run = { job_id: job.id, attempt: job.attempt }
  await appendLog(first.ctx, run, [{ number: 1, content: 'x\n', final: false }])
  const logs = () => calls.flatMap(({ events }) => events.filter(({ name }) => name === 'job:log'))
  await expect.poll(() => logs().length, { timeout: 15_000 }).toBe(2)
  expect(logs().map(({ channel }) => channel)).toEqual([`private-job-${job.id}`, `job-${job.id}`])
  expect(JSON.parse(logs()[0]?.data ?? '')).toMatchObject({ number: 1, content: 'x\n' })
  expect(new Set(calls.map(({ path }) => path))).toEqual(new Set([`/apps/${app.id}/batch_events`]))
  const config = await (await fetch(`${first.url}/config`)).json()
  expect(config).toMatchObject({ config: { streaming: { key: app.key, host: '127.0.0.1', port } } })
  await Promise.all(services.map((service) => service.close()))
})
