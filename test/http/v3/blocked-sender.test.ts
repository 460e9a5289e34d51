import { beforeEach, expect, test } from 'vitest'
import { receiveEvent } from '../../../src/flow/events/receive-event.ts'
import { scheduleJobs } from '../../../src/flow/jobs/schedule-jobs.ts'
import { acceptRequest } from '../../../src/flow/requests/accept-request.ts'
import { createServer } from '../../../src/http/server.ts'
import { putUser } from '../../../src/store/people/users.ts'
import { type TestContext, testContext } from '../../support/context.ts'
import { testDatabase } from '../../support/database.ts'
import { pullOf } from '../../support/events.ts'
import { memoryCodehost, putPull } from '../../support/memory-codehost.ts'
import { visitorOf } from '../login-scene.ts'
import { textIn } from '../pages/reading.ts'
import { audited, clientOf, makeRoles } from '../v2/roles.ts'
import { callerOf } from './roles.ts'

// Someone opened a pull request from a fork, and is blocked afterwards.

const db = await testDatabase()
const head = 'd'.repeat(40)
const sender = { codehost_id: 666, login: 'mallory' }

let ctx: TestContext
let call: Awaited<ReturnType<typeof callerOf>>
let server: Awaited<ReturnType<typeof createServer>>

beforeEach(async () => {
  const codehost = memoryCodehost()
  ctx = testContext(db, { codehost })
  server = await createServer(ctx)
  call = await callerOf(server, db)
  putPull(codehost, { head, merge: 'e'.repeat(40) })
})

/** A fork's pull request is opened, or reopened. Returns its request, which is decided on later. */
async function asked(from: typeof sender, action = 'opened'): Promise<number> {
  const repository = await db
    .selectFrom('repositories')
    .selectAll()
    .where('id', '=', 1)
    .executeTakeFirstOrThrow()
  const at = { ...pullOf(repository).head, sha: head, repository_codehost_id: 4711 }
  const event = pullOf(repository, { action, head: at, sender: from })
  const received = await receiveEvent(ctx, event)
  if (!('request' in received)) throw new Error(JSON.stringify(received))
  return received.request.id
}

async function told(from: typeof sender, action = 'opened') {
  await acceptRequest(ctx, await asked(from, action))
}

/** As an administrator does; one who is unknown here becomes known by that. */
async function block() {
  const { id } = await putUser(db, { provider: 'codehost', ...sender })
  await db.updateTable('users').set({ blocked_at: new Date() }).where('id', '=', id).execute()
}

async function states(): Promise<string[]> {
  const owners = await db.selectFrom('jobs').select(['owner_id', 'owner_type']).distinct().execute()
  for (const owner of owners) await scheduleJobs(ctx, owner)
  const jobs = await db.selectFrom('jobs').select('state').orderBy('id').execute()
  return jobs.map(({ state }) => state)
}

async function failed() {
  const ended = { state: 'failed' as const, finished_at: ctx.now() }
  await db.updateTable('jobs').set(ended).execute()
  await db.updateTable('builds').set(ended).execute()
}

const because =
  'mallory is blocked here: to build the commit, review it and push it yourself, or ask an ' +
  'administrator to unblock mallory'
const refusal = [422, { error_type: 'unprocessable_entity', error_message: because }]

test.each([true, false])(
  'a request opened by a blocked user cannot be approved, whether or not the user was known before (%s)',
  async (isKnown) => {
    if (isKnown) await putUser(db, { provider: 'codehost', ...sender })
    await told(sender)
    await block()
    expect(await call('pusher', 'POST /request/1/approve')).toMatchObject(refusal)
    expect(await states()).toEqual(['created'])
    expect(await audited(db)).toEqual([])
  },
)

test.each([true, false])(
  'an undecided request by a blocked user is not accepted, whether or not the user was known before (%s)',
  async (isKnown) => {
    if (isKnown) await putUser(db, { provider: 'codehost', ...sender })
    const ids = [
      await asked(sender),
      await asked({ codehost_id: 667, login: 'someone' }, 'reopened'),
    ]
    await block()
    for (const id of ids) await acceptRequest(ctx, id)
    const requests = await db.selectFrom('requests').select('reason').orderBy('id').execute()
    expect(requests).toEqual([{ reason: 'sender_blocked' }, { reason: null }])
  },
)

test('a build by a blocked user does not run when the same head is approved for another user', async () => {
  await told(sender)
  await told({ codehost_id: 667, login: 'someone' }, 'reopened')
  await block()
  expect(await call('pusher', 'POST /request/2/approve')).toMatchObject([200, {}])
  expect(await states()).toEqual(['created', 'queued'])
})

test.each(['/build/1/restart', '/build/1/restart_failed', '/job/1/restart'])(
  'POST %s for a blocked user is refused until the user is unblocked',
  async (path) => {
    await told(sender)
    await call('pusher', 'POST /request/1/approve')
    await failed()
    await block()
    expect(await call('pusher', `POST ${path}`)).toMatchObject(refusal)
    expect(await states()).toEqual(['failed'])
    await db.updateTable('users').set({ blocked_at: null }).execute()
    expect(await call('pusher', `POST ${path}`)).toMatchObject([202, {}])
    expect(await states()).toEqual(['queued'])
  },
)

test('a blocked user’s build whose file could not be fetched is not processed again', async () => {
  await told(sender)
  await failed()
  await db.updateTable('builds').set({ config_error: 'fetch' }).execute()
  await block()
  expect(await call('pusher', 'POST /build/1/restart')).toMatchObject(refusal)
  expect(await call('pusher', 'POST /job/1/restart')).toMatchObject(refusal)
})

test.each(['/builds/1/restart', '/jobs/1/restart', '/requests?build_id=1'])(
  'POST %s of V2.1 for a blocked user is refused with the same reason',
  async (path) => {
    await told(sender)
    await failed()
    await block()
    const old = clientOf(server, await makeRoles(db))
    expect(await old('pusher', `POST ${path}`)).toEqual([
      400,
      { result: false, flash: [{ error: `This can not be restarted: ${because}.` }] },
    ])
  },
)

test('the page of a blocked user’s build reports it', async () => {
  await told(sender)
  await block()
  const { body } = await visitorOf(server).get('/acme/web/builds/1')
  expect(textIn(body)).toContain(`${because}.`)
})
