import { beforeAll, describe, expect, test } from 'vitest'
import { createServer } from '../../../src/http/server.ts'
import { v3Client } from '../../support/client.ts'
import { noon, testContext } from '../../support/context.ts'
import { ownDatabase } from '../../support/database.ts'
import { factories } from '../../support/factories.ts'
import type { Role } from '../v2/roles.ts'
import { build, type BuildScene, denied, jobOf, makeBuilds, missing } from './build-scene.ts'

const { db } = await ownDatabase()
const make = factories(db)
const client = v3Client(await createServer(testContext(db)))

let scene: BuildScene

// Builds 1 and 2 of acme run; 3 waits, 4 has ended.
beforeAll(async () => {
  scene = await makeBuilds(db, 'started')
  const [web] = await db.selectFrom('repositories').selectAll().orderBy('id').execute()
  if (!web) throw new Error('there is no repository')
  await make.job({ build: await make.build({ repository: web }) })
  await make.build({ repository: web, state: 'passed' })
  const ended = { state: 'passed', finished_at: noon } as const
  await db.updateTable('jobs').set(ended).where('id', '=', 1).execute()
  await make.build({ state: 'started' })
  await make.organization('quiet')
})

const call = (asked: string, who: Role = 'no one') => client(asked, { token: scene.tokens[who] })

async function ids(asked: string, who: Role = 'no one') {
  const { status, body } = await call(asked, who)
  expect(status).toBe(200)
  return (body as { builds: { id: number }[] }).builds.map(({ id }) => id)
}

describe('GET /owner/{owner}/active', () => {
  test.each([
    '/owner/acme/active',
    '/owner/ACME/active',
    '/owner/codehost/acme/active',
    '/owner/github/Acme/active',
  ])('shows the owner’s unfinished builds at %s', async (path) => {
    const { status, body } = await call(`GET ${path}`)
    const { builds, ...around } = body as { builds: object[] }
    expect([status, around]).toEqual([
      200,
      { '@type': 'builds', '@href': path, '@representation': 'active' },
    ])
    expect(builds).toEqual([
      {
        ...build,
        '@representation': 'active',
        state: 'started',
        duration: null,
        finished_at: null,
        jobs: [jobOf(2)],
      },
      expect.objectContaining({ id: 3, state: 'created', jobs: [] }),
    ])
  })

  test('finds an owner by the id at the code host', async () => {
    const { codehost_id } = await db
      .selectFrom('users')
      .select('codehost_id')
      .where('login', '=', 'acme')
      .executeTakeFirstOrThrow()
    expect(await ids(`GET /owner/codehost_id/${codehost_id}/active`)).toEqual([1, 3])
  })

  test('shows private builds to those who can see them', async () => {
    expect(await ids('GET /owner/acme/active', 'other')).toEqual([1, 3])
    expect(await ids('GET /owner/acme/active', 'reader')).toEqual([1, 2, 3])
    expect(await call('GET /owner/acme/active', 'wrong')).toEqual(denied)
  })

  test('is empty for an owner who builds nothing', async () => {
    expect(await ids('GET /owner/quiet/active')).toEqual([])
  })

  test('reports an unknown owner as missing', async () => {
    for (const path of ['nobody', 'local/acme', 'nowhere/acme', 'codehost_id/9', 'a%00b']) {
      expect(await call(`GET /owner/${path}/active`)).toEqual(missing('owner'))
    }
  })

  test('has no pages, but has other representations', async () => {
    const { body } = await call('GET /owner/acme/active?limit=1&representation=minimal')
    expect(body).toMatchObject({
      '@warnings': [{ parameter: 'limit' }],
      '@representation': 'minimal',
      builds: [{ '@representation': 'minimal' }, {}],
    })
    expect(await call('GET /owner/acme/active?representation=x')).toMatchObject({ status: 400 })
  })
})
