import { beforeEach, expect, test } from 'vitest'
import { createServer } from '../../../../src/http/server.ts'
import { noon, testContext } from '../../../support/context.ts'
import { testDatabase } from '../../../support/database.ts'
import { factories } from '../../../support/factories.ts'
import { caller } from '../../door.ts'
import { textIn } from '../reading.ts'

const db = await testDatabase()
const make = factories(db)
const ctx = testContext(db)
const call = caller(await createServer(ctx))

beforeEach(async () => {
  const repository = await make.repository({ name: 'hello' })
  const build = await make.build({ repository, state: 'started', started_at: noon })
  const running = await make.job({ build, number: '1.1', state: 'started', started_at: noon })
  const lease = { attempt: 1, runner_id: 'machine-7', claimed_at: noon, renewed_at: noon }
  await db
    .insertInto('leases')
    .values({ job_id: running.id, ...lease })
    .execute()
  await make.job({ build, number: '1.2', state: 'queued', queued_at: noon })
  const secret = await make.repository({ name: 'secret', private: true })
  const hidden = await make.build({ repository: secret, state: 'created', private: true })
  await make.job({ build: hidden, number: '1.1', state: 'created' })
})

const page = async (user?: { token: string }) => {
  const authorization = user ? { authorization: `token ${user.token}` } : {}
  return textIn((await call('GET /queue', { accept: 'text/html', ...authorization })).body)
}

test('the queue shows running jobs, and waiting jobs with the reason', async () => {
  const text = await page()
  expect(text).toContain('Queue 1 job runs, and 1 job waits.')
  expect(text).toContain(
    'octavia/hello 1.2 It waits for a free runner, as number 1 in the queue. just now',
  )
  expect(text).toContain('Running octavia/hello 1.1 0 s')
})

test('the queue shows runners only to administrators, and hides private repositories', async () => {
  const admin = await make.user('root')
  Object.assign(ctx.site, { admins: ['codehost:root'] })
  expect(await page(admin)).toContain('machine-7')
  expect(await page(await make.user())).not.toContain('machine-7')
  expect(await page()).not.toMatch(/machine-7|secret/)
})

test('the queue shows users the jobs of private repositories on which they have a role', async () => {
  const member = await make.user()
  const secret = await db
    .selectFrom('repositories')
    .select('id')
    .where('name', '=', 'secret')
    .executeTakeFirstOrThrow()
  await make.permission(member, secret)
  expect(await page(member)).toContain('octavia/secret 1.1')
})
