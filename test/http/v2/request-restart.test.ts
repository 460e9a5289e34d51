import { beforeEach, expect, test } from 'vitest'
import { createServer } from '../../../src/http/server.ts'
import { testContext } from '../../support/context.ts'
import { testDatabase } from '../../support/database.ts'
import { factories } from '../../support/factories.ts'
import {
  audited,
  clientOf,
  fileMissing,
  makeRoles,
  noLogin,
  type Role,
  wrongToken,
} from './roles.ts'

const db = await testDatabase()
const make = factories(db)
const server = await createServer(testContext(db))

let call: ReturnType<typeof clientOf>

// Build and job 1 of repository 1 have finished, 2 have not; build and job 3 are of repository 2.
beforeEach(async () => {
  call = clientOf(server, await makeRoles(db))
  const [web, safe] = await db.selectFrom('repositories').selectAll().orderBy('id').execute()
  for (const [repository, state] of [
    [web, 'passed'],
    [web, 'created'],
    [safe, 'passed'],
  ] as const) {
    if (!repository) continue
    const build = await make.build({ repository, state })
    await make.job({ build, state })
  }
})

const restart = (who: Role, query: string) => call(who, `POST /requests?${query}`)
const flash = (error: string) => [400, { result: false, flash: [{ error }] }]

test.each([
  ['build_id=1', 'The build was successfully restarted.', 'build 1'],
  ['job_id=1', 'The job was successfully restarted.', 'job 1'],
])('POST /requests?%s restarts the build or job', async (query, notice, subject) => {
  expect(await restart('pusher', query)).toEqual([200, { result: true, flash: [{ notice }] }])
  const job = await db.selectFrom('jobs').select('state').where('id', '=', 1).executeTakeFirst()
  expect(job).toEqual({ state: 'created' })
  expect(await audited(db)).toMatchObject([{ actor: 'pusher', action: 'restart', subject }])
})

test.each([
  ['build_id=2', 'This build currently can not be restarted.'],
  ['job_id=2', 'This job currently can not be restarted.'],
])('POST /requests?%s is refused while the build or job is running', async (query, error) => {
  expect(await restart('pusher', query)).toEqual(flash(error))
  expect(await audited(db)).toEqual([])
})

test.each(['build_id', 'job_id'])(
  'POST /requests with %s is refused to users without push access',
  async (name) => {
    const without = flash('You do not seem to have sufficient permissions.')
    expect(await restart('reader', `${name}=1`)).toEqual(without)
    expect(await restart('other', `${name}=1`)).toEqual(without)
    expect(await restart('other', `${name}=3`)).toEqual(fileMissing)
    expect(await restart('no one', `${name}=1`)).toEqual(noLogin)
    expect(await restart('wrong', `${name}=1`)).toEqual(wrongToken)
    expect(await audited(db)).toEqual([])
  },
)

test.each([
  '',
  'request[repository]=acme/web',
  'build_id=9',
  'build_id=x',
  'job_id=',
  'job_id[]=1',
])('POST /requests?%s finds no build or job', async (query) => {
  expect(await restart('pusher', query)).toEqual(fileMissing)
})
