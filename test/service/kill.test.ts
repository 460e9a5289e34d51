import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type LocalDelivery, signedDelivery } from '../../src/codehost/local/delivery.ts'
import { createLocalCodehost } from '../../src/codehost/local/local-codehost.ts'
import { notify } from '../../src/codehost/local/notify.ts'
import { addRepository } from '../../src/codehost/local/register.ts'
import { readKey } from '../../src/config/config.ts'
import { registerRepository } from '../../src/flow/register-repository.ts'
import { queueNames } from '../../src/queue/queues.ts'
import { createSealer } from '../../src/secrets/seal.ts'
import { localDatabase } from '../../src/service/local-database.ts'
import { localSecret } from '../../src/service/local-secret.ts'
import { ownDatabase } from '../support/database.ts'
import { workTree } from '../support/git.ts'
import { type ServiceProcess, startProcess, urlOf } from '../support/service-process.ts'

const { db, connection } = await ownDatabase()
const local = createLocalCodehost({ db: localDatabase(db) })

let dataDir: string
let running: ServiceProcess[]

beforeEach(() => {
  dataDir = mkdtempSync(path.join(tmpdir(), 'build-service-kill-'))
  running = []
})

afterEach(async () => {
  await Promise.all(running.map((each) => each.stop()))
  rmSync(dataDir, { recursive: true, force: true })
  await emptyEverything()
})

async function emptyEverything(): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select quote_ident(schemaname) || '.' || quote_ident(tablename) as name from pg_tables
    where schemaname in ('public', 'local_codehost', 'bullmq') and tablename not like '%migration%'
  `.execute(db)
  const names = rows.map(({ name }) => name).join(', ')
  await sql.raw(`truncate ${names} restart identity cascade`).execute(db)
}

async function start(killAt?: string): Promise<ServiceProcess> {
  const service = await startProcess({
    ...{ DATA_DIR: dataDir, DATABASE_URL: urlOf(connection), RUNNER_SLOTS: '1' },
    ...(killAt ? { KILL_AT: killAt } : {}),
  })
  running.push(service)
  return service
}

/** A registered repository with a commit that nobody was told of, and how it is told. */
async function unpushedCommit(script: string) {
  const tree = workTree()
  tree.commit('Begin', { '.service.yml': `script: ${script}` })
  const facts = await addRepository(local, tree.folder, { build: true, name: 'hello' })
  await registerRepository({ db }, facts, { codehost_id: 1, login: 'local' })
  const outgoing: LocalDelivery[] = []
  await notify(local, facts, async (delivery) => void outgoing.push(delivery))
  const [delivery] = outgoing
  if (!delivery) throw new Error('there was nothing to tell')
  return delivery
}

/** Whether the service said that it has taken the webhook. */
async function deliver({ url }: ServiceProcess, delivery: LocalDelivery): Promise<boolean> {
  const key = readKey(readFileSync(path.join(dataDir, 'master.key'), 'utf8').trim())
  const secret = localSecret(createSealer(key ?? Buffer.alloc(32)))
  try {
    const answer = await fetch(`${url}/webhooks/local`, {
      method: 'POST',
      headers: signedDelivery(secret, delivery),
      body: new Uint8Array(delivery.body),
    })
    return answer.ok
  } catch {
    return false
  }
}

async function expectOnePassedBuild(attempt?: number): Promise<void> {
  const statuses = async () =>
    (
      await sql<{ state: string }>`select state from local_codehost.statuses order by id`.execute(
        db,
      )
    ).rows
  await vi.waitFor(
    async () => {
      expect((await statuses()).at(-1)).toEqual({ state: 'success' })
    },
    { timeout: 60_000, interval: 100 },
  )
  expect(await db.selectFrom('requests').select('result').execute()).toEqual([
    { result: 'accepted' },
  ])
  expect(await db.selectFrom('builds').select(['number', 'state']).execute()).toEqual([
    { number: 1, state: 'passed' },
  ])
  const jobs = await db.selectFrom('jobs').select(['state', 'attempt']).execute()
  expect(jobs).toEqual([{ state: 'passed', attempt: attempt ?? jobs[0]?.attempt }])
}

const queues = queueNames.filter((name) => name !== 'schedule.run')
const hops = queues.flatMap((name) =>
  ['enqueue', 'process'].flatMap((verb) =>
    ['before', 'after'].map((side) => `${side} ${verb} ${name}`),
  ),
)

describe('a service that is killed', () => {
  test.each(hops)(
    '%s still builds what it has taken in',
    async (killAt) => {
      const delivery = await unpushedCommit('true')
      const doomed = await start(killAt)
      const taken = await deliver(doomed, delivery)
      await doomed.gone

      const second = await start()
      // What was not taken in comes again, as code hosts do it.
      if (!taken) await deliver(second, delivery)
      await expectOnePassedBuild()
    },
    120_000,
  )

  test('in the middle of a job runs the job again', async () => {
    const delivery = await unpushedCommit('sleep 2')
    const doomed = await start()
    await deliver(doomed, delivery)
    await vi.waitFor(
      async () => {
        expect(await db.selectFrom('jobs').select('state').execute()).toEqual([
          { state: 'started' },
        ])
      },
      { timeout: 60_000, interval: 50 },
    )
    doomed.child.kill('SIGKILL')
    await doomed.gone

    await start()
    await expectOnePassedBuild(2)
  }, 120_000)
})

test('a service that is told to stop hands its job back, and nothing counts as lost', async () => {
  const delivery = await unpushedCommit('sleep 2')
  const first = await start()
  await deliver(first, delivery)
  await vi.waitFor(
    async () => {
      expect(await db.selectFrom('jobs').select('state').execute()).toEqual([{ state: 'started' }])
    },
    { timeout: 60_000, interval: 50 },
  )
  await first.stop()
  expect(await db.selectFrom('jobs').select(['state', 'resets']).execute()).toEqual([
    { state: 'created', resets: 0 },
  ])
  await start()
  await expectOnePassedBuild(2)
}, 120_000)
