import { beforeEach, describe, expect, test } from 'vitest'
import type { PullRequestEvent, PushEvent } from '../../src/domain/event.ts'
import type { Repository } from '../../src/domain/repository.ts'
import { receiveEvent } from '../../src/flow/events/receive-event.ts'
import { claimJob } from '../../src/flow/jobs/claim-job.ts'
import { acceptRequest } from '../../src/flow/requests/accept-request.ts'
import { publishOutbox } from '../../src/flow/statuses/publish-outbox.ts'
import { createServer } from '../../src/http/server.ts'
import { caller } from '../http/door.ts'
import { type TestContext, testContext } from '../support/context.ts'
import { testDatabase } from '../support/database.ts'
import { mergeGroupOf, pullOf, pushTo, queueRef, tip } from '../support/events.ts'
import { factories } from '../support/factories.ts'
import {
  commitOf,
  type MemoryCodehost,
  memoryCodehost,
  putPull,
} from '../support/memory-codehost.ts'
import { memoryNotifier } from '../support/memory-notifier.ts'

const db = await testDatabase()
const make = factories(db)

const file = 'script: make'
const notifying = `${file}
notifications:
  email: {recipients: octavia@example.org, on_cancel: always}
  webhooks: {urls: 'https://hooks.example.org/a', on_cancel: always}
`

let codehost: MemoryCodehost
let ctx: TestContext
let notifier: ReturnType<typeof memoryNotifier>
let repository: Repository
let call: ReturnType<typeof caller>
let asPusher: { authorization: string; 'content-type': string }

beforeEach(async () => {
  codehost = memoryCodehost()
  notifier = memoryNotifier()
  const base = testContext(db, { codehost })
  const mail = { smtpUrl: 'smtp://mail.example.org', mailFrom: 'ci@example.org' }
  ctx = { ...base, notifier, config: { ...base.config, ...mail } }
  repository = await make.repository()
  const pusher = await make.user('pusher')
  await make.permission(pusher, repository, 'push')
  asPusher = { authorization: `token ${pusher.token}`, 'content-type': 'application/json' }
  call = caller(await createServer(ctx))
})

/** Sets one of the repository's settings to true, by a call of the API. */
async function turnOn(setting: 'auto_cancel_pushes' | 'auto_cancel_pull_requests') {
  const body = JSON.stringify({ settings: { [setting]: true } })
  const answer = await call(`PATCH /repos/${repository.id}/settings`, asPusher, body)
  expect(answer.json()).toMatchObject({ settings: { [setting]: true } })
}

const shaOf = (digit: number) => String(digit).repeat(40)

async function push(digit: number, given: Partial<PushEvent> = {}, text = file): Promise<void> {
  const after = shaOf(digit)
  codehost.commits.set(after, commitOf(after, 'Say hello'))
  codehost.files.set(after, text)
  const pushed = pushTo(repository, { after, before: shaOf(digit - 1), ...given })
  await decide(await receiveEvent(ctx, pushed))
}

async function pull(digit: number, number = 7): Promise<void> {
  const head = shaOf(digit)
  const merge = `${digit}`.repeat(39) + 'e'
  putPull(codehost, { head, merge }, number)
  for (const sha of [head, merge]) codehost.files.set(sha, file)
  const event: PullRequestEvent = pullOf(repository, { number })
  const action = digit === 1 ? 'opened' : 'synchronize'
  const changed = { ...event, action, head: { ...event.head, sha: head } } as const
  await decide(await receiveEvent(ctx, changed))
}

async function decide(received: Awaited<ReturnType<typeof receiveEvent>>): Promise<void> {
  if (!('request' in received)) throw new Error(`no request: ${JSON.stringify(received)}`)
  await expectAccepted(received.request.id)
}

async function expectAccepted(id: number): Promise<void> {
  await acceptRequest(ctx, id)
  const request = await db.selectFrom('requests').selectAll().where('id', '=', id).execute()
  expect(request).toMatchObject([{ result: 'accepted', message: null }])
}

async function publishAll(): Promise<void> {
  for (;;) {
    const entry = ctx.enqueued.find(({ name }) => /^(outbox|notification)\.publish$/.test(name))
    if (!entry) return
    ctx.enqueued.splice(ctx.enqueued.indexOf(entry), 1)
    if (entry.options?.delay === undefined) {
      await publishOutbox(ctx, (entry.payload as { stream: string }).stream)
    }
  }
}

const states = async () =>
  (await db.selectFrom('builds').selectAll().orderBy('id').execute()).map(({ state }) => state)

const logOf = async (job: number) =>
  (await call(`GET /jobs/${job}/log`, { ...asPusher, accept: 'text/plain' })).body

describe('with auto_cancel_pushes', () => {
  test('a newer push cancels waiting builds of its branch, and the log names the reason', async () => {
    await turnOn('auto_cancel_pushes')
    await push(1)
    await push(2)
    await push(3)
    expect(await states()).toEqual(['canceled', 'canceled', 'created'])
    const why = (newer: number) =>
      `canceled because build #${newer} of branch main is newer (setting auto_cancel_pushes)`
    expect(await logOf(1)).toBe(`\u001B[31;1mThe job never ran: it was ${why(2)}.\u001B[0m\r\n`)
    expect(await logOf(2)).toContain(why(3))
    const job = await call('GET /v3/job/2', asPusher)
    expect(job.json()).toMatchObject({
      state: 'canceled',
      canceled_by: null,
      cancel_reason: why(3),
    })
    await publishAll()
    const posted = codehost.posted.map(({ sha, status }) => `${sha[0]} ${status.state}`)
    expect(posted).toEqual(expect.arrayContaining(['1 error', '2 error', '3 pending']))
  })

  test('a canceled build sends no mail, but notifies other channels', async () => {
    await turnOn('auto_cancel_pushes')
    await push(1, {}, notifying)
    await push(2)
    await publishAll()
    expect(notifier.mailed).toEqual([])
    expect(notifier.posted.map(({ url }) => url)).toEqual(['https://hooks.example.org/a'])
  })

  test('a build that a user cancels is still reported by mail', async () => {
    await turnOn('auto_cancel_pushes')
    await push(1, {}, notifying)
    await call('POST /v3/build/1/cancel', asPusher)
    await publishAll()
    expect(notifier.mailed).toHaveLength(1)
  })

  test('a build with a job that a runner has claimed goes on', async () => {
    await turnOn('auto_cancel_pushes')
    await push(1)
    await db.updateTable('jobs').set({ state: 'queued' }).execute()
    expect(await claimJob(ctx, 1, 'runner')).toMatchObject({ state: 'received' })
    await push(2)
    expect(await states()).toEqual(['created', 'created'])
  })

  test.each<[string, Partial<PushEvent>]>([
    ['another branch', { ref: 'refs/heads/other' }],
    ['a tag', { ref: 'refs/tags/v1' }],
    ['a tag with the name of the branch', { ref: 'refs/tags/main' }],
  ])('a push of %s leaves the builds of a branch alone', async (_what, given) => {
    await turnOn('auto_cancel_pushes')
    await push(1)
    await push(2, given)
    expect(await states()).toEqual(['created', 'created'])
  })

  test('a tag that moves cancels its own waiting builds, and those of no other tag', async () => {
    await turnOn('auto_cancel_pushes')
    await push(1, { ref: 'refs/tags/v1' })
    await push(2, { ref: 'refs/tags/v2' })
    await push(3, { ref: 'refs/tags/v1' })
    expect(await states()).toEqual(['canceled', 'created', 'created'])
    expect(await logOf(1)).toContain('build #3 of tag v1 is newer')
  })

  test('a request that is decided late does not cancel newer builds', async () => {
    await turnOn('auto_cancel_pushes')
    for (const digit of [1, 2]) {
      codehost.commits.set(shaOf(digit), commitOf(shaOf(digit), 'Say hello'))
      codehost.files.set(shaOf(digit), file)
    }
    const older = await receiveEvent(ctx, pushTo(repository, { after: shaOf(1) }))
    await push(2)
    await decide(older)
    expect(await states()).toEqual(['created', 'created'])
  })

  test('builds requested through the API neither cancel nor are canceled', async () => {
    await turnOn('auto_cancel_pushes')
    await push(1)
    codehost.commits.set('refs/heads/main', commitOf(shaOf(1), 'Say hello'))
    const body = JSON.stringify({ request: { branch: 'main' } })
    const answer = await call(`POST /v3/repo/${repository.id}/requests`, asPusher, body)
    expect(answer.statusCode).toBe(202)
    await expectAccepted(2)
    expect(await states()).toEqual(['created', 'created'])
    await push(3)
    expect(await states()).toEqual(['canceled', 'created', 'created'])
  })

  test('builds of pull requests are left alone', async () => {
    await turnOn('auto_cancel_pushes')
    await pull(1)
    await pull(2)
    expect(await states()).toEqual(['created', 'created'])
  })
})

test('with auto_cancel_pull_requests a newer head cancels the waiting builds of its pull request', async () => {
  await turnOn('auto_cancel_pull_requests')
  await pull(1)
  await pull(2, 8)
  await pull(3)
  await push(4)
  await push(5)
  expect(await states()).toEqual(['canceled', 'created', 'created', 'created', 'created'])
  expect(await logOf(1)).toContain(
    'canceled because build #3 of pull request 7 is newer (setting auto_cancel_pull_requests)',
  )
})

describe('a merge group, which is a pull request of its own', () => {
  async function queue(ref = queueRef): Promise<void> {
    codehost.files.set(tip, file)
    await decide(await receiveEvent(ctx, mergeGroupOf(repository, { ref })))
  }

  test('cancels no build of the pull request that it is named after, nor of another group', async () => {
    await turnOn('auto_cancel_pull_requests')
    await pull(1)
    await queue()
    await queue(queueRef.replace(/b+$/, 'c'.repeat(40)))
    expect(await states()).toEqual(['created', 'created', 'created'])
  })

  test('is not canceled by a newer head of that pull request', async () => {
    await turnOn('auto_cancel_pull_requests')
    await queue()
    await pull(1)
    await pull(2)
    expect(await states()).toEqual(['created', 'canceled', 'created'])
  })

  test('is not what the next build of that pull request is compared with', async () => {
    await pull(1)
    await call('POST /v3/build/1/cancel', asPusher)
    await queue()
    const failed = { state: 'failed', finished_at: ctx.now() } as const
    await db.updateTable('builds').set(failed).where('id', '=', 2).execute()
    await pull(2)
    const builds = await db.selectFrom('builds').selectAll().orderBy('id').execute()
    expect(builds.map(({ previous_state }) => previous_state)).toEqual([null, null, 'canceled'])
  })
})

test('without these settings no build is canceled', async () => {
  await push(1)
  await push(2)
  await pull(3)
  await pull(4)
  expect(await states()).toEqual(Array(4).fill('created'))
})

test('when pushes are decided at the same time, only the newest build is left', async () => {
  await turnOn('auto_cancel_pushes')
  const received = []
  for (const digit of [1, 2, 3, 4, 5, 6]) {
    codehost.commits.set(shaOf(digit), commitOf(shaOf(digit), 'Say hello'))
    codehost.files.set(shaOf(digit), file)
    const pushed = pushTo(repository, { after: shaOf(digit), before: shaOf(digit - 1) })
    received.push(await receiveEvent(ctx, pushed))
  }
  await Promise.all(received.map(decide))
  const builds = await db.selectFrom('builds').selectAll().orderBy('request_id').execute()
  expect(builds).toHaveLength(6)
  expect(builds.at(-1)?.state).toBe('created')
  await push(7)
  expect((await states()).filter((state) => state === 'created')).toHaveLength(1)
})
