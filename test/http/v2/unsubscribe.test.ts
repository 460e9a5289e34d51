import { beforeEach, describe, expect, test } from 'vitest'
import type { User } from '../../../src/domain/owner.ts'
import type { Repository } from '../../../src/domain/repository.ts'
import { createServer } from '../../../src/http/server.ts'
import { writeMailLink } from '../../../src/secrets/mail-link.ts'
import { testContext } from '../../support/context.ts'
import { testDatabase } from '../../support/database.ts'
import { factories } from '../../support/factories.ts'
import { caller } from '../door.ts'

const db = await testDatabase()
const make = factories(db)
const ctx = testContext(db)
const call = caller(await createServer(ctx))

let user: User
let repository: Repository
let path: string

beforeEach(async () => {
  user = await make.user('anna')
  repository = await make.repository({ private: true })
  await make.permission(user, repository)
  path = pathOf(user.id, repository.id)
})

const pathOf = (user_id: number, repository_id: number) =>
  `/unsubscribe/${writeMailLink(ctx.sealer, { user_id, repository_id })}`

const unsubscribed = async () =>
  (await db.selectFrom('unsubscriptions').selectAll().execute()).map(({ user_id }) => user_id)

const form = { 'content-type': 'application/x-www-form-urlencoded' }
const browser = { accept: 'text/html' }

describe('the link in a mail', () => {
  test('leads browsers to a page, which changes nothing', async () => {
    for (const headers of [browser, {}]) {
      const page = await call(`GET ${path}`, headers)
      expect(page.statusCode).toBe(200)
      expect(page.headers['content-type']).toBe('text/html;charset=utf-8')
      expect(page.headers['cache-control']).toBe('no-store')
      expect(page.headers['referrer-policy']).toBe('no-referrer')
      expect(page.body).toContain('gets mails about builds of')
      expect(page.body).toContain('octavia/hello')
    }
    expect(await unsubscribed()).toEqual([])
  })

  test('unsubscribes with one click in a mail program, and leaves a record', async () => {
    const answer = await call(`POST ${path}`, form, 'List-Unsubscribe=One-Click')
    expect(answer.statusCode).toBe(200)
    expect(answer.body).toContain('gets no mails about builds of')
    expect(await unsubscribed()).toEqual([user.id])
    expect(await db.selectFrom('audit_records').selectAll().orderBy('id').execute()).toMatchObject([
      {
        actor: 'anna',
        action: 'unsubscribe',
        subject_type: 'repository',
        subject_id: repository.id,
      },
    ])
  })

  test('subscribes again with the form on its page', async () => {
    await call(`POST ${path}`, { ...form, ...browser }, 'subscribed=false')
    expect((await call(`GET ${path}`, browser)).body).toContain('name="subscribed" value="true"')
    const answer = await call(`POST ${path}`, { ...form, ...browser }, 'subscribed=true')
    expect(answer.body).toContain('gets mails about builds of')
    expect(await unsubscribed()).toEqual([])
  })
})

describe('a link', () => {
  test.each([
    ['of another user', (own: string) => own.replace(/(\/unsubscribe\/)\d+/, '$19')],
    ['of another repository', (own: string) => own.replace(/(\/unsubscribe\/\d+-)\d+/, '$19')],
    ['without its end', (own: string) => own.slice(0, -1)],
    ['with another letter at its end', (own: string) => `${own}a`],
    ['with malformed content', () => '/unsubscribe/a'],
  ])('%s changes nothing', async (_how, change) => {
    await make.user('other')
    const forged = change(path)
    expect(forged).not.toBe(path)
    for (const headers of [form, { ...form, ...browser }]) {
      expect((await call(`POST ${forged}`, headers, 'subscribed=false')).statusCode).toBe(404)
      expect((await call(`GET ${forged}`, headers)).statusCode).toBe(404)
    }
    expect(await unsubscribed()).toEqual([])
  })

  test('for a repository that no longer exists changes nothing', async () => {
    await db.updateTable('repositories').set({ deleted_at: ctx.now() }).execute()
    const page = await call(`GET ${path}`, browser)
    expect(page.statusCode).toBe(404)
    expect(page.body).not.toContain('hello')
    expect((await call(`POST ${path}`, form)).statusCode).toBe(404)
    expect(await unsubscribed()).toEqual([])
  })
})

// A build file can name anyone, and a role can end after a mail was sent.
describe('the link of someone who cannot see the repository', () => {
  const closed = testContext(db)
  Object.assign(closed.site, { publicMode: false })

  test.each([
    ['because it is private', true, ctx],
    ['because the service is closed', false, closed],
  ])(
    'unsubscribes and subscribes again, %s, without naming the repository',
    async (_why, hidden, context) => {
      await db.deleteFrom('permissions').execute()
      await db.updateTable('repositories').set({ private: hidden }).execute()
      const ask = caller(await createServer(context))
      const page = await ask(`GET ${path}`, browser)
      const left = await ask(`POST ${path}`, form, 'List-Unsubscribe=One-Click')
      expect(await unsubscribed()).toEqual([user.id])
      const back = await ask(`POST ${path}`, { ...form, ...browser }, 'subscribed=true')
      expect(await unsubscribed()).toEqual([])
      for (const { statusCode, body } of [page, left, back]) {
        expect(statusCode).toBe(200)
        expect(body).not.toMatch(/octavia|hello/)
      }
      expect(page.body).toContain('gets mails about builds of a repository that')
      expect(left.body).toContain('gets no mails about builds of a repository that')
    },
  )
})
