// The rows of people, rights, keys and settings once more, for one who has logged in at a code host.
import type { LightMyRequestResponse } from 'fastify'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ownDatabase } from '../../support/database.ts'
import { appScene } from '../app-scene.ts'
import { caller } from '../door.ts'
import { variableOf } from '../endpoints/keep.ts'
import { keepSecrets } from '../status-scene.ts'
import { noLogin } from './roles.ts'
import { type Named, usesIn, type Way, ways } from './specified-rows.ts'

const subjects = /^\/(?:auth|accounts|users|hooks|settings)|\/(?:key|settings)/
const rows = ways.filter(({ path }) => subjects.test(path))

const { db } = await ownDatabase()
const { consent, host, server, tokenOf, sync } = await appScene(db)
const call = caller(server)
const named: Named = { 'hook.id': 1, 'ssh_key.id': 1, 'env_var.id': variableOf(1) }
const { use, expectOutput } = usesIn({ call, named, arrive })

/** Agrees at the code host, if a login leads there, and comes back with its cookie. */
async function arrive(answer: LightMyRequestResponse): Promise<LightMyRequestResponse> {
  const { location = '', 'set-cookie': set } = answer.headers
  if (!location.startsWith(host.url)) return answer
  const [cookie = ''] = String(set).split(';', 1)
  const { pathname, search } = new URL(await consent(location))
  return call(`GET ${pathname}${search}`, { cookie, accept: '*/*' })
}

beforeAll(async () => {
  await host.addRepository({ owner: 'acme', name: 'web', collaborators: { ada: 'admin' } })
  named.token = await tokenOf('ada')
  await sync()
  const user = await db.selectFrom('users').select('id').where('login', '=', 'ada').execute()
  const [repository] = await db.selectFrom('repositories').selectAll().execute()
  Object.assign(named, {
    'user.id': user[0]?.id,
    'repository.id': repository?.id,
    '+repository.slug': `${repository?.owner_name}/${repository?.name}`,
  })
})

beforeEach(async () => {
  host.signIn('ada')
  named.codehost_token = host.userToken('ada')
  await db.updateTable('users').set({ is_syncing: false }).execute()
  await keepSecrets(db, 1)
})

describe('V2.1 with an app, as specified', () => {
  test('the table holds the expected subjects', () => {
    expect(new Set(rows.map(subjectOf))).toEqual(
      new Set(['auth', 'accounts', 'users', 'hooks', 'repos', 'settings']),
    )
  })

  test.each(rows)('$title', (way) => expectOutput(way, true))
})

describe('without a token', () => {
  test.each(rows.filter(({ auth }) => auth))('$title is refused', async (way) => {
    const { statusCode, body } = await use(way, false)
    expect([statusCode, body]).toEqual(noLogin)
  })

  test.each(rows.filter(({ auth }) => !auth))('$title gets a response', (way) =>
    expectOutput(way, false),
  )
})

const subjectOf = ({ path }: Way) => path.split('/', 2)[1]
