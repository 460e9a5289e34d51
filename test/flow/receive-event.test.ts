import { describe, expect, test } from 'vitest'
import { receiveEvent } from '../../src/flow/events/receive-event.ts'
import { age } from '../support/age.ts'
import { testContext } from '../support/context.ts'
import { testDatabase } from '../support/database.ts'
import { pullOf, pushTo, tip } from '../support/events.ts'
import { factories } from '../support/factories.ts'

const db = await testDatabase()
const make = factories(db)

const requests = () => db.selectFrom('requests').selectAll().orderBy('id').execute()
const branches = () => db.selectFrom('branches').select(['name', 'exists_on_codehost']).execute()

describe('a push', () => {
  test('creates a request for its tip, and enqueues it', async () => {
    const ctx = testContext(db)
    await receiveEvent(ctx, pushTo(await make.repository()))

    expect(await requests()).toMatchObject([
      {
        event_type: 'push',
        state: 'created',
        result: null,
        ref: 'refs/heads/main',
        after_sha: tip,
      },
    ])
    expect(ctx.enqueued).toEqual([{ name: 'request.accept', payload: { request_id: 1 } }])
    expect(await db.selectFrom('commits').selectAll().execute()).toMatchObject([
      { sha: tip, branch: 'main', tag_name: null, message: 'Say hello', author_name: 'Octavia' },
    ])
  })

  test('to a branch whose name has slashes belongs to that branch', async () => {
    const repository = await make.repository()
    await receiveEvent(testContext(db), pushTo(repository, { ref: 'refs/heads/feature/a/b' }))
    expect(await branches()).toEqual([{ name: 'feature/a/b', exists_on_codehost: true }])
  })

  test('of a tag stores the tag as its branch, and the commit instead of the tag object', async () => {
    const repository = await make.repository()
    const event = pushTo(repository, { ref: 'refs/tags/v1', after: 'e'.repeat(40) })
    await receiveEvent(testContext(db), {
      ...event,
      head_commit: event.head_commit && { ...event.head_commit, sha: tip },
    })
    expect(await db.selectFrom('commits').selectAll().execute()).toMatchObject([
      { sha: tip, branch: 'v1', tag_name: 'v1' },
    ])
  })

  test('that deletes a branch only marks the branch as deleted', async () => {
    const repository = await make.repository()
    const ctx = testContext(db)
    await receiveEvent(ctx, pushTo(repository))
    await receiveEvent(ctx, pushTo(repository, { deleted: true, head_commit: null }))
    expect(await requests()).toHaveLength(1)
    expect(await branches()).toEqual([{ name: 'main', exists_on_codehost: false }])
  })

  test('that arrives twice within ten minutes, by hook and app, counts once', async () => {
    const repository = await make.repository()
    const ctx = testContext(db)
    await receiveEvent(ctx, pushTo(repository))
    await age(db, 9 * 60)
    expect(await receiveEvent(ctx, pushTo(repository))).toEqual({
      ignored: 'duplicate of the push that created request 1',
    })
    await age(db, 2 * 60)
    expect(await receiveEvent(ctx, pushTo(repository))).toMatchObject({ request: { id: 2 } })
  })

  test('back to an old commit creates a build again', async () => {
    const repository = await make.repository()
    const ctx = testContext(db)
    const [a, b] = ['a'.repeat(40), 'b'.repeat(40)]
    await receiveEvent(ctx, pushTo(repository, { before: a, after: b }))
    await receiveEvent(ctx, pushTo(repository, { before: b, after: a }))
    expect(await requests()).toHaveLength(2)
  })

  test('that is processed twice concurrently counts once', async () => {
    const repository = await make.repository()
    const { id: delivery_id } = await db
      .insertInto('deliveries')
      .values({ guid: 'g', provider: 'codehost', event: 'push' })
      .returning('id')
      .executeTakeFirstOrThrow()
    const ctx = testContext(db)
    const event = pushTo(repository, { delivery_id })
    await Promise.all([
      receiveEvent(ctx, event),
      receiveEvent(ctx, event),
      receiveEvent(ctx, event),
    ])
    expect(await requests()).toHaveLength(1)
  })

  test('updates the name, owner and privacy of the repository', async () => {
    const repository = await make.repository({ name: 'old', private: false })
    await receiveEvent(testContext(db), pushTo({ ...repository, name: 'new', private: true }))
    expect(await db.selectFrom('repositories').selectAll().execute()).toMatchObject([
      { id: repository.id, name: 'new', private: true },
    ])
  })

  test('to an unknown repository creates no request', async () => {
    const repository = await make.repository()
    const event = pushTo({ ...repository, codehost_id: 999 })
    expect(await receiveEvent(testContext(db), event)).toEqual({
      unknown: 'unknown repository hello',
    })
    expect(await requests()).toEqual([])
  })
})

describe('a pull request', () => {
  test('that is opened creates a request that waits for the merge commit', async () => {
    const ctx = testContext(db)
    await receiveEvent(ctx, pullOf(await make.repository()))
    expect(await requests()).toMatchObject([
      {
        event_type: 'pull_request',
        action: 'opened',
        commit_id: null,
        from_fork: false,
        ref: 'refs/pull/7/merge',
        head_commit: 'd'.repeat(40),
        base_commit: 'b'.repeat(40),
      },
    ])
  })

  test.each([
    ['labeled', { action: 'labeled' }],
    ['edited without a new base', { action: 'edited' }],
    ['closed', { action: 'synchronize', state: 'closed' }],
    ['ready for review', { action: 'ready_for_review' }],
  ] as const)('that is %s builds nothing', async (_what, given) => {
    const ctx = testContext(db)
    expect(await receiveEvent(ctx, pullOf(await make.repository(), given))).not.toHaveProperty(
      'request',
    )
    expect(await requests()).toEqual([])
  })

  test('is built once for each head, unless it is reopened', async () => {
    const repository = await make.repository()
    const ctx = testContext(db)
    const head = { ...pullOf(repository).head, sha: 'e'.repeat(40) }
    await receiveEvent(ctx, pullOf(repository))
    await receiveEvent(ctx, pullOf(repository, { action: 'synchronize' }))
    await receiveEvent(ctx, pullOf(repository, { action: 'synchronize', head }))
    await receiveEvent(ctx, pullOf(repository, { action: 'reopened', head }))
    const made = await requests()
    expect(made.map(({ action }) => action)).toEqual(['opened', 'synchronize', 'reopened'])
  })

  test('of the same head in another pull request is built as well', async () => {
    const repository = await make.repository()
    const ctx = testContext(db)
    await receiveEvent(ctx, pullOf(repository, { number: 7 }))
    await receiveEvent(ctx, pullOf(repository, { number: 8 }))
    expect(await requests()).toHaveLength(2)
  })

  test('that moves to another base is built again, because its merge changes', async () => {
    const repository = await make.repository()
    const ctx = testContext(db)
    await receiveEvent(ctx, pullOf(repository))
    const base = { sha: 'f'.repeat(40), ref: 'next' }
    await receiveEvent(ctx, pullOf(repository, { action: 'edited', retargeted: true, base }))
    expect(await requests()).toMatchObject([{ action: 'opened' }, { action: 'synchronize' }])
  })

  test('from another repository is from a fork', async () => {
    const repository = await make.repository()
    const head = { ...pullOf(repository).head, repository_codehost_id: 4711 }
    await receiveEvent(testContext(db), pullOf(repository, { head }))
    expect(await requests()).toMatchObject([{ from_fork: true }])
  })
})
