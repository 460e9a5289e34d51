// An outdated webhook about a branch or tag can be repeated at any time, or arrive late.
import { beforeEach, describe, expect, test } from 'vitest'
import type { Repository } from '../support/codehost/tables.ts'
import { replayScene } from './replay-scene.ts'

const scene = await replayScene()
const { db, host } = scene

let deliver: Awaited<ReturnType<typeof scene.open>>['deliver']
let repository: Repository

beforeEach(async () => {
  const opened = await scene.open()
  ;({ deliver } = opened)
  repository = await scene.knownRepository(opened.ctx)
  // The first branch.
  await deliver('push', await scene.captured('push', () => host.commit(repository)))
})

const commit = (branch: string) =>
  host.commit(repository, { branch, files: { a: scene.unique('a') } })
const remove = (ref: string) => host.pushRef(repository, ref)

const existing = async (table: 'branches' | 'tags' = 'branches') => {
  const { id } = await scene.rowOf(repository)
  const rows = await db
    .selectFrom(table)
    .select(['name', 'exists_on_codehost'])
    .where('repository_id', '=', id)
    .where('name', '<>', 'main')
    .execute()
  return Object.fromEntries(rows.map(({ name, exists_on_codehost }) => [name, exists_on_codehost]))
}

describe('a branch', () => {
  test.each(['delete', 'push'])(
    'that was recreated is not marked as deleted by an old %s',
    async (event) => {
      await deliver('push', await scene.captured('push', () => commit('topic')))
      const deleted = await scene.captured(event, () => remove('refs/heads/topic'))
      await deliver('push', await scene.captured('push', () => commit('topic')))
      expect(await deliver(event, deleted)).toMatchObject({
        ...{ result: 'ignored', outcome: 'branch topic is still at the code host' },
      })
      expect(await existing()).toEqual({ topic: true })
    },
  )

  test.each(['delete', 'push'])('that was deleted is marked as deleted by a %s', async (event) => {
    await deliver('push', await scene.captured('push', () => commit('topic')))
    const deleted = await scene.captured(event, () => remove('refs/heads/topic'))
    expect(await deliver(event, deleted)).toMatchObject({ outcome: 'branch topic was deleted' })
    expect(await existing()).toEqual({ topic: false })
  })

  test('that was deleted is not restored by an old create', async () => {
    const created = await scene.captured('create', () => commit('topic'))
    expect(await deliver('create', created)).toMatchObject({ outcome: 'branch topic exists now' })
    await deliver('delete', await scene.captured('delete', () => remove('refs/heads/topic')))
    expect(await deliver('create', created)).toMatchObject({
      ...{ result: 'ignored', outcome: 'branch topic no longer exists at the code host' },
    })
    expect(await existing()).toEqual({ topic: false })
  })

  test('that is unknown here is not stored by an old create', async () => {
    const created = await scene.captured('create', () => commit('topic'))
    await remove('refs/heads/topic')
    expect(await deliver('create', created)).toMatchObject({ result: 'ignored' })
    expect(await existing()).toEqual({})
  })

  test('stays unchanged while the code host is unreachable, and the event is retried', async () => {
    await deliver('push', await scene.captured('push', () => commit('topic')))
    const deleted = await scene.captured('delete', () => remove('refs/heads/topic'))
    const restore = host.failWhile({ kind: 'status', status: 503 }, /\/commits\//)
    await expect(deliver('delete', deleted)).rejects.toMatchObject({ kind: 'away' })
    restore()
    expect(await existing()).toEqual({ topic: true })
  })

  test('that is known to exist makes no request when a create arrives', async () => {
    const [created, pushed] = await scene.allCaptured(['create', 'push'], () => commit('topic'))
    await deliver('push', pushed)
    const before = host.calls.length
    await deliver('create', created)
    expect(host.calls.slice(before)).toEqual([])
  })
})

test('a tag that was recreated is not marked as deleted by an old delete', async () => {
  const sha = await commit('topic')
  const tag = () => host.pushRef(repository, 'refs/tags/v1', { sha })
  await deliver('create', await scene.captured('create', tag))
  const deleted = await scene.captured('delete', () => remove('refs/tags/v1'))
  await tag()
  expect(await deliver('delete', deleted)).toMatchObject({ result: 'ignored' })
  expect(await existing('tags')).toEqual({ v1: true })
  await deliver('delete', await scene.captured('delete', () => remove('refs/tags/v1')))
  expect(await existing('tags')).toEqual({ v1: false })
})
