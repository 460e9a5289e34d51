// Pushes from long ago, and webhooks that arrive in a different order than they were sent.
import { beforeEach, describe, expect, test } from 'vitest'
import { syncInstallation } from '../../src/flow/repositories/sync-installation.ts'
import { acceptRequest } from '../../src/flow/requests/accept-request.ts'
import { age } from '../support/age.ts'
import type { Repository } from '../support/codehost/tables.ts'
import type { TestContext } from '../support/context.ts'
import { replayScene } from './replay-scene.ts'

const scene = await replayScene()
const { db, host } = scene
const month = 31 * 24 * 60 * 60

let ctx: TestContext
let deliver: Awaited<ReturnType<typeof scene.open>>['deliver']
let repository: Repository

beforeEach(async () => {
  ;({ ctx, deliver } = await scene.open())
  repository = await scene.knownRepository(ctx)
})

const file = { '.service.yml': 'script: make' }
const commit = (given: { branch?: string } = {}) =>
  scene.captured('push', () =>
    host.commit(repository, { ...given, files: { ...file, a: scene.unique('a') } }),
  )

const requests = () => db.selectFrom('requests').selectAll().orderBy('id').execute()

/**
 * Decides on all requests; returns the commits of the builds, in order, and the commit of the
 * branch's last build.
 */
async function builds(branch = 'main') {
  for (const { id } of await requests()) await acceptRequest(ctx, id)
  const { id } = await scene.rowOf(repository)
  const made = await db
    .selectFrom('builds')
    .innerJoin('commits', 'commits.id', 'builds.commit_id')
    .select(['builds.id', 'commits.sha'])
    .where('builds.repository_id', '=', id)
    .orderBy('builds.id')
    .execute()
  const { last_build_id, exists_on_codehost } = await db
    .selectFrom('branches')
    .select(['last_build_id', 'exists_on_codehost'])
    .where('repository_id', '=', id)
    .where('name', '=', branch)
    .executeTakeFirstOrThrow()
  const last = made.find(({ id }) => id === last_build_id)?.sha
  return { built: made.map(({ sha }) => sha), last, exists: exists_on_codehost }
}

describe('a body that was delivered before', () => {
  test('is not built again under a new delivery id, however much later', async () => {
    const push = await commit()
    const first = await deliver('push', push)
    await age(db, month)
    expect(await deliver('push', push)).toMatchObject({
      ...{ state: 'processed', result: 'ignored' },
      outcome: `duplicate of webhook ${first?.guid}: the same event was received before and is processed only once; see that webhook for its result`,
    })
    expect(await requests()).toHaveLength(1)
  })

  test('does not reopen a pull request', async () => {
    await deliver('push', await commit())
    const [pushed, opened] = await scene.allCaptured(['push', 'pull_request'], async () => {
      await host.commit(repository, { branch: 'topic', files: { a: '1' } })
      await host.openPull(repository, { head: 'topic' })
    })
    await deliver('push', pushed)
    expect(await deliver('pull_request', opened)).toMatchObject({ result: 'request' })
    await age(db, month)
    expect(await deliver('pull_request', opened)).toMatchObject({ result: 'ignored' })
    expect(await requests()).toHaveLength(3)
  })

  test('counts if the first delivery had no effect because its repository was unknown', async () => {
    const owner = scene.unique('owner')
    const other = await host.addRepository({ owner, name: 'other' })
    const push = await scene.captured('push', () => host.commit(other))
    const restore = host.failWhile({ kind: 'status', status: 404 }, /\/app\/installations\//)
    expect(await deliver('push', push)).toMatchObject({ state: 'failed', result: 'unknown' })
    restore()
    await syncInstallation(ctx, scene.installationOf(other.owner).id)
    expect(await deliver('push', push)).toMatchObject({ result: 'request' })
  })
})

describe('a push that arrives after a newer one', () => {
  test('is built, but is not the last build of its branch', async () => {
    await deliver('push', await commit())
    const [older, newer] = [await commit(), await commit()]
    await deliver('push', newer)
    expect(await deliver('push', older)).toMatchObject({
      ...{
        result: 'request',
        outcome: `created request 3, late: the branch was at ${String(newer.after)} already`,
      },
    })
    const { built, last } = await builds()
    expect(built.slice(1)).toEqual([newer.after, older.after])
    expect(last).toBe(newer.after)
    const [, , late] = await requests()
    expect(late?.checks[0]).toEqual({
      ...{ rule: 'late_push', passed: true, source: null },
      values: { sha: older.after, at_codehost: newer.after },
    })
  })

  test('does not count as a push back to the older commit, so the newer one is not built again', async () => {
    await deliver('push', await commit())
    const [older, newer] = [await commit(), await commit()]
    await deliver('push', newer)
    await deliver('push', older)
    // The same push, by a hook say.
    const { installation: _installation, ...hook } = newer
    expect(await deliver('push', hook)).toMatchObject({ result: 'ignored' })
    expect(await requests()).toHaveLength(3)
  })

  test('is the last build if the branch was indeed pushed back to it', async () => {
    const first = await commit()
    await deliver('push', first)
    await deliver('push', await commit())
    const back = await scene.captured('push', () =>
      host.pushRef(repository, 'refs/heads/main', { sha: String(first.after) }),
    )
    expect(await deliver('push', back)).toMatchObject({ outcome: 'created request 3' })
    expect(await builds()).toMatchObject({ last: first.after })
  })

  test('is the last build if a push between the two was lost', async () => {
    await deliver('push', await commit())
    await commit()
    const third = await commit()
    expect(await deliver('push', third)).toMatchObject({ outcome: 'created request 2' })
    // A push whose event is still to come is not stored here either.
    await commit()
    const fifth = await commit()
    const sixth = await commit()
    expect(await deliver('push', fifth)).toMatchObject({ outcome: 'created request 3' })
    expect(await deliver('push', sixth)).toMatchObject({ outcome: 'created request 4' })
    expect(await builds()).toMatchObject({ last: sixth.after })
  })

  test('does not restore a deleted branch', async () => {
    await deliver('push', await commit())
    await deliver('push', await commit({ branch: 'topic' }))
    const late = await commit({ branch: 'topic' })
    const end = () => host.pushRef(repository, 'refs/heads/topic')
    await deliver('delete', await scene.captured('delete', end))
    expect(await deliver('push', late)).toMatchObject({
      outcome: 'created request 3, late: the branch was deleted already',
    })
    const { last, exists } = await builds('topic')
    expect(exists).toBe(false)
    expect(last).not.toBe(late.after)
  })

  test('of a branch that continues from the last push makes no request', async () => {
    await deliver('push', await commit())
    const next = await commit()
    const before = host.calls.length
    await deliver('push', next)
    expect(host.calls.slice(before)).toEqual([])
  })
})
