import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { sql } from 'kysely'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createSealer } from '../../src/secrets/seal.ts'
import { keepEmbedded } from '../../src/store/embedded/keep-running.ts'
import { startEmbedded } from '../../src/store/embedded/server.ts'
import { openDatabase } from '../../src/store/sql/connection.ts'
import { deliver, expectOnePassedBuild, unpushedCommit } from '../support/local-story.ts'
import { startProcess } from '../support/service-process.ts'

const key = Buffer.alloc(32, 3)

function folder(): string {
  const made = mkdtempSync(path.join(tmpdir(), 'faults-embedded-'))
  onTestFinished(() => rmSync(made, { recursive: true, force: true }))
  return made
}

function pidIn(root: string): number {
  return Number(readFileSync(path.join(root, 'data', 'postmaster.pid'), 'utf8').split('\n')[0])
}

const eventually = (check: () => void | Promise<void>) =>
  vi.waitFor(check, { timeout: 60_000, interval: 50 })

test('a service whose embedded server is killed restarts the server, and goes on', async () => {
  const dataDir = folder()
  const root = path.join(dataDir, 'postgres')
  const env = { DATA_DIR: dataDir, MASTER_KEY: key.toString('hex'), LOG_LEVEL: 'silent' }
  const service = await startProcess(env)
  onTestFinished(() => service.stop())
  const { connection, stop } = await startEmbedded(root)
  const { db, close } = openDatabase(connection, () => {})
  onTestFinished(async () => {
    await close()
    await stop()
  })
  const delivery = await unpushedCommit(db, 'sleep 3; echo over')
  await deliver(service.url, createSealer(key), delivery)
  await eventually(async () => {
    const states = await db.selectFrom('jobs').select('state').execute()
    expect(states).toEqual([{ state: 'started' }])
  })

  process.kill(pidIn(root), 'SIGKILL')
  await eventually(async () => expect((await fetch(`${service.url}/ready`)).status).toBe(503))
  expect((await fetch(`${service.url}/health`)).status).toBe(200)
  await eventually(async () => expect((await fetch(`${service.url}/ready`)).status).toBe(200))
  await expectOnePassedBuild(db, 1)
  expect(service.child.exitCode).toBeNull()
}, 120_000)

test('an embedded server that dies again and again is no longer restarted, and the error explains why', async () => {
  const root = path.join(folder(), 'postgres')
  const deaths: string[] = []
  const server = await keepEmbedded(
    root,
    (reason) => void deaths.push(reason),
    () => 0,
  )
  onTestFinished(() => server.stop())
  for (const death of [1, 2, 3]) {
    process.kill(pidIn(root), 'SIGKILL')
    await eventually(() => expect(deaths).toHaveLength(death))
    const { db, close } = openDatabase(server.connection, () => {})
    // The server is watched again: every process that uses it holds a lock, and checks last whether
    // the database exists. A server that is killed before that is restarted within the same
    // attempt, without a report.
    await eventually(async () => {
      const { rows } = await sql`
        select from pg_locks join pg_stat_activity using (pid)
        where locktype = 'advisory' and state = 'idle' and query like '%pg_database%'`.execute(db)
      expect(rows).toHaveLength(1)
    })
    await close()
  }
  process.kill(pidIn(root), 'SIGKILL')
  const { message } = await server.lost
  expect(message).toContain(`the embedded PostgreSQL in ${root} ended 4 times within a minute`)
  expect(message).toContain('start build-service again')
  expect(deaths).toHaveLength(3)
}, 60_000)
