import { beforeEach, describe, expect, test } from 'vitest'
import { CodehostError } from '../../src/codehost/codehost.ts'
import type { Repository } from '../../src/domain/repository.ts'
import { receiveEvent } from '../../src/flow/events/receive-event.ts'
import { acceptRequest } from '../../src/flow/requests/accept-request.ts'
import { giveUpRequest, noteRequestWaiting } from '../../src/flow/requests/give-up-request.ts'
import { publishOutbox } from '../../src/flow/statuses/publish-outbox.ts'
import { sweep } from '../../src/flow/upkeep/sweep.ts'
import { type Reader, ReadingLimit } from '../../src/reader/reader.ts'
import { changeSettings } from '../../src/store/repositories/settings.ts'
import { age } from '../support/age.ts'
import { noon, type TestContext, testContext } from '../support/context.ts'
import { testDatabase } from '../support/database.ts'
import { pullOf, pushTo, tip } from '../support/events.ts'
import { factories } from '../support/factories.ts'
import {
  commitOf,
  type MemoryCodehost,
  memoryCodehost,
  putPull,
} from '../support/memory-codehost.ts'
import { preparedJob } from '../support/prepared-job.ts'
import { writtenStreams } from '../support/written-streams.ts'

const db = await testDatabase()
const make = factories(db)

let codehost: MemoryCodehost
let repository: Repository

beforeEach(async () => {
  codehost = memoryCodehost()
  repository = await make.repository()
})

const context = () => testContext(db, { codehost })
const request = (id = 1) =>
  db.selectFrom('requests').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const builds = () => db.selectFrom('builds').selectAll().orderBy('id').execute()
const jobs = () => db.selectFrom('jobs').selectAll().orderBy('id').execute()
const outbox = () => db.selectFrom('outbox').select(['kind', 'payload']).orderBy('id').execute()

/** A reader for which everything takes too long. */
const exhausted: Reader = {
  run: () =>
    Promise.reject(new ReadingLimit('it takes more than 2 s of computing time to read', 2000)),
}

/** Pushes and decides; returns the context, to see what was enqueued. */
async function push(file: string | undefined, given: Parameters<typeof pushTo>[1] = {}) {
  const ctx = context()
  const sha = given.after ?? tip
  codehost.commits.set(sha, commitOf(sha, 'Say hello'))
  if (file !== undefined) codehost.files.set(sha, file)
  const received = await receiveEvent(ctx, pushTo(repository, given))
  ctx.enqueued.length = 0
  if ('request' in received) await acceptRequest(ctx, received.request.id)
  return ctx
}

async function publishAll(ctx: TestContext) {
  for (const stream of await writtenStreams(db)) await publishOutbox(ctx, stream)
}

describe('an accepted push', () => {
  test('creates a build with its jobs, logs and outbox rows', async () => {
    const ctx = await push('env:\n  - A=1\n  - A=2\nscript: make')

    expect(await request()).toMatchObject({
      state: 'finished',
      result: 'accepted',
      message: null,
      reason: null,
      finished_at: noon,
      config: { script: ['make'] },
    })
    expect(await builds()).toMatchObject([
      { number: 1, state: 'created', event_type: 'push', previous_state: null, duration: null },
    ])
    expect(await jobs()).toMatchObject([
      { number: '1.1', state: 'created', config: { script: ['make'] }, attempt: 1 },
      { number: '1.2', state: 'created' },
    ])
    expect(await db.selectFrom('logs').select('id').orderBy('id').execute()).toEqual([
      { id: 1 },
      { id: 2 },
    ])
    expect(await outbox()).toEqual([
      { kind: 'status', payload: { repository_id: repository.id, sha: tip, kind: 'push' } },
      { kind: 'check:config', payload: { repository_id: repository.id, sha: tip } },
    ])
    expect(ctx.enqueued.map(({ name }) => name)).toEqual([
      'jobs.schedule',
      'outbox.publish',
      'outbox.publish',
    ])
  })

  test('lists every check that was made', async () => {
    await push('script: make')
    const { checks } = await request()
    expect(checks.map(({ rule, passed }) => [rule, passed])).toEqual([
      ['repository_active', true],
      ['commit', true],
      ['sender', true],
      ['skip_command', true],
      ['build_pushes', true],
      ['build_file', true],
      ['branches', true],
      ['jobs', true],
    ])
  })

  test('is decided once, however often it is enqueued', async () => {
    const ctx = await push('script: make')
    await Promise.all([acceptRequest(ctx, 1), acceptRequest(ctx, 1)])
    expect(await builds()).toHaveLength(1)
  })

  test('is created once by several at the same time', async () => {
    codehost.files.set(tip, 'script: make')
    const ctx = context()
    await receiveEvent(ctx, pushTo(repository))
    await Promise.all([acceptRequest(ctx, 1), acceptRequest(ctx, 1), acceptRequest(ctx, 1)])
    expect(await builds()).toHaveLength(1)
    expect(await jobs()).toHaveLength(1)
  })

  test('counts builds by repository, and rejected requests not at all', async () => {
    await push('script: make')
    await push(undefined, { after: 'e'.repeat(40) })
    await push('script: make', { after: 'f'.repeat(40) })
    expect((await builds()).map(({ number }) => number)).toEqual([1, 2])
  })

  test('is the last build of its branch, and of the repository’s default branch', async () => {
    await push('script: make')
    await push('script: make', { ref: 'refs/heads/topic', after: 'e'.repeat(40) })
    const branches = await db.selectFrom('branches').selectAll().orderBy('id').execute()
    expect(branches).toMatchObject([
      { name: 'main', last_build_id: 1 },
      { name: 'topic', last_build_id: 2 },
    ])
    expect(await db.selectFrom('repositories').selectAll().execute()).toMatchObject([
      { default_branch_last_build_id: 1, last_build_id: null },
    ])
  })

  test('keeps the findings of its build file, and its text', async () => {
    await push('scirpt: make\nos: linux\ndist: focal\nlanguage: c')
    expect(await db.selectFrom('request_messages').selectAll().execute()).toMatchObject([
      {
        level: 'warn',
        code: 'find_key',
        args: { original: 'scirpt', key: 'script' },
        line: 1,
        column: 1,
        src: '.service.yml',
      },
    ])
    expect(await db.selectFrom('raw_configs').select('text').execute()).toEqual([
      { text: 'scirpt: make\nos: linux\ndist: focal\nlanguage: c' },
    ])
  })
})

describe('a push is rejected, with a reason,', () => {
  test.each([
    ['without a build file', undefined, {}, 'no_build_file'],
    ['from a branch that is not listed', 'branches: { only: [stable] }', {}, 'branch_excluded'],
    [
      'from a tag when only branches are listed',
      'branches: { only: [main] }',
      { ref: 'refs/tags/v1' },
      'branch_excluded',
    ],
    ['from a pages branch', 'script: make', { ref: 'refs/heads/gh-pages' }, 'pages_branch'],
  ] as const)('%s', async (_what, file, given, reason) => {
    await push(file, given)
    expect(await request()).toMatchObject({ state: 'finished', result: 'rejected', reason })
    expect(await builds()).toEqual([])
  })

  test('by a skip command in its head commit, and the commit gets a status', async () => {
    const event = pushTo(repository)
    const ctx = await push('script: make', {
      head_commit: event.head_commit && { ...event.head_commit, message: 'Typo [ci skip]' },
    })
    expect(await request()).toMatchObject({
      reason: 'skip_command',
      message: 'skipped by commit message: it contains [ci skip]',
    })
    expect(codehost.calls).toEqual([])
    await publishAll(ctx)
    const description = 'No build: skipped by commit message: it contains [ci skip]'
    expect(codehost.posted).toMatchObject([{ sha: tip, status: { state: 'success', description } }])
    expect(codehost.runs).toMatchObject([{ conclusion: 'skipped', title: description }])
  })

  test('when pushes are switched off', async () => {
    await changeSettings(db, repository.id, { build_pushes: false })
    await push('script: make')
    expect(await request()).toMatchObject({ reason: 'pushes_disabled' })
  })

  test('when the repository is not enabled', async () => {
    await db.updateTable('repositories').set({ active: false }).execute()
    await push('script: make')
    expect(await request()).toMatchObject({ reason: 'repository_inactive' })
    await publishAll(context())
    expect([codehost.posted, codehost.runs]).toEqual([[], []])
  })
})

test('without a build file, where none is needed, one default job is made', async () => {
  await changeSettings(db, repository.id, { builds_only_with_service_yml: false })
  await push(undefined)
  expect(await jobs()).toMatchObject([{ number: '1.1', config: { language: 'generic' } }])
})

describe('an unreachable code host', () => {
  test('is waited for, which the request shows', async () => {
    const ctx = context()
    await receiveEvent(ctx, pushTo(repository))
    codehost.failure = new CodehostError('it answered 503', { kind: 'away' })
    await expect(acceptRequest(ctx, 1)).rejects.toBe(codehost.failure)
    await noteRequestWaiting(ctx, 1, codehost.failure)
    expect(await request()).toMatchObject({
      state: 'started',
      result: null,
      reason: null,
      message: 'waiting: it answered 503; the request is retried later',
    })

    codehost.failure = undefined
    codehost.files.set(tip, 'script: make')
    await acceptRequest(ctx, 1)
    expect(await request()).toMatchObject({ result: 'accepted', message: null })
  })

  test('is not waited for longer than half a day', async () => {
    const ctx = context()
    await receiveEvent(ctx, pushTo(repository))
    codehost.failure = new CodehostError('it answered 503', { kind: 'away' })
    await age(db, 12 * 60 * 60)
    await acceptRequest(ctx, 1)
    expect(await builds()).toMatchObject([{ state: 'errored', config_error: 'fetch' }])
  })
})

describe('a build that cannot run ends at once', () => {
  const errored = { state: 'errored', started_at: noon, finished_at: noon }

  test('when its file cannot be read, and says where', async () => {
    await push('script: [make\nlanguage: c')
    expect(await request()).toMatchObject({ result: 'accepted' })
    expect(await builds()).toMatchObject([{ ...errored, config_error: 'parse', duration: 0 }])
    expect(await jobs()).toMatchObject([{ ...errored, number: '1.1' }])
    const [part] = await db.selectFrom('log_parts').selectAll().orderBy('number').execute()
    expect(part?.content).toMatch(/\.service\.yml cannot be read \(line \d+, column \d+\)/)
  })

  test('when the code host refuses its file', async () => {
    codehost.failure = new CodehostError('it answered 403', { kind: 'refused' })
    await push(undefined)
    expect(await builds()).toMatchObject([{ ...errored, config_error: 'fetch' }])
  })

  test('when its file takes too much to read, and says so', async () => {
    codehost.files.set(tip, 'script: make')
    const ctx = { ...context(), reader: exhausted }
    const received = await receiveEvent(ctx, pushTo(repository))
    if ('request' in received) await acceptRequest(ctx, received.request.id)
    expect(await builds()).toMatchObject([{ state: 'errored', config_error: 'too_costly' }])
    const logs = await db.selectFrom('log_parts').select('content').execute()
    expect(logs.map(({ content }) => content).join('')).toContain(
      '.service.yml cannot be used: it takes more than 2 s of computing time to read',
    )
  })

  test.each([
    [
      'of aliases',
      `_a: &a ${'x'.repeat(30_000)}\nscript: [${Array(10).fill('*a').join()}]`,
      '250000',
    ],
    [
      'of jobs',
      `script: ${'x'.repeat(200_000)}\nenv: [${Array.from({ length: 40 }, (_, n) => `N=${n}`).join()}]`,
      '5000000',
    ],
  ])('when it makes too much %s, and says so', async (_what, file, most) => {
    const ctx = await push(file)
    expect(await builds()).toMatchObject([{ state: 'errored', config_error: 'too_costly' }])
    const logs = await db.selectFrom('log_parts').select('content').execute()
    expect(logs.map(({ content }) => content).join('')).toMatch(
      new RegExp(`\\.service\\.yml cannot be used: .* more than ${most} characters`, 'm'),
    )
    expect(ctx.enqueued.length).toBeGreaterThan(0)
  })

  test('when it has more than 200 jobs', async () => {
    const rows = Array.from({ length: 201 }, (_, row) => `  - ROW=${row}`).join('\n')
    const ctx = await push(`env:\n${rows}\nscript: make`)
    expect(await builds()).toMatchObject([{ ...errored, config_error: 'too_many_jobs' }])
    expect(await jobs()).toHaveLength(1)
    await publishAll(ctx)
    expect(codehost.runs).toMatchObject([
      {
        conclusion: 'failure',
        annotations: [
          {
            start_line: 1,
            level: 'failure',
            message: 'The build file makes 201 jobs; a build can have at most 200.',
          },
        ],
      },
    ])
  })
})

describe('a pull request', () => {
  const head = 'd'.repeat(40)
  const merge = 'e'.repeat(40)

  async function open(given: Parameters<typeof pullOf>[1] = {}) {
    const ctx = context()
    await receiveEvent(ctx, pullOf(repository, given))
    ctx.enqueued.length = 0
    await acceptRequest(ctx, 1)
    return ctx
  }

  async function again(ctx: TestContext, seconds: number) {
    await age(db, seconds)
    await acceptRequest(ctx, 1)
  }

  const created = () => putPull(codehost, { head, merge })

  test('builds the merge commit with the message of the head, for the base branch', async () => {
    created()
    await open()
    expect(await db.selectFrom('commits').selectAll().execute()).toMatchObject([
      { sha: merge, ref: 'refs/pull/7/merge', branch: 'main', message: 'Greet' },
    ])
    expect(await builds()).toMatchObject([
      { event_type: 'pull_request', branch_id: 1, waits_for_approval: false },
    ])
    // It is no build of the branch itself (D57).
    expect(await db.selectFrom('branches').selectAll().execute()).toMatchObject([
      { id: 1, name: 'main', last_build_id: null },
    ])
    const { stream } = await db.selectFrom('outbox').selectAll().limit(1).executeTakeFirstOrThrow()
    expect(stream).toContain(head)
  })

  test.each(['unknown', 'checking', 'clean', 'blocked'])(
    'that is %s waits, with growing pauses, while it is not known to be mergeable',
    async (mergeable_state) => {
      putPull(codehost, { head, merge: null, mergeable_state })
      const ctx = await open()
      await again(ctx, 1)
      expect(ctx.enqueued.map(({ options }) => options?.delay)).toEqual([1000, 2000])
      created()
      await again(ctx, 2)
      expect(await builds()).toHaveLength(1)
    },
  )

  test('waits for its merge commit for as long as it takes, and says so', async () => {
    putPull(codehost, { head, merge: null })
    const ctx = await open()
    for (let tries = 0; tries < 30; tries += 1) await again(ctx, 600)
    expect(await request()).toMatchObject({
      state: 'started',
      result: null,
      message:
        'waiting: the code host has not made the merge commit of this pull request yet; ' +
        'the service retries with growing pauses',
    })
    expect(ctx.enqueued.findLast(({ name }) => name === 'request.accept')?.options).toEqual({
      delay: 600_000,
    })
    await publishAll(ctx)
    expect(codehost.posted).toMatchObject([
      {
        sha: head,
        status: {
          state: 'pending',
          description: 'Waiting for the code host to create the merge commit',
        },
      },
    ])
    created()
    await again(ctx, 600)
    expect(await request()).toMatchObject({ result: 'accepted', message: null })
  })

  test('is looked up no earlier, whatever entries say', async () => {
    putPull(codehost, { head, merge: null })
    const ctx = await open()
    for (let tries = 0; tries < 5; tries += 1) await again(ctx, 60)
    const { length } = codehost.calls
    await acceptRequest(ctx, 1)
    expect(codehost.calls).toHaveLength(length)
    await sweep(ctx, 0)
    const entries = ctx.enqueued.filter(({ name }) => name === 'request.accept')
    expect(entries.at(-1)?.options).toEqual({ delay: 30_000 })
  })

  test('that waits is looked up at once when something happens to it', async () => {
    putPull(codehost, { head, merge: null })
    const ctx = await open()
    await receiveEvent(ctx, pullOf(repository, { action: 'closed', state: 'closed' }))
    putPull(codehost, { head, merge: null, state: 'closed' })
    expect(ctx.enqueued).toContainEqual({ name: 'request.accept', payload: { request_id: 1 } })
    await acceptRequest(ctx, 1)
    expect(await request()).toMatchObject({
      reason: 'no_merge_commit',
      message:
        'no merge commit: the pull request is closed; if it is not merged, reopen it to build it',
    })
    await publishAll(ctx)
    expect(codehost.posted).toMatchObject([
      { status: { state: 'error', description: expect.stringContaining('Superseded') } },
    ])
  })

  test('that waits is skipped by what needs no merge commit', async () => {
    putPull(codehost, { head, merge: null })
    codehost.commits.set(head, commitOf(head, 'Greet [skip ci]'))
    await open()
    expect(await request()).toMatchObject({ reason: 'skip_command' })
  })

  test('with conflicts is rejected, and says so', async () => {
    putPull(codehost, { head, merge: null, mergeable: false, mergeable_state: 'dirty' })
    await open()
    expect(await request()).toMatchObject({
      reason: 'no_merge_commit',
      mergeable_state: 'dirty',
      message: 'conflicts with main: resolve the conflicts and push',
    })
  })

  test('that turns out to have conflicts ends the status that said that it waits', async () => {
    putPull(codehost, { head, merge: null })
    const ctx = await open()
    for (let tries = 0; tries < 4; tries += 1) await again(ctx, 60)
    putPull(codehost, { head, merge: null, mergeable: false, mergeable_state: 'dirty' })
    await publishAll(ctx)
    await again(ctx, 60)
    await publishAll(ctx)
    expect(codehost.posted.map(({ status }) => status.state)).toEqual(['pending', 'error'])
  })

  test('is not built with the merge commit of an earlier head', async () => {
    putPull(codehost, { head: '1'.repeat(40), merge })
    putPull(codehost, { head, merge: null, mergeable: true, merge_commit_sha: merge })
    await open()
    expect(await request()).toMatchObject({ state: 'started', result: null })
    expect(await builds()).toEqual([])
  })

  describe('whose head has moved', () => {
    const newer = '9'.repeat(40)
    const newerHead = { ...pullOf({} as Repository).head, sha: newer }

    test('is rejected, and names both heads and the request about the newer one', async () => {
      putPull(codehost, { head, merge: null })
      const ctx = await open()
      putPull(codehost, { head: newer, merge })
      await receiveEvent(ctx, pullOf(repository, { action: 'synchronize', head: newerHead }))
      const decided = ctx.enqueued.filter(({ name }) => name === 'request.accept')
      expect(decided.slice(-2).map(({ payload }) => payload)).toEqual([
        { request_id: 1 },
        { request_id: 2 },
      ])
      await acceptRequest(ctx, 1)
      await acceptRequest(ctx, 2)
      expect(await request()).toMatchObject({
        result: 'rejected',
        reason: 'head_moved',
        message:
          `superseded: this request is about head ${head}, but the pull request is at ${newer}; ` +
          'request 2 is about the newer commit',
      })
      expect(await request(2)).toMatchObject({ result: 'accepted' })
      expect(await builds()).toMatchObject([{ request_id: 2 }])
      await publishAll(ctx)
      expect(codehost.posted.map(({ sha, status }) => [sha, status.state])).toEqual([
        [head, 'error'],
        [newer, 'pending'],
      ])
    })

    test('may only seem so to a code host that is behind, and is queried again', async () => {
      putPull(codehost, { head: newer, merge })
      const ctx = await open()
      expect(await request()).toMatchObject({
        result: null,
        message: expect.stringMatching(/does not show this head/),
      })
      codehost.commits.clear()
      created()
      await again(ctx, 1)
      expect(await builds()).toHaveLength(1)
    })

    test('is rejected without an event of the newer head', async () => {
      putPull(codehost, { head: newer, merge })
      codehost.commits.set(head, commitOf(head, 'Greet'))
      const ctx = await open()
      for (let tries = 0; tries < 5; tries += 1) await again(ctx, 60)
      expect(await request()).toMatchObject({
        reason: 'head_moved',
        message: expect.stringMatching(/the newer commit will be built when its event arrives$/),
      })
    })
  })

  test('that is a draft is built, and the request remembers that it was one', async () => {
    putPull(codehost, { head, merge, draft: true })
    await open()
    expect(await request()).toMatchObject({ result: 'accepted', mergeable_state: 'draft' })
  })

  test('from a fork waits for approval', async () => {
    created()
    await open({ head: { ...pullOf(repository).head, repository_codehost_id: 4711 } })
    expect(await builds()).toMatchObject([{ state: 'created', waits_for_approval: true }])
  })

  test('is skipped by its head commit, not by its title', async () => {
    created()
    await open({ title: '[skip ci]' })
    expect(await request()).toMatchObject({ result: 'accepted' })
  })
})

test('what cannot be decided is rejected in the end, instead of waiting for ever', async () => {
  const ctx = context()
  await receiveEvent(ctx, pushTo(repository))
  await giveUpRequest(ctx, 1)
  expect(await request()).toMatchObject({ result: 'rejected', reason: 'internal_error' })
  await publishAll(ctx)
  // Anyone who waits for a required status, as a merge queue does, must not wait for ever either.
  expect(codehost.posted.map(({ status }) => status)).toMatchObject([
    {
      state: 'error',
      description: expect.stringMatching(/^No build: internal error: the service/),
    },
  ])
})

test('a condition that can never hold, as after a typo, passes no commit', async () => {
  const ctx = await push('script: make\nif: brnach = main')
  expect(await request()).toMatchObject({
    reason: 'condition',
    message:
      'condition can never hold: brnach = main (line 2): "brnach = main" is false for every build',
  })
  await publishAll(ctx)
  expect(codehost.posted.map(({ status }) => status.state)).toEqual(['error'])
  expect(codehost.runs).toMatchObject([
    { conclusion: 'failure', title: 'The condition (if) can never hold' },
  ])
  expect(codehost.runs[0]?.annotations[0]).toMatchObject({ start_line: 2, level: 'failure' })
})

describe('a typo in one part of a condition', () => {
  const either = 'script: make\nif: branch = release OR typ = push'

  test('passes no commit that the other part leaves out', async () => {
    const ctx = await push(either)
    expect(await request()).toMatchObject({
      reason: 'condition',
      message:
        'condition did not match: branch = release OR typ = push (line 2): ' +
        '"typ = push" does not depend on the build',
    })
    await publishAll(ctx)
    expect(codehost.posted.map(({ status }) => status.state)).toEqual(['error'])
    expect(codehost.runs).toMatchObject([
      { conclusion: 'failure', title: 'A part of the condition (if) does not depend on the build' },
    ])
  })

  test('passes no commit where it is in a list', async () => {
    const ctx = await push('script: make\nif: type IN (cron, psuh)')
    expect(await request()).toMatchObject({
      message:
        'condition did not match: type IN (cron, psuh) (line 2): "psuh" does not depend on the build',
    })
    await publishAll(ctx)
    expect(codehost.posted.map(({ status }) => status.state)).toEqual(['error'])
  })

  test.each([
    ['branch = release AND type NOT IN (cron, psuh)', 'the other part makes it false'],
    ['type NOT IN (push, psuh)', 'another value of the list makes it false'],
    ['branch = release AND (type = push OR typ = push)', 'the other parts make it false'],
    ['branch = release OR false', 'it plainly says false'],
    ['branch = release OR NOT type = push', 'its parts depend on what is built'],
  ])('is none in %s, where %s', async (condition) => {
    const ctx = await push(`script: make\nif: ${condition}`)
    await publishAll(ctx)
    expect(codehost.posted.map(({ status }) => status.state)).toEqual(['success'])
  })
})

test.each([
  'jobs: {include: [{script: make, if: brnach = main}]}',
  'stages: [{name: test, if: type = pul_request}]\njobs: {include: [{stage: test, script: make}]}',
])('a typo in the condition of the only job passes no commit: %s', async (file) => {
  const ctx = await push(file)
  expect(await request()).toMatchObject({ reason: 'no_jobs' })
  await publishAll(ctx)
  expect(codehost.posted.map(({ status }) => status.state)).toEqual(['error'])
})

test('a condition that plainly says false is a wish, and passes the commit', async () => {
  const ctx = await push('script: make\nif: false')
  await publishAll(ctx)
  expect(codehost.posted.map(({ status }) => status.state)).toEqual(['success'])
})

test.each([
  ['.travis.yml', 'there is .travis.yml: rename it to .service.yml'],
  ['.github', 'add .service.yml; jobs that .github defines for GitHub Actions are not run here'],
  ['README.md', 'add .service.yml, or turn off builds_only_with_service_yml in the settings'],
])('without a build file, %s is reported: %s', async (name, advice) => {
  codehost.tree = async () => [{ name, type: 'file' }]
  await push(undefined)
  expect((await request()).message).toBe(`no build configuration file: ${advice}`)
})

test('the outcome before is that of the same branch', async () => {
  await push('script: make')
  await db.updateTable('builds').set({ state: 'failed', finished_at: noon }).execute()
  await push('script: make', { after: 'e'.repeat(40) })
  await push('script: make', { after: 'f'.repeat(40), ref: 'refs/heads/topic' })
  expect((await builds()).map(({ previous_state }) => previous_state)).toEqual([
    null,
    'failed',
    null,
  ])
})

describe('the condition of the root', () => {
  test('rejects a request that it does not match, and reports the values it saw', async () => {
    await push('script: make\nif: branch = release AND type IN (push, api)')
    const { result, reason, message, checks } = await request()
    expect({ result, reason, message }).toEqual({
      result: 'rejected',
      reason: 'condition',
      message:
        'condition did not match: branch = release AND type IN (push, api) (line 2): ' +
        'branch was "main", type was "push"',
    })
    expect(checks.find(({ rule }) => rule === 'condition')).toEqual({
      rule: 'condition',
      passed: false,
      source: { file: '.service.yml', line: 2 },
      values: {
        condition: 'branch = release AND type IN (push, api)',
        saw: { branch: 'main', type: 'push' },
        error: null,
      },
    })
    expect(await builds()).toEqual([])
  })

  test('that cannot be read counts as false, and is not a success', async () => {
    const ctx = await push('script: make\nif: branch =')
    expect(await request()).toMatchObject({
      reason: 'condition',
      message:
        'condition cannot be evaluated and counts as false: branch = (line 2): ' +
        'a variable, a call or a value is missing at the end',
    })
    await publishAll(ctx)
    expect(codehost.posted).toMatchObject([
      {
        sha: tip,
        status: { state: 'error', description: expect.stringMatching(/^No build: cond/) },
      },
    ])
    expect(codehost.runs).toMatchObject([
      {
        head_sha: tip,
        conclusion: 'failure',
        title: 'The condition (if) cannot be read, which counts as false',
        annotations: [{ path: '.service.yml', start_line: 2, level: 'failure' }],
      },
    ])
  })

  test('of one of several jobs that cannot be read fails the check, at its line', async () => {
    const ctx = await push(
      'jobs:\n  include:\n    - script: make lint\n    - script: make\n      if: branch =\n',
    )
    expect(await request()).toMatchObject({ result: 'accepted' })
    await publishAll(ctx)
    expect(codehost.runs).toMatchObject([
      {
        conclusion: 'failure',
        title: 'The condition (if) of a job cannot be read, so that job is left out',
        annotations: [{ start_line: 5, level: 'failure', title: 'invalid_condition' }],
      },
    ])
  })

  test.each(['branch = feature/*', 'type = tag', 'tag = true'])(
    'that never holds is not a success: %s',
    async (condition) => {
      const ctx = await push(`script: make\nif: ${condition}\n`)
      await publishAll(ctx)
      expect(codehost.posted.map(({ status }) => status.state)).toEqual(['error'])
    },
  )

  test('that cannot be read is reported even where skipped builds are not', async () => {
    const ctx = context()
    Object.assign(ctx.config, { statusForSkipped: false })
    codehost.files.set(tip, 'if: branch =')
    await receiveEvent(ctx, pushTo(repository))
    await acceptRequest(ctx, 1)
    await publishAll(ctx)
    expect(codehost.posted).toMatchObject([{ status: { state: 'error' } }])
    expect(codehost.runs).toMatchObject([{ conclusion: 'failure' }])
  })
})

describe('the check of the build file', () => {
  test('shows what was read of it, for a rejected request, too', async () => {
    const ctx = await push('scirpt: make\nbranches: { only: [stable] }')
    await publishAll(ctx)
    expect(await request()).toMatchObject({ reason: 'branch_excluded' })
    expect(codehost.runs).toMatchObject([
      {
        head_sha: tip,
        conclusion: 'skipped',
        title: expect.stringMatching(/^No build: branch not included: main/),
        annotations: [{ start_line: 1, title: 'find_key' }],
      },
    ])
  })

  test('is not made where there was no file', async () => {
    await publishAll(await push(undefined))
    expect(codehost.posted).toEqual([])
    await changeSettings(db, repository.id, { builds_only_with_service_yml: false })
    await publishAll(await push(undefined, { after: 'e'.repeat(40) }))
    expect(codehost.posted).toHaveLength(1)
    expect(codehost.runs).toEqual([])
  })

  test('fails where the file could not be fetched', async () => {
    codehost.failure = new CodehostError('it answered 403', { kind: 'refused' })
    const ctx = await push(undefined)
    codehost.failure = undefined
    await publishAll(ctx)
    expect(codehost.runs).toMatchObject([{ conclusion: 'failure' }])
  })
})

test('jobs are left out by their conditions, with a message', async () => {
  await push(
    'jobs:\n  include:\n    - script: make\n    - script: make release\n      if: tag IS present\n',
  )
  expect(await jobs()).toMatchObject([{ number: '1.1', config: { script: ['make'] } }])
  expect(await db.selectFrom('request_messages').select(['code', 'args']).execute()).toContainEqual(
    { code: 'skip_job', args: { number: 1, condition: 'tag IS present' } },
  )
})

test('a file that makes no jobs is rejected with the reason', async () => {
  await push('jobs:\n  include:\n    - script: make\n      if: tag IS present\n')
  expect(await request()).toMatchObject({
    reason: 'no_jobs',
    message:
      'configuration created no jobs: script "make": its condition tag IS present (line 4) ' +
      'does not hold: tag was blank',
  })
})

test('a build whose jobs are all left out on purpose posts a success, one with a typo an error', async () => {
  const file = (condition: string) => `jobs: { include: [{ script: make, if: '${condition}' }] }`
  await publishAll(await push(file('tag IS present')))
  expect(codehost.posted).toMatchObject([
    { status: { state: 'success', description: expect.stringMatching(/^No build: .* no jobs: /) } },
  ])
  await publishAll(await push(file('branch ='), { after: 'e'.repeat(40) }))
  expect(codehost.posted[1]).toMatchObject({ status: { state: 'error' } })
})

test('left-out jobs and stages say which condition, with which values and where', async () => {
  await push(`language: ruby
rvm: [3.2, 3.3]
script: rake
stages:
  - test
  - name: deploy
    if: branch = release
jobs:
  include:
    - stage: deploy
      name: Ship it
      script: ship
    - name: Nightly
      if: type = cron
    - rvm: 3.1
      if: tag IS present
  exclude:
    - rvm: 3.3
`)
  const { checks } = await request()
  expect(checks.find(({ rule }) => rule === 'jobs')?.values).toMatchObject({
    jobs: 1,
    left_out: [
      'rvm "3.3", script "rake": jobs.exclude 1 (line 18) fits it',
      '"Nightly": its condition type = cron (line 14) does not hold: type was "push"',
      'rvm "3.1", script "rake": its condition tag IS present (line 16) does not hold: tag was blank',
      '"Ship it": the condition of its stage "deploy" branch = release (line 7) does not hold: ' +
        'branch was "main"',
    ],
  })
  const messages = db.selectFrom('request_messages').select(['code', 'line', 'text'])
  expect(await messages.where('code', 'like', 'skip%').orderBy('id').execute()).toEqual([
    {
      code: 'skip_job',
      line: 14,
      text: 'this is left out, because its condition "type = cron" does not hold: type was "push"',
    },
    {
      code: 'skip_job',
      line: 16,
      text: 'this is left out, because its condition "tag IS present" does not hold: tag was blank',
    },
    {
      code: 'skip_stage',
      line: 7,
      text:
        'stage 2 is left out with its jobs, because its condition "branch = release" does not hold: ' +
        'branch was "main"',
    },
  ])
})

test('the value that a condition compared with a secret is not shown', async () => {
  await push('env: { global: [DEPLOY_TOKEN=sesame] }\nif: env(DEPLOY_TOKEN) = sesame2\nscript: a')
  const { message } = await request()
  expect(message).toBe(
    'condition did not match: env(DEPLOY_TOKEN) … (line 2): env(DEPLOY_TOKEN) was [secure]',
  )
})

test('a tag is called a tag, and a base branch a base branch, with what is listed and where', async () => {
  const file = 'script: make\nbranches:\n  only: [stable, /^v\\d/]\n'
  await push(file, { ref: 'refs/tags/one' })
  expect((await request()).message).toBe(
    'tag not included: one matches no entry of branches.only (line 3): stable, /^v\\d/',
  )
})

describe('the status of a build file that cannot be used names file, line and what', () => {
  test.each([
    ['script: [make\nenv: A=1\n', /^\.service\.yml:\d syntax error: /],
    ['- a\n- b\n', /^\.service\.yml:1 /],
    [
      'script: make\nimport: ci/missing.yml',
      /^\.service\.yml:2 there is no file "ci\/missing\.yml" to import/,
    ],
    [
      `script: make\nrvm: [${Array.from({ length: 201 }, (_none, index) => `v${index}`).join(', ')}]`,
      /^\.service\.yml:2 The build file makes 201 jobs; a build can have at most 200\.$/,
    ],
  ])('%j', async (file, description) => {
    await publishAll(await push(file))
    const [posted] = codehost.posted
    expect(posted?.status).toMatchObject({
      state: 'error',
      description: expect.stringMatching(description),
    })
    expect(posted?.status.description.length).toBeLessThanOrEqual(140)
  })
})

test('a file that could not be fetched is named in the status, and its log advises no linter', async () => {
  codehost.failure = new CodehostError('it answered 403', { kind: 'refused' })
  const ctx = await push(undefined)
  codehost.failure = undefined
  await publishAll(ctx)
  expect(codehost.posted[0]?.status.description).toBe(
    'The build file could not be fetched: it answered 403',
  )
  const parts = await db.selectFrom('log_parts').select('content').execute()
  const log = parts.map(({ content }) => content).join('')
  expect(log).toContain('Nothing is wrong with the file itself.')
  expect(log).not.toContain('lint')
})

test('a build file that was empty counts as one that there was', async () => {
  await push('')
  await push(undefined, { after: 'f'.repeat(40) })
  const [last] = await db.selectFrom('requests').select('message').orderBy('id', 'desc').execute()
  expect(last?.message).toMatch(
    /this commit has no \.service\.yml, although an earlier commit had it/,
  )
})

test('a build file is requested only where there never was one', async () => {
  await push(undefined)
  expect((await request()).message).toBe(
    'no build configuration file: add .service.yml, ' +
      'or turn off builds_only_with_service_yml in the settings',
  )
  await push('script: make', { after: 'e'.repeat(40) })
  await push(undefined, { after: 'f'.repeat(40) })
  const [last] = await db.selectFrom('requests').select('message').orderBy('id', 'desc').execute()
  expect(last?.message).toMatch(
    /this commit has no \.service\.yml, although an earlier commit had it/,
  )
})

test('each finding that stops a build is shown as an error', async () => {
  const many = Array.from({ length: 201 }, (_none, index) => `v${index}`).join(', ')
  for (const file of [
    'script: [make\n',
    '- a\n',
    'import: ci/missing.yml\nscript: make',
    'if: branch =\nscript: make',
    `language: ruby\nscript: make\nrvm: [${many}]`,
  ]) {
    codehost.runs.length = 0
    await db.deleteFrom('outbox').execute()
    const ctx = await push(file, { after: file.length.toString(16).padStart(40, 'a') })
    await publishAll(ctx)
    expect({ file, runs: codehost.runs }).toMatchObject({
      file,
      runs: [
        {
          conclusion: 'failure',
          summary: expect.stringMatching(/^\d+ findings?(?: and \d+ notes?)?:\n\n- \*\*error\*\*/),
        },
      ],
    })
  }
})

test('half a configuration is not built (CF-46)', async () => {
  await push('import: ci/missing.yml\nscript: make')
  expect(await builds()).toMatchObject([{ state: 'errored', config_error: 'import' }])
  const parts = await db.selectFrom('log_parts').select('content').execute()
  expect(parts.map(({ content }) => content).join('')).toContain(
    '.service.yml, line 1: there is no file "ci/missing.yml" to import',
  )
})

test('a build says, in its messages and in the log of its jobs, that its file is another service’s', async () => {
  const ctx = await push(
    'on: push\njobs:\n  test:\n    runs-on: ubuntu-latest\n    steps: [run: make]\n',
  )
  const messages = await db
    .selectFrom('request_messages')
    .select(['code', 'text', 'line'])
    .execute()
  const about = messages.filter(({ code }) => code === 'file_of_another_service')
  expect(about).toMatchObject([{ line: 1, text: expect.stringMatching(/a workflow of GitHub/) }])
  const [job] = await jobs()
  const { clone } = await preparedJob(ctx, job?.id ?? 0)
  expect(clone.match(/this looks like a workflow of GitHub Actions/g)).toHaveLength(1)
})
