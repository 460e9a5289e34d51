import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createServer } from '../../../src/http/server.ts'
import { v3Client } from '../../support/client.ts'
import { testContext } from '../../support/context.ts'
import { ownDatabase } from '../../support/database.ts'
import { factories } from '../../support/factories.ts'
import { makeScene, type Scene } from './scene.ts'

const { db } = await ownDatabase()
const call = v3Client(await createServer(testContext(db)))

let people: Scene['people']
let acme: Scene['acme']
// Besides the scene's, repository 5 of the organization is public, and the reader has no role on it.
beforeAll(async () => {
  ;({ people, acme } = await makeScene(db))
  const of = { owner_id: acme.id, owner_type: 'Organization', owner_name: 'acme' } as const
  await factories(db).repository({ ...of, name: 'open', codehost_id: 900 })
})
beforeEach(async () => {
  await db.deleteFrom('unsubscriptions').execute()
  await db.deleteFrom('audit_records').execute()
  await db.updateTable('users').set({ build_emails: true }).execute()
})

const as = (who: keyof typeof people) => ({ token: people[who].token })
const records = async () =>
  (await db.selectFrom('audit_records').selectAll().orderBy('id').execute()).map(
    ({ actor, action, subject_type, subject_id }) =>
      `${actor} ${action} ${subject_type} ${subject_id}`,
  )

async function isSubscribed(id: number, who?: keyof typeof people): Promise<unknown> {
  const path = `GET /repo/${id}?include=repository.email_subscribed`
  const { body } = await call(path, who ? as(who) : {})
  return (body as { email_subscribed: unknown }).email_subscribed
}

const done = { status: 204, body: '' }
const refused = (error_type: string, members: object) => ({
  status: error_type === 'not_found' ? 404 : 403,
  body: { '@type': 'error', error_type, ...members },
})
const login = refused('login_required', { error_message: 'login required' })
const missing = (resource_type: string) =>
  refused('not_found', {
    error_message: `${resource_type} not found (or insufficient access)`,
    resource_type,
  })

describe('the mail subscription of a repository', () => {
  test.each([
    '/repo/2/email_subscription',
    '/repo/codehost/2/email_subscription',
    '/repo/acme%2Fweb/email_subscription',
    '/repo/codehost/acme%2Fweb/email_subscription',
  ])('is ended and renewed, with no effect the second time: %s', async (path) => {
    expect(await isSubscribed(2, 'reader')).toBe(true)
    for (const _time of [1, 2]) {
      expect(await call(`DELETE ${path}`, as('reader'))).toEqual(done)
      expect(await isSubscribed(2, 'reader')).toBe(false)
    }
    expect(await isSubscribed(2, 'pusher')).toBe(true)
    expect(await isSubscribed(3, 'reader')).toBe(true)
    for (const _time of [1, 2]) {
      expect(await call(`POST ${path}`, as('reader'))).toEqual(done)
      expect(await isSubscribed(2, 'reader')).toBe(true)
    }
    expect(await records()).toEqual([
      'reader unsubscribe repository 2',
      'reader subscribe repository 2',
    ])
  })

  test('is not shown to anonymous callers, and users without build mails have none', async () => {
    expect(await isSubscribed(1)).toBe(false)
    expect(await isSubscribed(1, 'stranger')).toBe(true)
    await db.updateTable('users').set({ build_emails: false }).execute()
    expect(await isSubscribed(1, 'stranger')).toBe(false)
  })

  test('is also missing for a user without build mails if a build includes its repository', async () => {
    const path = 'GET /build/1?include=build.repository,repository.email_subscribed'
    const isShown = (email_subscribed: boolean) => ({ body: { repository: { email_subscribed } } })
    expect(await call(path, as('reader'))).toMatchObject(isShown(true))
    await db.updateTable('users').set({ build_emails: false }).execute()
    expect(await call(path, as('reader'))).toMatchObject(isShown(false))
  })

  test.each(['POST', 'DELETE'])(
    'cannot be changed for a repository that is hidden or missing: %s',
    async (method) => {
      expect(await call(`${method} /repo/1/email_subscription`)).toEqual(login)
      expect(await call(`${method} /repo/9/email_subscription`)).toEqual(login)
      for (const path of ['/repo/2', '/repo/9', '/repo/acme%2Fnone', `/repo/${'9'.repeat(25)}`]) {
        expect(await call(`${method} ${path}/email_subscription`, as('stranger'))).toEqual(
          missing('repository'),
        )
      }
      expect(await records()).toEqual([])
    },
  )
})

describe('the mail subscription of an organization', () => {
  test('is ended and renewed for the repositories on which the caller has a role', async () => {
    const path = `/org/${acme.id}/email_subscription`
    expect(await call(`DELETE ${path}`, as('reader'))).toEqual(done)
    expect(await db.selectFrom('unsubscriptions').selectAll().execute()).toEqual([
      { user_id: people.reader.id, repository_id: 2 },
    ])
    expect(await isSubscribed(3, 'reader')).toBe(true)
    await call('DELETE /repo/3/email_subscription', as('reader'))
    await call('DELETE /repo/5/email_subscription', as('reader'))
    expect(await call(`POST ${path}`, as('reader'))).toEqual(done)
    expect(await call(`POST ${path}`, as('reader'))).toEqual(done)
    expect(await db.selectFrom('unsubscriptions').selectAll().execute()).toEqual([
      { user_id: people.reader.id, repository_id: 3 },
    ])
    expect(await records()).toEqual([
      `reader unsubscribe organization ${acme.id}`,
      'reader unsubscribe repository 3',
      'reader unsubscribe repository 5',
      `reader subscribe organization ${acme.id}`,
    ])
  })

  test('stays the same for a token that cannot see private repositories', async () => {
    const path = `/org/${acme.id}/email_subscription`
    const open = await factories(db).token(people.reader, ['public'])
    expect(await call(`DELETE ${path}`, { token: open })).toEqual(done)
    expect(await isSubscribed(2, 'reader')).toBe(true)
    expect(await call(`DELETE ${path}`, as('reader'))).toEqual(done)
    expect(await call(`POST ${path}`, { token: open })).toEqual(done)
    expect(await isSubscribed(2, 'reader')).toBe(false)
  })

  test.each(['POST', 'DELETE'])(
    'cannot be changed for a missing organization: %s',
    async (method) => {
      expect(await call(`${method} /org/${acme.id}/email_subscription`)).toEqual(login)
      expect(await call(`${method} /org/99/email_subscription`, as('reader'))).toEqual(
        missing('organization'),
      )
      expect(
        await call(`${method} /org/${'9'.repeat(25)}/email_subscription`, as('reader')),
      ).toEqual(missing('organization'))
      expect(await call(`${method} /org/acme/email_subscription`, as('reader'))).toMatchObject({
        status: 404,
        body: { resource_type: null },
      })
    },
  )
})
