import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { examineNotices } from '../../src/service/examine/examine-notices.ts'
import { listenForNotices } from '../../src/store/live/listen.ts'
import { type Notice, sendNotice } from '../../src/store/live/notices.ts'
import { ownDatabase } from '../support/database.ts'
import { swallowingProxy } from '../support/swallowing-proxy.ts'

const { connection, db } = await ownDatabase()

/** Settings that reach the database through a proxy. */
async function behindProxy(filter?: () => (data: Buffer) => Buffer) {
  const { host, port, user, database, password } = new pg.Client(connection)
  const isFolder = host.startsWith('/')
  const to = isFolder ? { path: `${host}/.s.PGSQL.${port}` } : { host, port }
  const proxy = await swallowingProxy(to, filter)
  onTestFinished(proxy.close)
  return { proxy, settings: { user, database, password, host: '127.0.0.1', port: proxy.port } }
}

/** Leaves out messages of the kind `A`, as a pooler that gives each statement another connection. */
function withoutNotices(): (data: Buffer) => Buffer {
  let waiting = Buffer.alloc(0)
  return (data) => {
    waiting = Buffer.concat([waiting, data])
    const passed: Buffer[] = []
    while (waiting.length >= 5 && waiting.length > waiting.readInt32BE(1)) {
      const message = waiting.subarray(0, waiting.readInt32BE(1) + 1)
      if (message.toString('latin1', 0, 1) !== 'A') passed.push(message)
      waiting = waiting.subarray(message.length)
    }
    return Buffer.concat(passed)
  }
}

test('the doctor reports whether notices arrive', async () => {
  expect(await examineNotices({ db, connection })).toEqual({
    subject: 'live events',
    verdict: 'ok',
    found: "notices between processes arrive; 0 % of PostgreSQL's queue for notices are in use",
  })
  const { settings } = await behindProxy(withoutNotices)
  expect(await examineNotices({ db, connection: settings }, 300)).toEqual({
    subject: 'live events',
    verdict: 'warning',
    found:
      'notices do not come back through the connection to PostgreSQL, so live events are missing',
    remedy: 'set DATABASE_URL to a direct connection, not one through a pooler in transaction mode',
  })
})

test('a listener whose connection silently stops to deliver gets a new one', async () => {
  const { proxy, settings } = await behindProxy()
  const taken: Notice[] = []
  const failed: string[] = []
  let resumed = 0
  const listening = listenForNotices(
    settings,
    {
      take: (notice) => taken.push(notice),
      resumed: () => (resumed += 1),
      failed: ({ message }) => failed.push(message),
    },
    { every: 400, within: 300 },
  )
  onTestFinished(listening.close)
  await listening.begun
  await sendNotice(db, { kind: 'watched', job_id: 1 })
  await expect.poll(() => taken, { timeout: 20_000 }).toEqual([{ kind: 'watched', job_id: 1 }])
  proxy.swallow()
  await expect.poll(() => resumed, { timeout: 20_000 }).toBeGreaterThan(0)
  expect(failed.length).toBeGreaterThan(0)
  await sendNotice(db, { kind: 'watched', job_id: 2 })
  await expect.poll(() => taken.at(-1), { timeout: 20_000 }).toEqual({ kind: 'watched', job_id: 2 })
})
