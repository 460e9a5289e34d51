import { beforeEach, describe, expect, test } from 'vitest'
import type { User } from '../../../src/domain/owner.ts'
import { receiveEvent } from '../../../src/flow/events/receive-event.ts'
import { acceptRequest } from '../../../src/flow/requests/accept-request.ts'
import { createServer } from '../../../src/http/server.ts'
import { findRequest } from '../../../src/store/requests/requests.ts'
import { v3Client } from '../../support/client.ts'
import { testContext } from '../../support/context.ts'
import { testDatabase } from '../../support/database.ts'
import { pushTo, tip } from '../../support/events.ts'
import { factories } from '../../support/factories.ts'
import { memoryCodehost } from '../../support/memory-codehost.ts'

const db = await testDatabase()
const make = factories(db)
const codehost = memoryCodehost()
codehost.files.set(tip, 'script: make')
const plain = testContext(db, { codehost })
const ctx = {
  ...plain,
  config: { ...plain.config, admins: ['codehost:root'] },
  site: { ...plain.site, admins: ['local:local', 'codehost:root'] },
}
const call = v3Client(await createServer(ctx))

let root: User & { token: string }
let anna: User & { token: string }
beforeEach(async () => {
  root = await make.user('root')
  anna = await make.user('anna')
})

const audited = () =>
  db.selectFrom('audit_records').selectAll().orderBy('id', 'desc').executeTakeFirst()

const refused = { status: 403, body: { '@type': 'error', error_type: 'insufficient_access' } }

describe('POST /user/{user.id}/block', () => {
  const block = (id: number, as = root, verb = 'block') => call(`POST /user/${id}/${verb}`, as)

  test('refuses the user’s tokens until the user is unblocked', async () => {
    expect(await call('GET /user', anna)).toMatchObject({ status: 200 })
    expect(await block(anna.id)).toMatchObject({ status: 200, body: { login: 'anna' } })
    expect(await call('GET /user', anna)).toMatchObject({
      status: 403,
      body: { error_type: 'wrong_credentials' },
    })
    expect(await audited()).toMatchObject({
      ...{ actor: 'root', actor_id: root.id, action: 'block', subject_type: 'user' },
      ...{ subject_id: anna.id, details: { changed: { login: 'anna' } } },
    })
    await block(anna.id, root, 'unblock')
    expect(await audited()).toMatchObject({ action: 'unblock', subject_id: anna.id })
    expect(await call('GET /user', anna)).toMatchObject({ status: 200 })
  })

  test('rejects pushes by the user, with a reason', async () => {
    const repository = await make.repository()
    const sender = { codehost_id: anna.codehost_id, login: 'anna' }
    const decide = async (before: string) => {
      const received = await receiveEvent(ctx, pushTo(repository, { sender, before }))
      if (!('request' in received)) throw new Error(JSON.stringify(received))
      await acceptRequest(ctx, received.request.id)
      return findRequest(db, received.request.id)
    }
    await block(anna.id)
    expect(await decide('1'.repeat(40))).toMatchObject({
      ...{ result: 'rejected', reason: 'sender_blocked' },
      message: 'not authorized: anna is blocked here',
    })
    await block(anna.id, root, 'unblock')
    expect(await decide('2'.repeat(40))).toMatchObject({ result: 'accepted' })
  })

  test('changes and records nothing the second time', async () => {
    await block(anna.id)
    await block(anna.id)
    expect(await db.selectFrom('audit_records').selectAll().orderBy('id').execute()).toHaveLength(1)
  })

  test('is for administrators, who cannot be blocked themselves', async () => {
    const hidden = { status: 404, body: { error_type: 'not_found', resource_type: 'user' } }
    expect(await block(root.id, anna)).toMatchObject(hidden)
    expect(await block(anna.id, anna)).toMatchObject(hidden)
    expect(await block(root.id)).toMatchObject({
      status: 422,
      body: { error_message: expect.stringContaining('remove the login from ADMINS') },
    })
    expect(await block(4711)).toMatchObject({ status: 404 })
    expect(await audited()).toBeUndefined()
  })
})

describe('POST /broadcasts', () => {
  const send = (given: Record<string, string>, as = root) =>
    call(`POST /broadcasts?${new URLSearchParams(given)}`, as)

  const messagesTo = async (user: { token: string }) => {
    const { body } = await call('GET /broadcasts', user)
    return (body as { broadcasts: { message: string }[] }).broadcasts.map(({ message }) => message)
  }

  test('shows a message to everyone, and leaves an audit record', async () => {
    const expires_at = '2026-01-03T12:00:00Z'
    const answer = await send({
      ...{ 'broadcast.message': 'We move tonight', 'broadcast.category': 'warning' },
      'broadcast.expires_at': expires_at,
    })
    expect(answer).toMatchObject({
      status: 201,
      body: {
        ...{ '@type': 'broadcast', message: 'We move tonight', category: 'warning' },
        ...{ active: true, recipient: null },
      },
    })
    expect(await audited()).toMatchObject({
      ...{ actor: 'root', action: 'create', subject_type: 'broadcast' },
      details: { changed: { message: 'We move tonight' } },
    })
    const row = await db.selectFrom('broadcasts').select('expires_at').executeTakeFirst()
    expect(row?.expires_at).toEqual(new Date(expires_at))
  })

  test('shows a message only to the users whom its recipient stands for', async () => {
    const acme = await make.organization('acme')
    const bert = await make.user('bert')
    await make.membership(bert, acme)
    const repository = await make.repository({ name: 'hello' })
    await make.permission(anna, repository)
    await send({ message: 'to acme', recipient: 'acme' })
    await send({ message: 'to hello', recipient: 'octavia/hello' })
    expect(await send({ message: 'to bert', recipient: 'Bert' })).toMatchObject({
      body: { recipient: { '@type': 'user', login: 'bert' } },
    })
    expect(await messagesTo(bert)).toEqual(['to bert', 'to acme'])
    expect(await messagesTo(anna)).toEqual(['to hello'])
    expect(await messagesTo(root)).toEqual([])
  })

  test('is for administrators', async () => {
    expect(await send({ message: 'a' }, anna)).toMatchObject(refused)
    expect(await db.selectFrom('broadcasts').selectAll().execute()).toEqual([])
  })

  test.each<[string, Record<string, string>]>([
    ['nothing', { message: ' ' }],
    ['a category that is none', { message: 'a', category: 'joke' }],
    ['a recipient that is none', { message: 'a', recipient: 'nobody' }],
    ['a time that is over', { message: 'a', expires_at: '2026-01-01' }],
    ['a time that is too far ahead', { message: 'a', expires_at: '2026-01-16T12:00:01Z' }],
  ])('refuses %s', async (_what, given) => {
    expect(await send(given)).toMatchObject({ status: 422 })
    expect(await audited()).toBeUndefined()
  })

  test('reports the latest time at which a message can expire', async () => {
    const end = '2026-01-16T12:00:00Z'
    expect(await send({ message: 'a', expires_at: '2026-02-01' })).toMatchObject({
      body: { error_message: expect.stringContaining('give 2026-01-16T12:00Z at the latest') },
    })
    expect(await send({ message: 'a', expires_at: end })).toMatchObject({ status: 201 })
  })

  test('treats a repository that the administrator cannot see as if it did not exist', async () => {
    await make.repository({ name: 'secret', private: true })
    const [hidden, missing] = await Promise.all(
      ['octavia/secret', 'octavia/nothing'].map((recipient) => send({ message: 'a', recipient })),
    )
    expect(hidden).toEqual(missing)
  })
})
