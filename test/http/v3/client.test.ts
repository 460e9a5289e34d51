import { beforeAll, expect, test } from 'vitest'
import { createServer } from '../../../src/http/server.ts'
import { v3Client } from '../../support/client.ts'
import { testContext } from '../../support/context.ts'
import { ownDatabase } from '../../support/database.ts'
import { expand, type Home, type Visit, walk } from './hypermedia.ts'
import { keptBy } from './kept.ts'
import { makeWorld } from './world.ts'

const { db } = await ownDatabase()
const call = v3Client(await createServer(testContext(db)))

let home: Home
let visits: Visit[]

beforeAll(async () => {
  const { asAdmin, words, open } = await makeWorld(db)
  await keptBy(db, open.repository.id)
  home = (await call('GET /')).body as Home
  visits = await walk(asAdmin(call), words)
})

test('from / a client reaches every resource that can be read', () => {
  const readable = Object.entries(home.resources)
    .filter(([, { actions }]) =>
      Object.values(actions)
        .flat()
        .some(({ request_method }) => request_method === 'GET'),
    )
    .map(([type]) => type)
  const found = visits.filter(({ status }) => status === 200)
  const reached = new Set(found.map(({ resource }) => resource))
  expect(readable.filter((type) => !reached.has(type))).toEqual([])
  expect(readable).toEqual(expect.arrayContaining(['home', 'repository', 'branch', 'branches']))
})

test('every link leads somewhere', () => {
  const links = visits.filter(({ resource }) => resource === undefined)
  expect(links.filter(({ status }) => status !== 200)).toEqual([])
})

test('no template leads to a path that the service does not know', () => {
  const unknown = visits.filter(
    ({ status, body }) =>
      status === 404 && (body as { resource_type: string | null }).resource_type === null,
  )
  expect(unknown).toEqual([])
})

test.each([
  ['/repo/{repository.id}{?include,limit}', { 'repository.id': '1' }, '/repo/1'],
  ['/repo/{repository.slug}', { 'repository.slug': 'a/b' }, '/repo/a%2Fb'],
  ['/x{?a,b.c}', { a: '1,2', 'b.c': 'é!' }, '/x?a=1%2C2&b.c=%C3%A9%21'],
  ['/x?a=1{&b}', { b: '2' }, '/x?a=1&b=2'],
  ['/repo/{repository.id}', {}, undefined],
])('it expands %s with %j', (template, values, expected) => {
  expect(expand(template, values)).toBe(expected)
})
