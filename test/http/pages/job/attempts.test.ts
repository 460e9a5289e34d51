import { beforeAll, expect, test } from 'vitest'
import type { User } from '../../../../src/domain/owner.ts'
import { restartJob } from '../../../../src/flow/jobs/restart-job.ts'
import { createServer } from '../../../../src/http/server.ts'
import { changeSettings } from '../../../../src/store/repositories/settings.ts'
import { noon, testContext } from '../../../support/context.ts'
import { ownDatabase } from '../../../support/database.ts'
import { factories } from '../../../support/factories.ts'
import { caller } from '../../door.ts'
import { textIn } from '../reading.ts'

const { db } = await ownDatabase()
const make = factories(db)
const ctx = testContext(db)
const call = caller(await createServer(ctx))

let pusher: User & { token: string }

beforeAll(async () => {
  const build = await make.build({ state: 'failed' })
  const first = await make.job({ build, state: 'failed', attempt: 1, started_at: noon })
  await make.log(first, 'the first output\n')
  pusher = await make.user()
  await restartJob(ctx, { user: pusher, token_id: null, address: '127.0.0.1' }, first.id)
  const again = await db.selectFrom('jobs').selectAll().executeTakeFirstOrThrow()
  await make.log(again, 'the second output\n')
})

const read = async (path: string, headers: Record<string, string> = {}) => {
  const answer = await call(`GET ${path}`, { accept: 'text/html', ...headers })
  return [answer.statusCode, textIn(answer.body)] as const
}

test('the page of a job shows its newest log', async () => {
  const [status, text] = await read('/octavia/hello/jobs/1')
  expect(status).toBe(200)
  expect(text).toContain('Attempts Waiting Attempt 2 Failed Attempt 1')
  expect(text).toContain('the second output')
})

test('the page of a build links to the earlier attempt', async () => {
  const [status, text] = await read('/octavia/hello/builds/1')
  expect([status, text]).toEqual([
    200,
    expect.stringContaining('1 earlier attempt Failed Job 1.3, attempt 1'),
  ])
})

test('the page of an earlier attempt shows its log, which stays readable as text', async () => {
  const [status, text] = await read('/octavia/hello/jobs/1?attempt=1')
  expect(status).toBe(200)
  expect(text).toContain('the first output')
  expect(text).not.toContain('the second output')
  expect((await call('GET /jobs/1/log?attempt=1')).body).toBe('the first output\n')
  expect((await call('GET /jobs/1/log')).body).toBe('the second output\n')
})

test.each(['9', 'x', '', '-1', '99999999999999999999', '%00', '1&attempt=1'])(
  'the number of an attempt that does not exist shows the current attempt: %j',
  async (attempt) => {
    const [status, text] = await read(`/octavia/hello/jobs/1?attempt=${attempt}`)
    expect([status, text.includes('the second output')]).toEqual([200, true])
    const { statusCode } = await call(`GET /jobs/1/log?attempt=${attempt}`)
    expect(statusCode).toBe(200)
  },
)

test('a log restricted to users with push access is hidden from others, in every attempt', async () => {
  const { id } = await db.selectFrom('repositories').selectAll().executeTakeFirstOrThrow()
  await changeSettings(db, id, { job_log_access_based_limit: true })
  for (const path of ['/octavia/hello/jobs/1', '/octavia/hello/jobs/1?attempt=1']) {
    const [status, text] = await read(path)
    expect(status).toBe(200)
    expect(text).toContain(
      'The log is not shown: the repository settings restrict access to this log.',
    )
    expect(text).not.toContain('output')
  }
  const repository = await db.selectFrom('repositories').selectAll().executeTakeFirstOrThrow()
  await make.permission(pusher, repository, 'push')
  const [, text] = await read('/octavia/hello/jobs/1', { authorization: `token ${pusher.token}` })
  expect(text).toContain('the second output')
})
