import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readConfig } from '../../src/config/config.ts'
import { startService } from '../../src/service/start.ts'
import { hiddenIn } from '../http/login-scene.ts'
import { tagsIn } from '../http/pages/reading.ts'
import { eventually, isPassed, toldOf } from '../support/app-story.ts'
import { startCodehost } from '../support/codehost/codehost.ts'
import { testLog } from '../support/context.ts'
import { ownDatabase } from '../support/database.ts'
import { urlOf } from '../support/service-process.ts'

/** A relay like smee.io: each post is sent to all connected clients as one event. */
async function openRelayServer() {
  const connected = new Set<ServerResponse>()
  const server = createServer((request, response) => {
    if (request.method === 'GET') {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write('event: ready\ndata: {}\n\n')
      connected.add(response)
      response.on('close', () => connected.delete(response))
      return
    }
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body: unknown = JSON.parse(Buffer.concat(chunks).toString())
      const data = JSON.stringify({ ...request.headers, body, query: {}, timestamp: 1 })
      for (const each of connected) each.write(`id: 1\ndata: ${data}\n\n`)
      response.writeHead(200).end('{}')
    })
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/channel`, connected }
}

const html = { accept: 'text/html' }

const actionIn = (page: string) =>
  tagsIn(page).find(({ name }) => name === 'form')?.attributes.action ?? ''

/** Sends a form as a browser does, without following redirects. */
const send = (url: string, fields: Record<string, string>, headers = {}) =>
  fetch(url, {
    method: 'POST',
    body: new URLSearchParams(fields),
    redirect: 'manual',
    headers: { ...html, ...headers },
  })

test('an app that is registered with a relay receives its webhooks and builds without a public address', async () => {
  const relay = await openRelayServer()
  const { db, connection } = await ownDatabase()
  const host = await startCodehost()
  // The pages of the code host are not part of its description.
  onTestFinished(() => host.stop({ beyondDescription: true }))
  host.addUser({ login: 'anna' })
  host.signIn('anna')
  const dataDir = mkdtempSync(path.join(tmpdir(), 'build-service-relay-'))
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }))
  const config = readConfig({
    ...{ DATA_DIR: dataDir, DATABASE_URL: urlOf(connection), PORT: '0', RUNNER_SLOTS: '1' },
    ...{ GHE_HOST: new URL(host.url).host, GHE_PROTOCOL: 'http', WEBHOOK_PROXY_URL: relay.url },
  })
  const service = await startService(config, { log: testLog })
  onTestFinished(() => service.stop())
  await eventually(() => expect(relay.connected.size).toBe(1))

  // The steps of the operator in the browser.
  const begun = await send(`${service.url}/setup/app`, { code: service.setupCode ?? '' })
  const [cookie = ''] = String(begun.headers.get('set-cookie')).split(';', 1)
  const page = await begun.text()
  const { manifest = '' } = hiddenIn(page)
  expect(JSON.parse(manifest)).toMatchObject({
    hook_attributes: { url: relay.url, active: true },
    redirect_url: `${service.url}/setup/callback`,
  })
  const asked = await (await send(actionIn(page), { manifest })).text()
  const agreed = await send(new URL(actionIn(asked), host.url).href, hiddenIn(asked))
  const back = agreed.headers.get('location') ?? ''
  const done = await fetch(back, { headers: { ...html, cookie }, redirect: 'manual' })
  expect([done.status, done.headers.get('location')]).toEqual([302, '/setup'])

  const repository = await host.addRepository({ owner: 'octavia' })
  await eventually(async () => {
    const known = await db.selectFrom('repositories').select('codehost_id').execute()
    expect(known).toEqual([{ codehost_id: repository.id }])
  })
  const sha = await host.commit(repository, { files: { '.service.yml': 'script: true' } })
  await eventually(() => expect(toldOf(host, repository, sha)).toSatisfy(isPassed))
  // All webhooks came through the relay: the code host has no other address.
  const deliveries = await db.selectFrom('deliveries').select('event').execute()
  expect(deliveries.map(({ event }) => event)).toContain('push')
  expect(new Set(host.deliveries.map(({ url }) => url))).toEqual(new Set([relay.url]))
})
