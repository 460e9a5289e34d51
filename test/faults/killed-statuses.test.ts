import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest'
import { appSettings, atRest, eventually, isPassed, passed, toldOf } from '../support/app-story.ts'
import { startCodehost } from '../support/codehost/codehost.ts'
import { ownDatabase } from '../support/database.ts'
import { emptyEverything } from '../support/local-story.ts'
import { type ServiceProcess, startProcess, urlOf } from '../support/service-process.ts'

const { db, connection } = await ownDatabase()
const host = await startCodehost()

let dataDir: string
let running: ServiceProcess[]
let count = 0

beforeEach(() => {
  dataDir = mkdtempSync(path.join(tmpdir(), 'build-service-statuses-'))
  running = []
})

afterEach(async () => {
  await Promise.all(running.map((each) => each.stop()))
  rmSync(dataDir, { recursive: true, force: true })
  await emptyEverything(db)
})

afterAll(() => host.stop())

async function start(killAt?: string): Promise<ServiceProcess> {
  const service = await startProcess({
    DATA_DIR: dataDir,
    DATABASE_URL: urlOf(connection),
    RUNNER_SLOTS: '1',
    // The same address for both processes: statuses with other links are different ones.
    PUBLIC_URL: 'http://ci.example.org',
    ...appSettings(host),
    ...(killAt ? { KILL_AT: killAt } : {}),
  })
  running.push(service)
  host.setWebhookUrl(`${service.url}/webhooks/codehost`)
  return service
}

async function installed() {
  const repository = await host.addRepository({ owner: `owner-${(count += 1)}` })
  await eventually(async () => {
    const known = await db.selectFrom('repositories').select('codehost_id').execute()
    expect(known).toContainEqual({ codehost_id: repository.id })
  })
  return repository
}

/** A commit is built, and the service dies before or while its last status is posted. */
async function dies(killAt?: string, script = 'true') {
  const doomed = await start(killAt)
  const repository = await installed()
  const files = { '.service.yml': `language: generic\nscript: "${script}"` }
  const sha = await host.commit(repository, { files })
  return { doomed, told: () => toldOf(host, repository, sha) }
}

/** The build had ended before, and is not run again. */
async function expectEndedOnce(): Promise<void> {
  expect(await db.selectFrom('builds').select('state').execute()).toEqual([{ state: 'passed' }])
  expect(await db.selectFrom('jobs').select(['state', 'attempt']).execute()).toEqual([
    { state: 'passed', attempt: 1 },
  ])
}

// When jobs are scheduled for the second time, the only job of the build has ended.
const ended = 'enqueue jobs.schedule 2'
const hops = [
  `before enqueue jobs.schedule since ${ended}`,
  `before enqueue outbox.publish since ${ended}`,
  `after enqueue outbox.publish since ${ended}`,
  `before process outbox.publish since ${ended}`,
]

test.each(hops)(
  'a service that is killed %s still posts the end of the build, once and in order',
  async (killAt) => {
    const { doomed, told } = await dies(killAt)
    await doomed.gone
    await expectEndedOnce()
    expect(told()).not.toContain(passed[2])

    await start()
    await eventually(() => expect(told()).toSatisfy(isPassed))
    await atRest(db)
    expect(told()).toSatisfy(isPassed)
    await expectEndedOnce()
  },
  120_000,
)

test('a service that is killed before it receives the response to the last status posts no second one', async () => {
  let release = () => {}
  const gone = new Promise<void>((resolve) => (release = resolve))
  const isStatus = /^POST .*\/statuses\//
  const before = host.calls.length
  // Long enough to be seen running.
  const { doomed, told } = await dies(undefined, 'sleep 3')
  const posted = () => host.calls.slice(before).filter(({ call }) => isStatus.test(call))
  await eventually(() => expect(told().at(-1)).toBe(passed[1]), 50)
  host.failNext({ kind: 'late', until: gone }, isStatus)
  await eventually(() => expect(told()).toSatisfy(isPassed), 50)
  doomed.child.kill('SIGKILL')
  await doomed.gone
  release()

  await start()
  await atRest(db)
  expect(told()).toSatisfy(isPassed)
  expect(posted()).toHaveLength(told().length)
  await expectEndedOnce()
}, 120_000)
