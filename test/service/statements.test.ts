import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { readConfig } from '../../src/config/config.ts'
import { startService } from '../../src/service/start.ts'
import { appSettings, atRest, eventually } from '../support/app-story.ts'
import { startCodehost } from '../support/codehost/codehost.ts'
import { testLog } from '../support/context.ts'
import { ownDatabase } from '../support/database.ts'
import { needs } from '../support/needs.ts'
import { redis, startRedis } from '../support/redis.ts'
import { urlOf } from '../support/service-process.ts'

const host = await startCodehost()
afterAll(() => host.stop())

/**
 * The statements that a process runs every few seconds, with or without a push; the last ones are
 * the queue's.
 */
const repeated =
  /"runners" set|into tasks|"leases" set|^-- (?:The worker "no job"|Whether the|The timestamp|Two-phase)/
const stored = /^insert into deliveries/
const firstStart = /"started" as \(update "jobs"/

/**
 * The statements that this process sends to PostgreSQL until a job has started. Reports to the code
 * host are left out: they are made beside the first job, each on a connection that holds a lock.
 */
function untilFirstStart(): Promise<string[]> {
  const statements: string[] = []
  const reporting = new Set<unknown>()
  const { query } = pg.Client.prototype
  return new Promise((resolve) => {
    function note(client: pg.Client, text: string): void {
      if (text.includes('pg_try_advisory_lock')) reporting.add(client)
      const isReport = reporting.has(client)
      if (text.includes('pg_advisory_unlock')) reporting.delete(client)
      if (stored.test(text)) statements.length = 0
      if (!isReport && !repeated.test(text)) statements.push(text)
      if (!firstStart.test(text)) return
      pg.Client.prototype.query = query
      resolve(statements)
    }
    pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
      const [given] = args
      const text = typeof given === 'string' ? given : String((given as { text?: string }).text)
      note(this, text.replaceAll(/\s+/g, ' ').trim())
      return Reflect.apply(query, this, args) as never
    }
  })
}

async function statementsUntilFirstStart(settings: Record<string, string>): Promise<string[]> {
  const { db, connection } = await ownDatabase()
  const dataDir = mkdtempSync(path.join(tmpdir(), 'build-service-statements-'))
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }))
  const env = { DATA_DIR: dataDir, DATABASE_URL: urlOf(connection), PORT: '0', RUNNER_SLOTS: '4' }
  const config = readConfig({ ...env, ...appSettings(host), ...settings })
  const service = await startService(config, { log: testLog })
  try {
    host.setWebhookUrl(`${service.localUrl}/webhooks/codehost`)
    const repository = await host.addRepository({ owner: 'octavia' })
    await eventually(async () => {
      const known = await db.selectFrom('repositories').select('codehost_id').execute()
      expect(known).toContainEqual({ codehost_id: repository.id })
    })
    const file = 'language: generic\nenv: [A=1, A=2, A=3, A=4]\nscript: "true"'
    await host.commit(repository, { files: { '.service.yml': file } })
    const passed = (count: number) =>
      eventually(async () => {
        const builds = await db.selectFrom('builds').select('state').execute()
        expect(builds.map(({ state }) => state)).toEqual(Array(count).fill('passed'))
        await atRest(db)
      }, 80)
    await passed(1)
    const found: string[][] = []
    // The sweep of every half minute can fall between the statements of one push, but not of all.
    for (const push of [2, 3, 4]) {
      const statements = untilFirstStart()
      await host.commit(repository, { files: { '.service.yml': file, push: String(push) } })
      found.push(await statements)
      await passed(push)
    }
    return found.reduce((least, each) => (each.length < least.length ? each : least))
  } finally {
    await service.stop()
  }
}

// Of these, 33 lead to the first job, those of the other three jobs come at most twice each, and
// the rest is the queue's.
const isFew = (statements: readonly string[]) => statements.length <= 50

test(
  'few statements are sent between a push and the first of its four jobs',
  { timeout: 120_000 },
  async () => {
    const statements = await statementsUntilFirstStart({})
    expect(statements).toSatisfy(isFew)
  },
)

test(
  'few statements are sent with Redis as well',
  { ...needs(redis), timeout: 120_000 },
  async () => {
    const server = await startRedis()
    onTestFinished(() => server.stop())
    const statements = await statementsUntilFirstStart({ REDIS_URL: server.url })
    expect(statements).toSatisfy(isFew)
  },
)
