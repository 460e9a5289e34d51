import { beforeAll, expect, test } from 'vitest'
import { slugOf } from '../../../src/domain/repository.ts'
import { get } from '../../../src/http/core/endpoint.ts'
import { createServer } from '../../../src/http/server.ts'
import { v2 } from '../../../src/http/v2/mount.ts'
import { oneRepository, repositoryPaths } from '../../../src/http/v2/one-repository.ts'
import { testContext } from '../../support/context.ts'
import { ownDatabase } from '../../support/database.ts'
import { factories } from '../../support/factories.ts'
import { caller } from '../door.ts'
import { smallApi } from './small-api.ts'

const { db } = await ownDatabase()
const make = factories(db)
const ctx = testContext(db)
const segments = ['branches', 'builds', 'caches', 'key', 'settings', 'cc.xml']

/** Endpoints of all segments, which say what they are of. */
const endpoints = ['', ...segments.map((segment) => `/${segment}`)].map((rest) =>
  get(repositoryPaths(rest), {
    ...oneRepository,
    right: 'read',
    present: (repository) => `${rest} of ${slugOf(repository)}`,
  }),
)
const call = await smallApi(ctx, v2, endpoints)

beforeAll(async () => {
  for (const name of ['web', ...segments]) await make.repository({ owner_name: 'acme', name })
  await make.repository({ owner_name: '12', name: 'web' })
})

const answered = async (path: string) => (await call(`GET ${path}`)).json<unknown>()

test.each(segments)('a repository can be named %s', async (segment) => {
  expect(await answered(`/repos/acme/${segment}`)).toBe(` of acme/${segment}`)
  expect(await answered(`/repos/acme%2F${segment}`)).toBe(` of acme/${segment}`)
  expect(await answered(`/repos/acme/${segment}/${segment}`)).toBe(`/${segment} of acme/${segment}`)
})

test.each(segments)('%s is found by the repository’s id and by its slug', async (segment) => {
  expect(await answered(`/repos/1/${segment}`)).toBe(`/${segment} of acme/web`)
  expect(await answered(`/repos/acme/web/${segment}`)).toBe(`/${segment} of acme/web`)
  expect(await answered(`/repos/acme%2fweb/${segment}`)).toBe(`/${segment} of acme/web`)
})

test('an owner’s name can consist of digits', async () => {
  expect(await answered('/repos/12/web')).toBe(' of 12/web')
})

test('the API finds a repository that is named like a segment', async () => {
  const answer = await caller(await createServer(ctx))('GET /repos/acme/key')
  expect(answer.json()).toMatchObject({ repo: { slug: 'acme/key' } })
})
