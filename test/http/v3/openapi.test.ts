import { beforeAll, describe, expect, test } from 'vitest'
import type { OpenApi } from '../../../src/http/openapi/operation.ts'
import { listedParameters } from '../../../src/http/openapi/parameters.ts'
import { createServer } from '../../../src/http/server.ts'
import { v3Actions } from '../../../src/http/v3/endpoints.ts'
import { v3Client } from '../../support/client.ts'
import { testContext } from '../../support/context.ts'
import { ownDatabase } from '../../support/database.ts'
import { withRoutes } from '../../support/routes.ts'
import { caller, prefixed } from '../door.ts'
import { endpointsOf } from '../endpoints.ts'
import { judgeOf, operationIn, operationsIn } from '../openapi.ts'
import { type Visit, walk } from './hypermedia.ts'
import { makeWorld, type World } from './world.ts'

const { db } = await ownDatabase()
const { server, routes } = await withRoutes(() => createServer(testContext(db)))
const call = v3Client(server)
const path = '/docs/v3.json'
const document = (await caller(server)(`GET ${path}`)).json<OpenApi>()
const { operationsOf, problemsOf } = judgeOf(document)

const operations = operationsIn(document)
const operationOf = (call: string) => operationIn(document, call)

describe('GET /docs/v3.json', () => {
  test('has every route of V3, and no other', () => {
    const mounted = routes
      .filter(({ generation }) => generation === 'v3')
      .map((route) => `${route.method} ${route.path.replaceAll(/:(\w+)/g, '{$1}')}`)
      // The same to OpenAPI as that of a request; the word that is listed stands for all.
      .filter((call) => !call.endsWith('/request/{preview}'))
    expect(operations.map((each) => each.call).toSorted()).toEqual(mounted.toSorted())
  })

  test('has a title, and the address of V3', () => {
    expect(document).toMatchObject({
      openapi: '3.1.0',
      info: { title: 'build-service, API V3' },
      servers: [{ url: 'https://ci.example.org/v3' }],
    })
  })

  test('has the status of each call that succeeds', () => {
    const isDone = (status: number | string) => String(status).startsWith('2')
    const expected = endpointsOf('v3').flatMap(({ name, row }) => {
      const succeeds = [...new Set(row.statuses.flat().filter(isDone))]
      return succeeds.length === 0 ? [] : [[name, succeeds.map(String)] as const]
    })
    const documented = expected.map(([endpoint]) => {
      const { responses } = operationOf(endpoint.replaceAll(/:(\w+)/g, '{$1}'))
      return [endpoint, Object.keys(responses).filter(isDone)]
    })
    expect(expected.length).toBeGreaterThan(100)
    expect(documented).toEqual(expected)
    const all = operations.flatMap(({ operation }) => Object.keys(operation.responses))
    expect(all.filter((status) => status.includes('X'))).toEqual([])
  })

  test('has the status of each call that is refused', () => {
    const described = endpointsOf('v3').filter(({ path }) => !path.endsWith('/request/:preview'))
    const refused = described.flatMap(({ name, row: { statuses } }) => {
      const { responses } = operationOf(name.replaceAll(/:(\w+)/g, '{$1}'))
      return [...new Set(statuses.flat())]
        .filter((status) => status >= 400)
        .map((status) => ({ name, status, isNamed: String(status) in responses }))
    })
    expect(refused.length).toBeGreaterThan(200)
    expect(refused.filter(({ isNamed }) => !isNamed)).toEqual([])
  })

  test('has a short summary of each call', () => {
    const said = v3Actions.map(({ resource, name, endpoint }) => ({
      action: `${resource}.${name}`,
      resource,
      summary: endpoint.declared.summary ?? '',
    }))
    const isWrong = ({ summary }: { summary: string }) =>
      summary.length < 10 || summary.length > 140 || summary.endsWith('.')
    expect(said.filter(isWrong)).toEqual([])
    const again = said.filter((one, index) =>
      said.slice(0, index).some((each) => {
        return each.resource === one.resource && each.summary === one.summary
      }),
    )
    expect(again).toEqual([])
  })

  test('describes the value of each parameter', () => {
    // A description that its kind has would say no more than the type.
    const ofKinds = ['an integer', 'an id', 'one text', 'one text without U+0000']
    const undescribed = v3Actions.flatMap(({ resource, name, endpoint }) =>
      listedParameters(endpoint)
        .filter(
          ([
            ,
            {
              schema: { description = '' },
            },
          ]) => ['', ...ofKinds].includes(description),
        )
        .map(([parameter]) => `${resource}.${name}: ${parameter}`),
    )
    expect(undescribed).toEqual([])
  })

  test('refers to no missing schema', () => {
    const named = JSON.stringify(document).matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)
    const known = Object.keys(document.components.schemas)
    expect([...named].map(([, name = '']) => name).filter((name) => !known.includes(name))).toEqual(
      [],
    )
  })

  test('has a type for each attribute', () => {
    const unknown = Object.entries(document.components.schemas).flatMap(([type, { properties }]) =>
      Object.entries(properties ?? {})
        .filter(([, schema]) => Object.keys(schema as object).length === 0)
        .map(([name]) => `${type}.${name}`),
    )
    // What is missing has its place in the resource’s `types`, or in `v3/openapi/attribute-types.ts`.
    expect(unknown).toEqual([])
  })

  test('describes the parameters and responses of a list of branches', () => {
    const error = (description: string) => ({
      description,
      content: { 'application/json': { schema: { $ref: '#/components/schemas/error' } } },
    })
    const inQuery = (name: string, schema: object) => ({
      name,
      in: 'query',
      required: false,
      schema,
    })
    const integer = (text: string) => ({ type: 'integer', description: text })
    const list = (text: string) => ({ type: 'array', items: { type: 'string' }, description: text })
    const { responses, ...operation } = operationOf('GET /repo/{repository}/branches')
    expect(operation).toEqual({
      operationId: 'branches_find_2',
      tags: ['branches'],
      summary:
        'the branches of a repository: the default branch first, and last those that the code host no longer has',
      security: [{}, { token: [] }, { basic: [] }],
      parameters: [
        {
          name: 'repository',
          in: 'path',
          required: true,
          description: 'repository.id, or repository.slug with its slash as %2F',
          schema: { type: 'string' },
        },
        inQuery(
          'limit',
          integer(
            'how many entries a page has: 25 by default, at most 100; 0 means as many as possible',
          ),
        ),
        inQuery('offset', integer('number of entries to skip')),
        inQuery(
          'sort_by',
          list(
            'sort order of the entries, with `:desc` after a word for descending order: ' +
              'name, last_build, exists_on_codehost, default_branch',
          ),
        ),
        inQuery('branch.exists_on_codehost', {
          type: 'boolean',
          description: 'whether only branches that the code host has are listed, or only others',
        }),
        inQuery('branch.name', list('parts of names, in any case')),
        {
          ...inQuery('include', { type: 'string' }),
          description:
            'attributes to include, or to show in full: type.attribute, separated by commas',
        },
        {
          ...inQuery('representation', { type: 'string', enum: ['minimal', 'standard'] }),
          description: 'representation of each entry; standard by default',
        },
      ],
    })
    expect(responses).toEqual({
      200: {
        description: 'found',
        content: {
          'application/json': {
            schema: { $ref: '#/components/schemas/branches' },
            example: expect.any(Object) as object,
          },
        },
      },
      400: error('wrong_params'),
      403: error('login_required, wrong_credentials, insufficient_access'),
      404: error('not_found'),
      422: error('unprocessable_entity'),
      503: error('service_unavailable'),
      default: error('any other error'),
    })
  })

  test('has the schemas of a resource, and of a list', () => {
    const { branch, branches, 'branch.minimal': minimal } = document.components.schemas
    const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })
    const build = { anyOf: [ref('build.minimal'), ref('build.standard'), ref('reference')] }
    const text = { type: 'string' }
    expect(branch).toEqual({
      type: 'object',
      properties: {
        '@type': { const: 'branch' },
        '@href': text,
        '@representation': { type: 'string', enum: ['minimal', 'standard'] },
        '@permissions': {
          type: 'object',
          properties: { read: { type: 'boolean' }, write: { type: 'boolean' } },
          required: ['read', 'write'],
        },
        name: expect.any(Object) as object,
        repository: expect.any(Object) as object,
        default_branch: { type: 'boolean' },
        exists_on_codehost: { type: 'boolean' },
        last_build: { anyOf: [build, { type: 'null' }] },
        recent_builds: { type: ['array', 'null'], items: build },
      },
      required: ['@type', '@href', '@representation', '@permissions'],
    })
    expect(minimal).toEqual({
      type: 'object',
      allOf: [ref('branch')],
      properties: { '@representation': { const: 'minimal' } },
      required: ['name'],
    })
    expect(branches).toMatchObject({
      properties: {
        '@type': { const: 'branches' },
        '@pagination': ref('pagination'),
        branches: { type: 'array' },
      },
      required: ['@type', '@representation', 'branches'],
    })
  })

  test('has the public address of the installation', async () => {
    const below = caller(await createServer(prefixed(testContext(db))))
    expect((await below(`GET /ci${path}`)).json()).toMatchObject({
      servers: [{ url: 'https://x.example.org/ci/v3' }],
    })
  })

  test.each<Record<string, string>>([
    {},
    { accept: 'application/vnd.service.2.1+json' },
    { 'service-api-version': '3' },
    { accept: 'text/html' },
  ])('is the same for every generation: %j', async (headers) => {
    const answer = await caller(server)(`GET ${path}`, headers)
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'application/json'])
    expect(answer.json()).toEqual(document)
  })
})

/** What a read that succeeds returns, by type. */
const contentOf = (url: string) =>
  operationsOf({ method: 'GET', path: url })[0]?.responses[200]?.content ?? {}

/** The members of an example that an answer does not have; what they hold is for the schema to say. */
function lackingIn(answer: unknown, example: unknown, place = ''): string[] {
  if (Array.isArray(example)) {
    if (!Array.isArray(answer)) return answer === null ? [] : [place]
    return answer.length === 0 ? [] : lackingIn(answer[0], example[0], `${place}/0`)
  }
  if (typeof example !== 'object' || example === null || answer === null) return []
  const members = Object(answer) as Record<string, unknown>
  // What was shown before is its path alone.
  if (Object.keys(members).join() === '@href') return []
  return Object.entries(example).flatMap(([name, value]) =>
    name in members ? lackingIn(members[name], value, `${place}/${name}`) : [`${place}/${name}`],
  )
}

describe('a response matches the document', () => {
  let world: World
  let visits: Visit[]
  const get = (as: 'stranger' | 'nobody') => (url: string) =>
    call(`GET ${url}`, as === 'nobody' ? {} : { token: world.people[as].token })

  /** Of answers in JSON, those that are not as they should be. */
  const wrong = (answers: readonly Pick<Visit, 'url' | 'status' | 'body'>[]) =>
    answers
      .filter(({ body }) => typeof body !== 'string')
      .map(({ url, status, body }) => ({
        url,
        status,
        problems: problemsOf({ method: 'GET', path: url, status, body }),
      }))
      .filter(({ problems }) => problems.length > 0)

  beforeAll(async () => {
    world = await makeWorld(db)
    visits = await walk(world.asAdmin(call), world.words)
  })

  const plainUrls = () => visits.map(({ url }) => url).filter((url) => !url.includes('?'))

  test('for each read, with all possible includes', () => {
    expect(visits.length).toBeGreaterThan(5)
    expect(wrong(visits)).toEqual([])
  }, 400_000)

  test('for each read, and at least one record has all members of the example', () => {
    const lacking = new Map<object, string[]>()
    for (const { url, status, body } of visits) {
      const json = contentOf(url)['application/json']
      if (status !== 200 || typeof body === 'string' || json === undefined) continue
      const known = lacking.get(json)
      const found = lackingIn(body, json.example)
      if (known === undefined || found.length < known.length) lacking.set(json, found)
    }
    expect(lacking.size).toBeGreaterThan(50)
    expect([...lacking.values()].flat()).toEqual([])
  })

  test('for each log, in each accepted type', async () => {
    for (const url of plainUrls().filter((plain) => /\/log(?:\.txt)?$/.test(plain))) {
      const types = Object.keys(contentOf(url))
      for (const type of types) {
        const headers = { 'service-api-version': '3', accept: type.replace(/;.*/, '') }
        const { statusCode, headers: sent } = await caller(server)(`GET ${url}`, headers)
        const expected = statusCode === 200 ? type : headers.accept
        expect([url, sent['content-type']]).toEqual([url, expected])
      }
    }
  })

  test.each(['stranger', 'nobody'] as const)('for %s', async (as) => {
    for (const url of plainUrls()) {
      expect(wrong([{ url, ...(await get(as)(url)) }])).toEqual([])
    }
  })

  test.each(['include=x', 'limit=x', 'offset=', 'foo=1'])('with ?%s', async (query) => {
    const get = world.asAdmin(call)
    for (const url of plainUrls().map((plain) => `${plain}?${query}`)) {
      expect(wrong([{ url, ...(await get(url)) }])).toEqual([])
    }
  })
})
