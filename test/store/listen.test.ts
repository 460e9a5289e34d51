import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { listenForNotices } from '../../src/store/live/listen.ts'
import { type Notice, sendNotice } from '../../src/store/live/notices.ts'
import { ownDatabase } from '../support/database.ts'
import { swallowingProxy } from '../support/swallowing-proxy.ts'

const { connection, db } = await ownDatabase()

test('a listener whose connection silently stops to deliver gets a new one', async () => {
  const { host, port, user, database, password } = new pg.Client(connection)
  const isFolder = host.startsWith('/')
  const proxy = await swallowingProxy(
    isFolder ? { path: `${host}/.s.PGSQL.${port}` } : { host, port },
  )
  const taken: Notice[] = []
  const failed: string[] = []
  let resumed = 0
  const listening = listenForNotices(
    { user, database, password, host: '127.0.0.1', port: proxy.port },
    {
      take: (notice) => taken.push(notice),
      resumed: () => (resumed += 1),
      failed: ({ message }) => failed.push(message),
    },
    { every: 400, within: 300 },
  )
  onTestFinished(async () => {
    await listening.close()
    await proxy.close()
  })
  await listening.begun
  await sendNotice(db, { kind: 'watched', job_id: 1 })
  await expect.poll(() => taken, { timeout: 20_000 }).toEqual([{ kind: 'watched', job_id: 1 }])
  proxy.swallow()
  await expect.poll(() => resumed, { timeout: 20_000 }).toBeGreaterThan(0)
  expect(failed.length).toBeGreaterThan(0)
  await sendNotice(db, { kind: 'watched', job_id: 2 })
  await expect.poll(() => taken.at(-1), { timeout: 20_000 }).toEqual({ kind: 'watched', job_id: 2 })
})
