import { beforeEach, describe, expect, test } from 'vitest'
import type { User } from '../../../src/domain/owner.ts'
import { createServer } from '../../../src/http/server.ts'
import { testContext } from '../../support/context.ts'
import { testDatabase } from '../../support/database.ts'
import { factories } from '../../support/factories.ts'
import { caller } from '../door.ts'

const db = await testDatabase()
const make = factories(db)
const call = caller(await createServer(testContext(db)))
const form = { 'content-type': 'application/x-www-form-urlencoded' }

let anna: User & { token: string }
beforeEach(async () => {
  anna = await make.user('anna')
})

async function change(path: string, body: string, token: string | undefined = anna.token) {
  const authorization: Record<string, string> =
    token === '' ? {} : { authorization: `token ${token}` }
  const answer = await call(`PUT ${path}`, { ...form, ...authorization }, body)
  const isJson = String(answer.headers['content-type']).startsWith('application/json')
  return [answer.statusCode, isJson ? answer.json<unknown>() : answer.body]
}

describe('PUT /users/{id}', () => {
  test('changes the caller', async () => {
    const other = await make.user('other')
    expect(await change('/users/1', 'user%5Blocale%5D=pt-BR')).toMatchObject([
      200,
      { user: { id: anna.id, login: 'anna', locale: 'pt-BR' } },
    ])
    const users = await db.selectFrom('users').select(['id', 'locale']).orderBy('id').execute()
    expect(users).toEqual([
      { id: anna.id, locale: 'pt-BR' },
      { id: other.id, locale: null },
    ])
  })

  test.each(['/users/2', '/users/x', '/users/99999999999999999999'])(
    'finds no other user at %s, whatever the change',
    async (path) => {
      await make.user('other')
      for (const locale of ['de', '', '%3Cb%3E']) {
        expect(await change(path, `user%5Blocale%5D=${locale}`)).toEqual([
          404,
          { file: 'not found' },
        ])
      }
      const locales = await db.selectFrom('users').select('locale').execute()
      expect(locales).toEqual([{ locale: null }, { locale: null }])
    },
  )

  test('without parameters changes nothing', async () => {
    expect(await change('/users/1', '')).toMatchObject([200, { user: { locale: null } }])
    expect(await db.selectFrom('audit_records').selectAll().orderBy('id').execute()).toEqual([])
  })

  test('leaves an audit record', async () => {
    await change('/users/1', 'user%5Blocale%5D=de')
    expect(await db.selectFrom('audit_records').selectAll().orderBy('id').execute()).toMatchObject([
      { actor: 'anna', subject_type: 'user', details: { changed: { locale: 'de' } } },
    ])
  })

  test('leaves no audit record if nothing changes', async () => {
    await change('/users/1', 'user%5Blocale%5D=de')
    expect(await change('/users/1', 'user%5Blocale%5D=de')).toMatchObject([
      200,
      { user: { locale: 'de' } },
    ])
    expect(await db.selectFrom('audit_records').select('id').execute()).toHaveLength(1)
  })

  test.each(['', 'x', 'de%00', '%3Cb%3E', 'a'.repeat(99)])('refuses %j', async (locale) => {
    expect(await change('/users/1', `user%5Blocale%5D=${locale}`)).toEqual([
      422,
      { message: 'Validation failed', errors: [{ field: 'locale', code: 'invalid' }] },
    ])
  })

  test('needs a valid token', async () => {
    expect(await change('/users/1', '', '')).toEqual([401, 'no access token supplied'])
    expect(await change('/users/1', '', 'wrong')).toEqual([403, 'access denied'])
  })
})
