import { beforeAll, expect, test } from 'vitest'
import { createServer } from '../../../src/http/server.ts'
import { v3Client } from '../../support/client.ts'
import { testContext } from '../../support/context.ts'
import { ownDatabase } from '../../support/database.ts'
import { expand, type Home, type Visit, walk } from './hypermedia.ts'
import { keptBy } from './kept.ts'
import { makeWorld, type World } from './world.ts'

const { db } = await ownDatabase()
const call = v3Client(await createServer(testContext(db)))

let home: Home
let visits: Visit[]

beforeAll(async () => {
  const world = await makeWorld(db)
  await keptBy(db, world.open.repository.id)
  await restartByToken(world)
  home = (await call('GET /')).body as Home
  visits = await walk(world.asAdmin(call), world.words)
})

/** A part of what there is was done by no person, but by a token of the repository. */
async function restartByToken({ people: { admin }, open }: World): Promise<void> {
  const path = `/repo/${open.repository.id}/tokens?name=deploy&scopes=read,builds`
  const { body } = await call(`POST ${path}`, admin)
  const { token } = body as { token: string }
  expect(await call(`POST /job/${open.job}/restart`, { token })).toMatchObject({ status: 202 })
}

/** Everything with a type in what was read. */
const objects = () =>
  visits.filter(({ status }) => status === 200).flatMap(({ body }) => [...objectsIn(body)])

function* objectsIn(value: unknown): Generator<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return
  if ('@type' in value) yield value
  for (const member of Object.values(value)) yield* objectsIn(member)
}

/** The types that have something to read. */
const readableTypes = () =>
  Object.entries(home.resources)
    .filter(([, { actions }]) =>
      Object.values(actions)
        .flat()
        .some(({ request_method }) => request_method === 'GET'),
    )
    .map(([type]) => type)

test('from / a client reaches every resource that can be read', () => {
  const readable = readableTypes()
  const found = visits.filter(({ status }) => status === 200)
  const reached = new Set(found.map(({ resource }) => resource))
  expect(readable.filter((type) => !reached.has(type))).toEqual([])
  expect(readable).toEqual(expect.arrayContaining(['home', 'repository', 'branch', 'branches']))
})

/** Types that nothing shows which is only read, and why. */
const unseen = {
  access_token: 'shown once, where a token is replaced',
  active: 'shown as builds',
  email_subscription: 'changed, and never shown',
  error: 'seen where something is wrong',
  key_pair_generated: 'shown as a key_pair',
  lint: 'an answer to a build file that is sent',
  owner: 'shown as a user or an organization',
  request_preview: 'an answer to a POST',
}

test('and sees a body of each type', () => {
  const seen = new Set(objects().map(({ '@type': type }) => type))
  expect(Object.keys(home.resources).filter((type) => !seen.has(type))).toEqual(Object.keys(unseen))
})

test('and finds something in each list', () => {
  const lists = Object.entries(home.resources).filter(([type]) =>
    visits.some(({ resource, body }) => resource === type && isList(body)),
  )
  expect(lists.length).toBeGreaterThan(20)
  const empty = lists.filter(
    ([
      type,
      {
        attributes: [member = ''],
      },
    ]) =>
      !visits.some(
        ({ resource, body }) =>
          resource === type && (body as Record<string, unknown[]>)[member]?.length,
      ),
  )
  expect(empty.map(([type]) => type)).toEqual([])
})

/** Whether a body is that of a list, whatever is in it: the type of a list is the name of its member. */
function isList(body: unknown): boolean {
  const { '@type': type = '', ...members } = body as Record<string, unknown>
  return Array.isArray(members[String(type)])
}

test('no link leads to the user that a token of a repository acts as', () => {
  const bots = objects().filter(({ login }) => String(login).endsWith('[bot]'))
  expect(bots.length).toBeGreaterThan(0)
  for (const { '@href': href, '@permissions': permissions } of bots) {
    expect([href, permissions]).toEqual([undefined, { read: false, write: false, sync: false }])
  }
})

test('every link leads somewhere', () => {
  const links = visits.filter(({ linked }) => linked)
  expect(links.filter(({ status }) => status !== 200)).toEqual([])
})

/** Types that can be read and have no path that a link leads to, and why. */
const unlinked = {
  active: 'its path shows builds',
  allowance: 'shown without a path, below its owner',
  key_pair_generated: 'its path shows a key_pair',
  log_parts: 'no resources of their own',
  owner: 'its path shows a user or an organization',
}

test('a link leads to each type that can be read and has a path of its own', () => {
  const links = visits.filter(({ linked, status }) => linked && status === 200)
  const linked = new Set(links.map(({ body }) => (body as { '@type': string })['@type']))
  expect(readableTypes().filter((type) => !linked.has(type))).toEqual(Object.keys(unlinked))
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
