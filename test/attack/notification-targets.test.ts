import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { readConfig } from '../../src/config/config.ts'
import { type Service, startService } from '../../src/service/start.ts'
import { atRest, eventually as within } from '../support/app-story.ts'
import { testLog } from '../support/context.ts'
import { ownDatabase } from '../support/database.ts'
import { deliver, emptyEverything, unpushedCommit } from '../support/local-story.ts'
import { urlOf } from '../support/service-process.ts'

const { db, connection } = await ownDatabase()
const dataDir = mkdtempSync(path.join(tmpdir(), 'build-service-targets-'))

/** Two targets at the same port: one that must not be called, and one that the operator allows. */
const [victim, allowed] = ['127.0.0.1', '127.0.0.2'] as const
let servers: Server[]
let service: Service
let port: number
/** `address path` of each call. */
let called: string[]
/** The addresses that a name resolves to, for each look-up. */
let answers: string[]

beforeAll(async () => {
  const onVictim = await listen(victim, 0)
  port = (onVictim.address() as AddressInfo).port
  servers = [onVictim, await listen(allowed, port)]
  const env = { DATA_DIR: dataDir, DATABASE_URL: urlOf(connection), PORT: '0', RUNNER_SLOTS: '2' }
  service = await startService(readConfig({ ...env, NOTIFICATION_NETWORKS: allowed }), {
    log: testLog,
    resolve: async () => [answers.shift() ?? victim],
  })
})

afterAll(async () => {
  for (const server of servers) server.closeAllConnections()
  await service.stop()
  for (const server of servers) server.close()
  rmSync(dataDir, { recursive: true, force: true })
})

beforeEach(() => {
  called = []
  answers = []
})

afterEach(() => emptyEverything(db))

const eventually = (check: () => void | Promise<void>) => within(check, 100)

/** A server that never responds below `/never`. */
function listen(host: string, at: number): Promise<Server> {
  const server = createServer((request, response) => {
    called.push(`${host} ${request.url}`)
    if (request.url?.startsWith('/never') !== true) response.end()
  })
  return new Promise((resolve) => server.listen(at, host, () => resolve(server)))
}

/** Builds a build file with these lines, in a separate repository. */
async function push(lines: readonly string[], name = 'hello'): Promise<void> {
  const delivery = await unpushedCommit(db, ["'true'", ...lines].join('\n'), name)
  expect(await deliver(service.localUrl, service.ctx.sealer, delivery)).toBe(true)
}

const telling = (urls: readonly string[]) => [
  'notifications:',
  '  webhooks:',
  ...urls.map((url) => `    - ${url}`),
]

const outcomes = () =>
  db.selectFrom('notifications').select(['target', 'state', 'message']).orderBy('id').execute()

const refused = (host: string) =>
  `${host} has an address that is not public, or is this machine, which this service does not call ` +
  'unless its operator allows it (NOTIFICATION_NETWORKS)'

test('a notification to a private address (SSRF) is refused by a running service', async () => {
  const hosts = ['127.0.0.1', '2130706433', '[::ffff:127.0.0.1]', 'named.example.org']
  await push(telling(hosts.map((host, index) => `http://${host}:${port}/${index}`)))
  await eventually(async () => {
    const found = await outcomes()
    expect(found.map(({ state }) => state)).toEqual(hosts.map(() => 'failed'))
    expect(found[0]?.message).toBe(refused(victim))
    expect(found.at(-1)?.message).toBe(refused('named.example.org'))
  })
  expect(called).toEqual([])
}, 240_000)

test('a name that resolves to a private address at the second look-up (DNS rebinding) is refused', async () => {
  answers = [allowed, victim]
  const url = `http://rebind.example.org:${port}`
  await push(telling([`${url}/first`]))
  await eventually(async () => expect(await outcomes()).toMatchObject([{ state: 'sent' }]))
  // The name is resolved once, and the connection goes to the address found.
  expect({ called, answers }).toEqual({ called: [`${allowed} /first`], answers: [victim] })

  await push(telling([`${url}/second`]), 'again')
  await eventually(async () =>
    expect(await outcomes()).toMatchObject([
      { state: 'sent' },
      { state: 'failed', message: refused('rebind.example.org') },
    ]),
  )
  expect(called).toEqual([`${allowed} /first`])
}, 240_000)

test('an import that names an address (SSRF) is refused without a call', async () => {
  const sources = [
    `http://127.0.0.1:${port}/file.yml`,
    `//127.0.0.1:${port}/file.yml`,
    `127.0.0.1:${port}/file.yml`,
    `user@127.0.0.1:${port}/file.yml`,
    `a/..:http://127.0.0.1:${port}/file.yml`,
    `rebind.example.org/x:http://rebind.example.org:${port}/file.yml`,
  ]
  for (const [index, source] of sources.entries()) {
    await push(['import:', `  - ${source}`], `importing-${index}`)
  }
  await eventually(async () => {
    const builds = await db.selectFrom('builds').select('state').execute()
    expect(builds).toEqual(sources.map(() => ({ state: 'errored' })))
  })
  await atRest(db)
  expect(called).toEqual([])
  expect(answers).toEqual([])
}, 240_000)

test('targets of one repository that never respond do not hold up those of another', async () => {
  const names = Array.from({ length: 40 }, (_, index) => `http://${allowed}:${port}/never/${index}`)
  await push(telling(names), 'slow')
  await eventually(() => expect(called).toHaveLength(2))
  await push(telling([`http://${allowed}:${port}/hello`]), 'other')
  await eventually(() => expect(called).toContain(`${allowed} /hello`))
  // The outcome is written after the call; the slow calls have none before they are given up.
  await eventually(async () => {
    const sent = (await outcomes()).filter(({ state }) => state === 'sent')
    expect(sent.map(({ target }) => target)).toEqual([`http://${allowed}:${port}/hello`])
  })
  for (const server of servers) server.closeAllConnections()
}, 240_000)
