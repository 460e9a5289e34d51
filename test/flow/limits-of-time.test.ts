import { beforeEach, expect, test } from 'vitest'
import { readConfig } from '../../src/config/config.ts'
import type { Repository } from '../../src/domain/repository.ts'
import { createServer } from '../../src/http/server.ts'
import { caller } from '../http/door.ts'
import { type TestContext, testContext } from '../support/context.ts'
import { testDatabase } from '../support/database.ts'
import { factories } from '../support/factories.ts'
import { preparedJob } from '../support/prepared-job.ts'

const db = await testDatabase()
const make = factories(db)

let ctx: TestContext
let repository: Repository
let call: ReturnType<typeof caller>
let asPusher: { authorization: string; 'content-type': string }

beforeEach(async () => {
  ctx = testContext(db)
  repository = await make.repository()
  const pusher = await make.user('pusher')
  await make.permission(pusher, repository, 'push')
  asPusher = { authorization: `token ${pusher.token}`, 'content-type': 'application/json' }
  call = caller(await createServer(ctx))
})

const setV2 = async (settings: object) => {
  const body = JSON.stringify({ settings })
  return (await call(`PATCH /repos/${repository.id}/settings`, asPusher, body)).json() as object
}

const setV3 = async (name: string, value: unknown) => {
  const body = JSON.stringify({ 'setting.value': value })
  const answer = await call(`PATCH /v3/repo/${repository.id}/setting/${name}`, asPusher, body)
  return answer.json() as object
}

function limitsIn(env: Record<string, string>) {
  const { jobMinutes, silenceMinutes } = readConfig(env)
  return { jobMinutes, silenceMinutes }
}

/** The limits that the runner of a job of the repository gets, in minutes. */
async function limits() {
  const { id } = await make.job({ build: await make.build({ repository }) })
  const { hard_seconds, silence_seconds } = (await preparedJob(ctx, id)).limits
  return [hard_seconds / 60, silence_seconds / 60]
}

test('a repository without its own limits has those of the installation', async () => {
  expect(await limits()).toEqual([50, 10])
})

test('jobs of a private repository can run for longer, unless the installation or the repository sets a limit', async () => {
  await db.updateTable('repositories').set({ private: true }).execute()
  expect(await limits()).toEqual([120, 10])
  ctx.config = { ...ctx.config, ...limitsIn({ JOB_MINUTES: '30', SILENCE_MINUTES: '5' }) }
  expect(await limits()).toEqual([30, 5])
  await setV2({ timeout_hard_limit: 90 })
  expect(await limits()).toEqual([90, 5])
})

test('each limit that a repository sets applies to its jobs', async () => {
  expect(await setV2({ timeout_hard_limit: 180 })).toMatchObject({
    settings: { timeout_hard_limit: 180, timeout_log_silence: null },
  })
  expect(await limits()).toEqual([180, 10])
  expect(await setV3('timeout_log_silence', 1)).toMatchObject({
    name: 'timeout_log_silence',
    value: 1,
  })
  expect(await limits()).toEqual([180, 1])
})

test.each([0, null])('%j resets a limit', async (value) => {
  await setV2({ timeout_hard_limit: 5, timeout_log_silence: 5 })
  expect(await setV2({ timeout_hard_limit: value })).toMatchObject({
    settings: { timeout_hard_limit: null },
  })
  expect(await setV3('timeout_log_silence', value)).toMatchObject({ value: null })
  expect(await limits()).toEqual([50, 10])
})

test.each([
  ['timeout_hard_limit', 181, 180],
  ['timeout_hard_limit', -1, 180],
  ['timeout_log_silence', 61, 60],
  ['timeout_log_silence', 1.5, 60],
])('%s cannot be set to %j', async (name, value, most) => {
  const refused = await setV2({ [name]: value })
  expect(refused).toMatchObject({ message: 'Validation failed' })
  expect(JSON.stringify(refused)).toContain(name)
  const text = value === 1.5 ? '' : `must be an integer from 1 to ${most}, or null`
  expect(JSON.stringify(await setV3(name, value))).toContain(text)
  expect(await limits()).toEqual([50, 10])
})
