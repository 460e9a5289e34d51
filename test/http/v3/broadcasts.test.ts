import { beforeAll, describe, expect, test } from 'vitest'
import { createServer } from '../../../src/http/server.ts'
import type { Broadcast } from '../../../src/store/tables.ts'
import { v3Client } from '../../support/client.ts'
import { testContext } from '../../support/context.ts'
import { ownDatabase } from '../../support/database.ts'
import { factories } from '../../support/factories.ts'
import { watchStatements } from '../../support/statements.ts'
import { makeScene, noOrganizationRights, pushing, type Scene } from './scene.ts'

const { db } = await ownDatabase()
const call = v3Client(await createServer(testContext(db)))

let people: Scene['people']
let acme: Scene['acme']

const hour = 3600_000
const ago = (hours: number) => new Date(Math.floor((Date.now() - hours * hour) / 1000) * 1000)
const recent = ago(1)

// 1 is for everyone, 2 for the pusher, 3 for the organization, 4 for repository 2; 5 is expired, 6 too
// old, and 7 is for the stranger.
beforeAll(async () => {
  ;({ people, acme } = await makeScene(db))
  const to = (recipient_type: Broadcast['recipient_type'], recipient_id: number) => ({
    recipient_type,
    recipient_id,
  })
  const rows: Partial<Broadcast>[] = [
    { message: 'to all', category: 'announcement' },
    { ...to('User', people.pusher.id), category: 'warning' },
    to('Organization', acme.id),
    to('Repository', 2),
    { expires_at: ago(0) },
    { created_at: ago(15 * 24) },
    to('User', people.stranger.id),
  ]
  for (const row of rows) {
    await db
      .insertInto('broadcasts')
      .values({ message: 'hello', created_at: recent, ...row })
      .execute()
  }
})

const as = (who: keyof typeof people) => ({ token: people[who].token })

const shown = (id: number, given: object = {}) => ({
  '@type': 'broadcast',
  '@representation': 'standard',
  '@permissions': { read: true, write: false },
  id,
  message: 'hello',
  created_at: `${recent.toISOString().slice(0, 19)}Z`,
  category: null,
  active: true,
  recipient: null,
  ...given,
})

test('broadcasts to everyone, to the caller, and to the caller’s organizations and repositories are listed, newest first', async () => {
  expect(await call('GET /broadcasts', as('pusher'))).toEqual({
    status: 200,
    body: {
      '@type': 'broadcasts',
      '@href': '/broadcasts',
      '@representation': 'standard',
      broadcasts: [
        shown(4, {
          recipient: {
            '@type': 'repository',
            '@href': '/repo/2',
            '@representation': 'minimal',
            '@permissions': pushing,
            id: 2,
            name: 'web',
            slug: 'acme/web',
          },
        }),
        shown(3, {
          recipient: {
            '@type': 'organization',
            '@href': `/org/${acme.id}`,
            '@representation': 'minimal',
            '@permissions': {
              ...noOrganizationRights,
              settings_create: true,
              settings_delete: true,
            },
            id: acme.id,
            login: 'acme',
            name: null,
            vcs_type: 'CodehostOrganization',
            ro_mode: false,
          },
        }),
        shown(2, {
          category: 'warning',
          recipient: {
            '@type': 'user',
            '@href': `/user/${people.pusher.id}`,
            '@representation': 'minimal',
            '@permissions': { read: true, write: true, sync: true },
            id: people.pusher.id,
            login: 'pusher',
            name: 'Name of pusher',
            vcs_type: 'CodehostUser',
            ro_mode: false,
          },
        }),
        shown(1, { message: 'to all', category: 'announcement' }),
      ],
    },
  })
})

interface List {
  broadcasts: { id: number; active: boolean }[]
}
const ids = async (query: string, token: { token: string }) => {
  const { body } = await call(`GET /broadcasts${query}`, token)
  return (body as List).broadcasts.map(({ id }) => id)
}

test('each caller sees only broadcasts for them', async () => {
  expect(await ids('', as('stranger'))).toEqual([7, 1])
  expect(await ids('', as('reader'))).toEqual([4, 1])
  const token = await factories(db).token(people.reader, ['public'])
  expect(await ids('', { token })).toEqual([1])
})

test.each<[string, number[]]>([
  ['', [7, 1]],
  ['?active=true', [7, 1]],
  ['?broadcast.active=false', [6, 5]],
  ['?active=true,false', [7, 6, 5, 1]],
  ['?active[]=true&active[]=false', [7, 6, 5, 1]],
  ['?active=', [7, 1]],
])('with %s broadcasts are selected by whether they are active', async (query, expected) => {
  expect(await ids(query, as('stranger'))).toEqual(expected)
})

describe('the list of broadcasts', () => {
  test('shows which broadcasts are active', async () => {
    const { body } = await call('GET /broadcasts?active=true,false', as('stranger'))
    expect((body as List).broadcasts.map(({ active }) => active)).toEqual([
      true,
      false,
      false,
      true,
    ])
  })

  test('needs a login, and has no pages', async () => {
    expect(await call('GET /broadcasts')).toEqual({
      status: 403,
      body: { '@type': 'error', error_type: 'login_required', error_message: 'login required' },
    })
    const { body } = await call('GET /broadcasts?limit=1', as('stranger'))
    expect(body).toMatchObject({ '@warnings': [{ parameter: 'limit' }] })
    expect(body).not.toHaveProperty('@pagination')
  })

  test('shows recipients in full if they are included', async () => {
    const { body } = await call('GET /broadcasts?include=broadcast.recipient', as('reader'))
    expect(body).toMatchObject({
      broadcasts: [{ recipient: { '@representation': 'standard', private: true } }, {}],
    })
  })

  test('takes the same number of statements whatever its length', async () => {
    const statements = watchStatements()
    await ids('?active=true,false', as('pusher'))
    const few = statements.length
    const row = { message: 'more', recipient_type: 'Repository', recipient_id: 2 } as const
    await db
      .insertInto('broadcasts')
      .values(Array.from({ length: 20 }, () => row))
      .execute()
    statements.length = 0
    await ids('?active=true,false', as('pusher'))
    expect(statements.length).toBeLessThanOrEqual(few)
  })
})
