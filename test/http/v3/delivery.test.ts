import { beforeEach, describe, expect, test } from 'vitest'
import type { User } from '../../../src/domain/owner.ts'
import { noon } from '../../support/context.ts'
import { testDatabase } from '../../support/database.ts'
import { factories } from '../../support/factories.ts'
import { administered, administering } from './administered.ts'
import { missing } from './build-scene.ts'
import { knowing } from './scene.ts'
import { wholePage } from './whole-page.ts'

const db = await testDatabase()
const make = factories(db)
const { ctx, call } = await administered(db)

let root: User & { token: string }
let anna: User & { token: string }
beforeEach(async () => {
  ctx.enqueued.length = 0
  root = await make.user('Root')
  anna = await make.user('anna')
})

describe('deliveries', () => {
  test('are shown with the resulting request and build, and without their payloads', async () => {
    const web = await make.repository({ owner_name: 'acme', name: 'web', codehost_id: 7 })
    const { id, guid } = await make.delivery({
      guid: 'guid/1',
      action: 'created',
      repository_codehost_id: 7,
      state: 'processed',
      result: 'request',
      outcome: 'request 1',
      attempts: 1,
      received_at: noon,
      processed_at: noon,
    })
    const build = await make.build({ repository: web })
    await db
      .updateTable('requests')
      .set({ delivery_id: id })
      .where('id', '=', build.request_id)
      .execute()
    const shown = {
      '@type': 'delivery',
      '@href': '/delivery/guid%2F1',
      '@representation': 'standard',
      ...administering,
      id,
      guid,
      event: 'push',
      action: 'created',
      provider: 'codehost',
      repository: {
        '@type': 'repository',
        '@href': `/repo/${web.id}`,
        '@representation': 'minimal',
        '@permissions': knowing,
        id: web.id,
        name: 'web',
        slug: 'acme/web',
      },
      repository_codehost_id: 7,
      outcome: 'request',
      message: 'request 1',
      attempts: 1,
      received_at: '2026-01-02T12:00:00Z',
      processed_at: '2026-01-02T12:00:00Z',
      kept: true,
      request_id: build.request_id,
      build_id: build.id,
    }
    expect(await call('GET /delivery/guid%2F1', root)).toEqual({ status: 200, body: shown })
    expect(await call('GET /deliveries', root)).toEqual({
      status: 200,
      body: { '@type': 'deliveries', ...wholePage('/deliveries', 1), deliveries: [shown] },
    })
  })

  test('that are not processed yet are shown without results', async () => {
    const { id } = await make.delivery({ guid: 'g', received_at: noon })
    expect(await call('GET /delivery/g', root)).toEqual({
      status: 200,
      body: {
        '@type': 'delivery',
        '@href': '/delivery/g',
        '@representation': 'standard',
        ...administering,
        id,
        guid: 'g',
        event: 'push',
        action: null,
        provider: 'codehost',
        repository: null,
        repository_codehost_id: null,
        outcome: 'waiting',
        message: null,
        attempts: 0,
        received_at: '2026-01-02T12:00:00Z',
        processed_at: null,
        kept: true,
        request_id: null,
        build_id: null,
      },
    })
  })

  test('do not name a repository that the administrator cannot see', async () => {
    await make.repository({ owner_name: 'acme', name: 'safe', codehost_id: 8, private: true })
    await make.delivery({ guid: 'g', repository_codehost_id: 8 })
    const { body } = await call('GET /delivery/g', root)
    expect(body).toMatchObject({ repository: null, repository_codehost_id: 8, outcome: 'waiting' })
    expect(JSON.stringify(body)).not.toContain('safe')
    expect(await call('GET /repo/acme%2Fsafe', root)).toMatchObject({ status: 404 })
  })

  const guids = async (query: string) => {
    const { body } = await call(`GET /deliveries${query}`, root)
    return (body as { deliveries: { guid: string }[] }).deliveries.map(({ guid }) => guid)
  }

  test('can be filtered, and are sorted newest first', async () => {
    await make.repository({ owner_name: 'acme', name: 'web', codehost_id: 7 })
    await make.delivery({ guid: 'a', result: 'error', state: 'failed' })
    const { id } = await make.delivery({ guid: 'b', repository_codehost_id: 7 })
    await make.delivery({ guid: 'c', event: 'pull_request', result: 'noted', state: 'processed' })
    expect(await guids('')).toEqual(['c', 'b', 'a'])
    expect(await guids('?limit=1&offset=1')).toEqual(['b'])
    expect(await guids('?outcome=error,noted')).toEqual(['c', 'a'])
    expect(await guids('?delivery.outcome=waiting')).toEqual(['b'])
    expect(await guids('?event=push')).toEqual(['b', 'a'])
    expect(await guids('?repository.slug=Acme/Web')).toEqual(['b'])
    expect(await guids('?event=%00')).toEqual([])
    expect(await guids(`?before=${id}`)).toEqual(['a'])
    expect(await call('GET /deliveries?before=x', root)).toMatchObject({
      status: 400,
      body: { error_type: 'wrong_params' },
    })
  })

  test.each(['none', '%00', '99999999999999999999'])(
    'are not found by the guid %s',
    async (guid) => {
      expect(await call(`GET /delivery/${guid}`, root)).toEqual(missing('delivery'))
      expect(await call(`POST /delivery/${guid}/replay`, root)).toEqual(missing('delivery'))
    },
  )

  test('look missing to users who are not administrators', async () => {
    await make.delivery({ guid: 'g' })
    for (const asked of ['GET /delivery/g', 'POST /delivery/g/replay']) {
      expect(await call(asked, anna)).toEqual(missing('delivery'))
      expect(await call(asked)).toMatchObject({ status: 403 })
    }
    expect(ctx.enqueued).toEqual([])
  })
})

describe('POST /delivery/{guid}/replay', () => {
  const stored = (id: number) =>
    db.selectFrom('deliveries').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

  test('processes a delivery again', async () => {
    const { id } = await make.delivery({
      guid: 'g',
      state: 'processed',
      result: 'ignored',
      outcome: 'nothing to do',
      processed_at: noon,
    })
    expect(await call('POST /delivery/g/replay', root)).toEqual({
      status: 202,
      body: {
        '@type': 'pending',
        delivery: {
          '@type': 'delivery',
          '@href': '/delivery/g',
          '@representation': 'minimal',
          ...administering,
          id,
          guid: 'g',
          event: 'push',
          action: null,
        },
        state_change: 'replay',
        resource_type: 'delivery',
      },
    })
    expect(await stored(id)).toMatchObject({ state: 'received', result: null, outcome: null })
    expect(ctx.enqueued).toEqual([{ name: 'delivery.process', payload: { delivery_ids: [id] } }])
    expect(await db.selectFrom('audit_records').selectAll().orderBy('id').execute()).toMatchObject([
      { actor: 'Root', action: 'replay', subject_type: 'delivery', subject_id: id },
    ])
  })

  test('is refused while the delivery is waiting, and once its body is deleted', async () => {
    await make.delivery({ guid: 'waiting' })
    await make.delivery({ guid: 'dropped', state: 'processed', result: 'noted', body: null })
    for (const guid of ['waiting', 'dropped']) {
      expect(await call(`POST /delivery/${guid}/replay`, root)).toMatchObject({
        status: 422,
        body: { error_type: 'unprocessable_entity' },
      })
    }
    expect(ctx.enqueued).toEqual([])
    expect(await db.selectFrom('audit_records').selectAll().orderBy('id').execute()).toEqual([])
  })
})
