import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readConfig } from '../../src/config/config.ts'
import { type Service, startService } from '../../src/service/start.ts'
import { appSettings, atRest, eventually, isPassed, toldOf } from '../support/app-story.ts'
import { startCodehost } from '../support/codehost/codehost.ts'
import { ownDatabase } from '../support/database.ts'
import { emptyEverything } from '../support/local-story.ts'
import { capturedLog } from '../support/log.ts'
import { urlOf } from '../support/service-process.ts'

const { db, connection } = await ownDatabase()
const dataDir = mkdtempSync(path.join(tmpdir(), 'build-service-outage-'))
const host = await startCodehost()
const written = capturedLog()

let service: Service
/** The hop, and its occurrence, at which the code host becomes unreachable. */
let fatal = { hop: '', time: 0 }
let begin: () => Promise<void>
let outage: Promise<void>

beforeAll(async () => {
  const env = { DATA_DIR: dataDir, DATABASE_URL: urlOf(connection), PORT: '0', RUNNER_SLOTS: '1' }
  service = await startService(readConfig({ ...env, ...appSettings(host) }), {
    log: written.log,
    async wrapHop(hop, work) {
      if (hop === fatal.hop) fatal.time -= 1
      if (hop === fatal.hop && fatal.time === 0) await begin()
      return work()
    },
  })
  host.setWebhookUrl(`${service.localUrl}/webhooks/codehost`)
})

afterAll(async () => {
  await service.stop()
  await host.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

/**
 * The code host fails: connections are refused, then it responds with 500, then with a rate limit.
 * Each phase lasts until a call has met it.
 */
async function passing(): Promise<void> {
  const said = written.text().length
  const restore = await host.refuseConnections()
  outage = goOn()

  async function goOn(): Promise<void> {
    await eventually(() => expect(written.text().slice(said)).toContain('cannot be reached'))
    const mend = host.failWhile({ kind: 'status', status: 500 })
    await restore()
    await meets(500)
    const relent = host.failWhile({ kind: 'primary_limit', reset: 2 })
    mend()
    await meets(403)
    relent()
  }
}

async function installed(given: Partial<Parameters<typeof host.addRepository>[0]> = {}) {
  const owner = `owner-${Date.now()}`
  const repository = await host.addRepository({ owner, ...given })
  // A look-up of an installation delayed by an outage may restore earlier owners.
  const own = db.selectFrom('repositories').select('active').where('owner_name', '=', owner)
  await eventually(async () => expect(await own.execute()).toEqual([{ active: true }]))
  await atRest(db)
  return repository
}

async function saidInLog(text: string): Promise<void> {
  await eventually(async () => {
    const parts = await db.selectFrom('log_parts').select('content').execute()
    expect(parts.map(({ content }) => content).join('')).toContain(text)
  }, 30)
}

async function meets(wanted: number): Promise<void> {
  const before = host.calls.length
  await eventually(() =>
    expect(host.calls.slice(before).map(({ status }) => status)).toContain(wanted),
  )
}

test.each([
  ['before its first call', { hop: 'process request.accept', time: 1 }],
  ['just after the build was created', { hop: 'enqueue jobs.schedule', time: 1 }],
  ['when its job is about to run', { hop: 'process job.run', time: 1 }],
  ['just after its job has ended', { hop: 'enqueue jobs.schedule', time: 2 }],
])(
  'a build goes on, and reports everything in order, if its code host fails %s',
  async (_, when) => {
    const repository = await installed()
    begin = passing
    fatal = { ...when }
    const sha = await host.commit(repository, {
      files: { '.service.yml': 'language: generic\nscript: "true"' },
    })
    await eventually(() => expect(toldOf(host, repository, sha)).toSatisfy(isPassed), 50)
    await outage
    await atRest(db)

    expect(toldOf(host, repository, sha)).toSatisfy(isPassed)
    expect(host.checkRuns(repository, sha)).toMatchObject([{ conclusion: 'neutral' }])
    expect(await db.selectFrom('requests').select('result').execute()).toEqual([
      { result: 'accepted' },
    ])
    expect(await db.selectFrom('jobs').select(['state', 'attempt', 'resets']).execute()).toEqual([
      { state: 'passed', attempt: 1, resets: 0 },
    ])
    await emptyEverything(db)
  },
  60_000,
)

test('a build goes on when its code host rejects a new token for a while', async () => {
  // No token is requested for a repository that everyone can read.
  const repository = await installed({ private: true })
  fatal = { hop: 'process job.run', time: 1 }
  begin = async () => {
    const relent = host.refuseNewTokens(403)
    outage = saidInLog('does not accept the token').finally(relent)
  }
  const sha = await host.commit(repository, {
    files: { '.service.yml': 'language: generic\nscript: "true"' },
  })
  await eventually(() => expect(toldOf(host, repository, sha)).toSatisfy(isPassed), 50)
  await outage
  await atRest(db)
  expect(await db.selectFrom('jobs').select(['state', 'attempt']).execute()).toEqual([
    { state: 'passed', attempt: 1 },
  ])
  await emptyEverything(db)
}, 60_000)

test('a build whose code host is unreachable from beginning to end is reported once it is back', async () => {
  const repository = await installed()
  let restore = async () => {}
  begin = async () => void (restore = await host.refuseConnections())
  fatal = { hop: 'enqueue jobs.schedule', time: 1 }
  // A job that fetches nothing needs no code host.
  const files = { '.service.yml': 'language: generic\ngit: {clone: false}\nscript: "true"' }
  const sha = await host.commit(repository, { files })
  await eventually(async () => {
    const builds = await db.selectFrom('builds').select('state').execute()
    expect(builds).toEqual([{ state: 'passed' }])
  }, 50)
  expect(toldOf(host, repository, sha)).toEqual([])

  await restore()
  await eventually(() => expect(toldOf(host, repository, sha)).toSatisfy(isPassed), 50)
  await atRest(db)
  expect(toldOf(host, repository, sha)).toSatisfy(isPassed)
  expect(await db.selectFrom('jobs').select(['state', 'attempt', 'resets']).execute()).toEqual([
    { state: 'passed', attempt: 1, resets: 0 },
  ])
  await emptyEverything(db)
}, 120_000)
