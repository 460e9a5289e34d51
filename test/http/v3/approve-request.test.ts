import { beforeEach, describe, expect, test } from 'vitest'
import { receiveEvent } from '../../../src/flow/events/receive-event.ts'
import { scheduleJobs } from '../../../src/flow/jobs/schedule-jobs.ts'
import { acceptRequest } from '../../../src/flow/requests/accept-request.ts'
import { publishOutbox } from '../../../src/flow/statuses/publish-outbox.ts'
import { createServer } from '../../../src/http/server.ts'
import { secondsAgo } from '../../../src/store/sql/age.ts'
import { type TestContext, testContext } from '../../support/context.ts'
import { testDatabase } from '../../support/database.ts'
import { pullOf } from '../../support/events.ts'
import { type MemoryCodehost, memoryCodehost, putPull } from '../../support/memory-codehost.ts'
import { writtenStreams } from '../../support/written-streams.ts'
import { audited, type Role } from '../v2/roles.ts'
import { callerOf, missing, noLogin, wrongToken } from './roles.ts'

const db = await testDatabase()

const head = 'd'.repeat(40)
const merge = 'e'.repeat(40)
const next = 'f'.repeat(40)

let codehost: MemoryCodehost
let ctx: TestContext
let call: Awaited<ReturnType<typeof callerOf>>

beforeEach(async () => {
  codehost = memoryCodehost()
  ctx = testContext(db, { codehost })
  call = await callerOf(await createServer(ctx), db)
})

/** A pull request of a fork into this repository has this head. */
async function told(
  repositoryId: number,
  sha: string,
  action = 'opened',
  fork = true,
  made: string | null = sha === head ? merge : 'a'.repeat(40),
) {
  const repository = await db
    .selectFrom('repositories')
    .selectAll()
    .where('id', '=', repositoryId)
    .executeTakeFirstOrThrow()
  putPull(codehost, { head: sha, merge: made })
  const from = fork ? 4711 : repository.codehost_id
  const at = { ...pullOf(repository).head, sha, repository_codehost_id: from }
  const received = await receiveEvent(ctx, pullOf(repository, { action, head: at }))
  if ('request' in received) await acceptRequest(ctx, received.request.id)
}

/** The states of all jobs, after those that can be are queued. */
async function scheduled(): Promise<string[]> {
  const owners = await db.selectFrom('jobs').select(['owner_id', 'owner_type']).distinct().execute()
  for (const owner of owners) await scheduleJobs(ctx, owner)
  const jobs = await db.selectFrom('jobs').select('state').orderBy('id').execute()
  return jobs.map(({ state }) => state)
}

/** What the code host was told of the head, oldest first. */
async function statuses(sha = head): Promise<string[]> {
  for (const stream of await writtenStreams(db)) await publishOutbox(ctx, stream)
  return codehost.posted
    .filter((each) => each.sha === sha)
    .map(({ status: { state, description } }) => `${state}: ${description}`)
}

const waits = 'pending: Waiting for a maintainer to approve this commit'

describe('POST /request/{request.id}/approve', () => {
  test.each(['admin', 'pusher'] as const)(
    'has the commit built when approved by %s',
    async (who) => {
      await told(1, head)
      expect(await scheduled()).toEqual(['created'])
      expect(await statuses()).toEqual([waits])
      const [status, body] = await call(who, 'POST /request/1/approve')
      expect([status, body]).toEqual([
        200,
        expect.objectContaining({
          '@type': 'request',
          id: 1,
          result: 'approved',
          head_commit: head,
        }),
      ])
      expect(await scheduled()).toEqual(['queued'])
      expect(await statuses()).toEqual([waits, 'pending: Build queued'])
      expect(await audited(db)).toEqual([
        {
          actor: who,
          action: 'approve',
          subject: 'request 1',
          changed: { pull_request: 7, sha: head, base: 'main' },
          address: '127.0.0.1',
          byToken: true,
        },
      ])
    },
  )

  test.each(['reader', 'other'] as const)('is refused to %s', async (who) => {
    await told(1, head)
    const [status, body] = await call(who, 'POST /request/1/approve')
    expect([status, body]).toMatchObject([
      403,
      { error_type: 'insufficient_access', permission: 'write', resource_type: 'request' },
    ])
    expect(await scheduled()).toEqual(['created'])
  })

  test('needs a login, and hides hidden records', async () => {
    await told(2, head)
    expect(await call('no one', 'POST /request/1/approve')).toEqual(noLogin)
    expect(await call('wrong', 'POST /request/1/approve')).toEqual(wrongToken)
    expect(await call('other', 'POST /request/1/approve')).toEqual(missing('request'))
    expect(await call('admin', 'POST /request/9/approve')).toEqual(missing('request'))
  })

  test.each(['/repo/1', '/repo/github/1', '/repo/acme%2Fweb', '/repo/codehost/acme%2Fweb'])(
    'is found below its repository as %s',
    async (repository) => {
      await told(1, head)
      expect(await call('pusher', `POST ${repository}/request/1/approve`)).toMatchObject([
        200,
        { id: 1, '@href': '/repo/1/request/1' },
      ])
      expect(await scheduled()).toEqual(['queued'])
    },
  )

  test('is not found below another repository', async () => {
    await told(1, head)
    const at = (path: string) => call('admin', `POST ${path}/request/1/approve`)
    expect(await at('/repo/2')).toEqual(missing('request'))
    expect(await at('/repo/99')).toEqual(missing('repository'))
    expect(await call('other', 'POST /repo/2/request/1/approve')).toEqual(missing('repository'))
    expect(await scheduled()).toEqual(['created'])
  })

  test('refuses a request that does not come from a fork', async () => {
    await told(1, head, 'opened', false)
    expect(await call('admin', 'POST /request/1/approve')).toMatchObject([
      422,
      { error_message: 'this request does not come from a fork and needs no approval' },
    ])
    expect(await audited(db)).toEqual([])
  })

  test('refuses a request that was rejected', async () => {
    await told(1, head)
    const rejected = { result: 'rejected', reason: 'no_build_file' } as const
    await db.updateTable('requests').set(rejected).execute()
    expect(await call('admin', 'POST /request/1/approve')).toMatchObject([
      422,
      {
        error_message:
          'this request was rejected for the reason in its message: create another one',
      },
    ])
    expect(await audited(db)).toEqual([])
    expect(await db.selectFrom('approvals').selectAll().execute()).toEqual([])
  })

  test('has no effect on running jobs the second time', async () => {
    await told(1, head)
    await call('pusher', 'POST /request/1/approve')
    await scheduled()
    expect(await call('pusher', 'POST /request/1/approve')).toMatchObject([200, { id: 1 }])
    expect(await scheduled()).toEqual(['queued'])
  })

  test('removes the button from the check', async () => {
    await told(1, head)
    await statuses()
    expect(codehost.runs.at(-1)).toMatchObject({
      actions: [{ identifier: 'approve' }],
      summary: expect.stringContaining(`Commit ${head} comes from a fork`) as string,
    })
    await call('pusher', 'POST /request/1/approve')
    await statuses()
    expect(codehost.runs.at(-1)).not.toHaveProperty('actions')
    expect(codehost.runs.at(-1)?.summary).not.toContain('fork')
  })
})

const approvedDaysAgo = (days: number) =>
  db
    .updateTable('approvals')
    .set({ created_at: secondsAgo(days * 24 * 3600) })
    .execute()

const approve = (request: number, who: Role = 'pusher') =>
  call(who, `POST /request/${request}/approve`)

describe('an approval', () => {
  test('also counts for later builds of the same head', async () => {
    await told(1, head)
    await approve(1)
    await told(1, head, 'closed')
    await told(1, head, 'reopened')
    expect(await scheduled()).toEqual(['queued', 'queued'])
    expect((await statuses()).at(-1)).toBe('pending: Build queued')
  })

  test('can be given before its build exists', async () => {
    await told(1, head, 'opened', true, null)
    expect(await scheduled()).toEqual([])
    await approve(1)
    putPull(codehost, { head, merge })
    await db.updateTable('requests').set({ retry_at: null }).execute()
    await acceptRequest(ctx, 1)
    expect(await scheduled()).toEqual(['queued'])
  })

  test('ends after 30 days', async () => {
    await told(1, head)
    await approve(1)
    await db.updateTable('jobs').set({ state: 'passed', finished_at: ctx.now() }).execute()
    await db.updateTable('builds').set({ state: 'passed', finished_at: ctx.now() }).execute()
    await approvedDaysAgo(29)
    expect(await call('pusher', 'POST /build/1/restart')).toMatchObject([202, {}])
    expect(await scheduled()).toEqual(['queued'])
    await db.updateTable('jobs').set({ state: 'passed', finished_at: ctx.now() }).execute()
    await db.updateTable('builds').set({ state: 'passed', finished_at: ctx.now() }).execute()
    await approvedDaysAgo(30)
    expect(await call('pusher', 'POST /build/1/restart')).toMatchObject([202, {}])
    expect(await scheduled()).toEqual(['created'])
    await approve(1)
    expect(await scheduled()).toEqual(['queued'])
  })

  test('is refused for a head that the pull request no longer has', async () => {
    await told(1, head)
    await told(1, next, 'synchronize')
    expect(await approve(1)).toMatchObject([
      422,
      {
        error_message:
          'the pull request has new commits: review and approve the request for its latest commit',
      },
    ])
    expect(await scheduled()).toEqual(['canceled', 'created'])
  })
})
