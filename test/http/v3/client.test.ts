import { beforeAll, describe, expect, test } from 'vitest'
import { anonymous } from '../../../src/access/viewer.ts'
import { createServer } from '../../../src/http/server.ts'
import { registry } from '../../../src/http/v3/resources/index.ts'
import { seen } from '../../access/records.ts'
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
/** The rights that were shown of each type, in all their orders. */
const rights = new Map<string, Set<string>>()

beforeAll(async () => {
  const world = await makeWorld(db)
  await keptBy(db, world.open.repository.id)
  await restartByToken(world)
  home = (await call('GET /')).body as Home
  visits = await walk(world.asAdmin(call), world.words)
  for (const { '@type': type, '@permissions': permissions } of objects()) {
    if (permissions === undefined) continue
    const orders = rights.get(String(type)) ?? new Set()
    rights.set(String(type), orders.add(Object.keys(Object(permissions)).join()))
  }
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

test('a client that starts at / reaches every resource that can be read', () => {
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

test('a client that starts at / sees a body of each type', () => {
  const seen = new Set(objects().map(({ '@type': type }) => type))
  expect(Object.keys(home.resources).filter((type) => !seen.has(type))).toEqual(Object.keys(unseen))
})

describe.each(Object.entries(registry))('the permissions of a %s', (type, resource) => {
  test('are all permissions of the resource, in their order', () => {
    // No read shows a preview.
    const preview = () => Object.keys(resource.rights(anonymous, { repository: seen({}) } as never))
    const shown = type === 'request_preview' ? [preview().join()] : [...(rights.get(type) ?? [])]
    expect(shown).toEqual([resource.permissions.join()])
  })

  test('always begin with reading and writing', () => {
    expect(resource.permissions.slice(0, 2)).toEqual(['read', 'write'])
  })

  test('are registered under the type of the resource', () => {
    expect(resource.type).toBe(type)
  })
})

interface Shown {
  '@type': string
  '@representation': string
  '@permissions'?: object
}

/** Everything with a representation, at any depth, and the list that it is an entry of. */
function* shownIn(value: unknown, list?: string): Generator<{ object: Shown; list?: string }> {
  if (typeof value !== 'object' || value === null) return
  if ('@representation' in value) yield { object: value as Shown, ...(list && { list }) }
  const isEntries = (name: string) => '@type' in value && value['@type'] === name
  for (const [name, member] of Object.entries(value)) {
    for (const each of [member].flat()) {
      yield* shownIn(each, Array.isArray(member) && isEntries(name) ? name : undefined)
    }
  }
}

/** All of that in the reads with everything included, or in those with nothing included. */
const shownWith = (included: boolean) =>
  visits
    .filter(({ url, status }) => status === 200 && url.includes('include=') === included)
    .flatMap(({ body }) => [...shownIn(body)])

/** Members that describe what is shown. */
const metadata = ['@type', '@href', '@representation', '@permissions', '@pagination', '@warnings']

/** What an object shows, in the words of the document. */
const described = (object: Shown) => ({
  type: object['@type'],
  attributes: Object.keys(object).filter((name) => !metadata.includes(name)),
  permissions: object['@permissions'] && Object.keys(object['@permissions']),
})

/** What entries of lists show besides their representation. */
const besides: Readonly<Record<string, readonly string[]>> = {
  repositories: [
    ...['current_build', 'last_started_build', 'next_build_number', 'private_key', 'token'],
    ...['user_settings', 'allow_migration', 'email_subscribed'],
  ],
}

describe('the resources that a client sees', () => {
  test('match the home document, in short and in full', () => {
    const shown = shownWith(false)
    expect(shown.length).toBeGreaterThan(0)
    for (const { object, list = '' } of shown) {
      const isActive = object['@representation'] === 'active'
      const isList = object['@type'] === 'builds'
      const resource = home.resources[isActive && isList ? 'active' : object['@type']]
      // Of a build it is what `standard` is, and nothing that callers can choose.
      const representation = isActive && !isList ? 'standard' : object['@representation']
      const attributes = resource?.representations?.[representation] ?? []
      const missing = registry[object['@type']]?.optional?.filter((name) => !(name in object)) ?? []
      expect(described(object)).toEqual({
        type: object['@type'],
        attributes: [...attributes, ...(besides[list] ?? [])].filter(
          (name) => !missing.includes(name),
        ),
        permissions: resource?.permissions,
      })
    }
  })

  test('show all their attributes when all are included', () => {
    const shown = shownWith(true).map(({ object }) => described(object))
    const models = Object.entries(home.resources).filter(
      ([, each]) => each.representations?.minimal,
    )
    expect(models.length).toBeGreaterThan(30)
    for (const [name, { attributes, permissions }] of models) {
      // Nothing that only reads shows it.
      if (name === 'request_preview') continue
      const type = name === 'key_pair_generated' ? 'key_pair' : name
      const [fullest] = shown
        .filter((each) => each.type === type)
        .toSorted((a, b) => b.attributes.length - a.attributes.length)
      expect(fullest).toEqual({ type, attributes, permissions })
    }
  })
})

test('a client that starts at / finds an entry in each list', () => {
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

test('no link leads to the user of a repository token', () => {
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

test('no template leads to an unknown path', () => {
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
])('a client expands %s with %j', (template, values, expected) => {
  expect(expand(template, values)).toBe(expected)
})
