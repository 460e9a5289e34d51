import { describe, expect, test } from 'vitest'
import type { OpenApi } from '../../../src/http/openapi/operation.ts'
import type { JsonSchema } from '../../../src/http/openapi/schema.ts'
import { createServer } from '../../../src/http/server.ts'
import { testContext } from '../../support/context.ts'
import { testDatabase } from '../../support/database.ts'
import { withRoutes } from '../../support/routes.ts'
import { caller, prefixed } from '../door.ts'
import { operationIn, operationsIn, shapeOf } from '../openapi.ts'
import { textIn } from '../pages/reading.ts'

const db = await testDatabase()
const { server, routes } = await withRoutes(() => createServer(testContext(db)))
const call = caller(server)
const path = '/docs/v2.1.json'
const document = (await call(`GET ${path}`)).json<OpenApi>()

const operations = operationsIn(document)
const operationOf = (call: string) => operationIn(document, call)

describe('GET /docs/v2.1.json', () => {
  test('has every route of V2.1, and no other', () => {
    const mounted = routes
      .filter(({ generation }) => generation === 'v2')
      .map((route) => `${route.method} ${route.path.replaceAll(/:(\w+)/g, '{$1}')}`)
      .map((route) => shapeOf(route.replace(/\*$/, '{branch}')))
    const documented = operations.map((each) => shapeOf(each.call))
    expect(documented.toSorted()).toEqual([...new Set(mounted)].toSorted())
  })

  test('describes the path shared by a repository and an owner as one call', () => {
    const { operationId, summary, parameters, responses } = operationOf('GET /repos/{id_or_owner}')
    expect({ operationId, summary, names: parameters.map(({ name }) => name) }).toEqual({
      operationId: 'get_repos_id_or_owner',
      summary:
        'a repository with its last build; or the repositories of a user or an organization that the caller can see',
      names: ['id_or_owner', 'active', 'limit'],
    })
    expect(parameters[0]?.description).toBe(
      'the id of a repository, or its slug with an escaped slash, or the name of a repository’s owner',
    )
    const { schema } = responses[200]?.content?.['application/json;charset=utf-8'] ?? {}
    expect(schema?.anyOf).toMatchObject([{ required: ['repo'] }, { required: ['repos'] }])
    expect(Object.keys(responses)).toEqual(
      expect.arrayContaining(['200', '304', '401', '403', '404', '406']),
    )
  })

  test('has a title, and the address of the service', () => {
    expect(document).toMatchObject({
      openapi: '3.1.0',
      info: { title: 'build-service, API V2.1' },
      servers: [{ url: 'https://ci.example.org' }],
    })
  })

  test.each(operations)('$call has a successful response', ({ operation }) => {
    expect(Object.keys(operation.responses)).toContainEqual(expect.stringMatching(/^2\d\d$/))
    expect(operation.responses).toHaveProperty('403')
  })

  test('has a summary of each call', () => {
    expect(
      operations.filter(({ operation }) => !operation.summary).map((each) => each.call),
    ).toEqual([])
  })

  test('describes the parameters and responses of a list of caches', () => {
    const line = { 'text/plain;charset=utf-8': { schema: { type: 'string' } } }
    const object = { schema: { type: 'object' } }
    const caches = {
      type: 'object',
      properties: { caches: { type: 'array', items: { $ref: '#/components/schemas/cache' } } },
      required: ['caches'],
    }
    expect(operationOf('GET /repos/{owner}/{name}/caches')).toEqual({
      operationId: 'get_repos_owner_name_caches',
      tags: ['repos'],
      summary: 'the caches of a repository; needs the right to push',
      security: [{ token: [] }, { basic: [] }],
      parameters: [
        {
          name: 'owner',
          in: 'path',
          required: true,
          description: 'the name of a repository’s owner',
          example: 'octavia',
          schema: { type: 'string' },
        },
        {
          name: 'name',
          in: 'path',
          required: true,
          description: 'the name of the repository',
          example: 'hello',
          schema: { type: 'string' },
        },
        {
          name: 'branch',
          in: 'query',
          required: false,
          schema: { type: 'string', description: 'one text' },
        },
        {
          name: 'match',
          in: 'query',
          required: false,
          schema: { type: 'string', description: 'one text' },
        },
      ],
      responses: {
        200: {
          description: 'success',
          content: { 'application/json;charset=utf-8': { schema: caches } },
        },
        400: { description: 'wrong params', content: { 'application/json': object } },
        401: { description: 'login required', content: line },
        403: {
          description: 'wrong credentials, insufficient access, the right is missing',
          content: { ...line, 'application/json': object },
        },
        404: { description: 'not found', content: { 'application/json': object } },
        406: { description: 'not acceptable' },
        503: { description: 'unavailable', content: { 'application/json': object } },
      },
    })
  })

  test('describes the body of a write', () => {
    const { requestBody, security } = operationOf('POST /auth/codehost')
    const description =
      'a token of the code host, or of this service in local mode; never in the query'
    const properties = { codehost_token: { type: 'string', description } }
    const schema = { type: 'object', properties }
    expect(requestBody).toEqual({
      required: false,
      content: {
        'application/json': { schema, example: { codehost_token: '$TOKEN' } },
        'application/x-www-form-urlencoded': { schema },
        'multipart/form-data': { schema },
      },
    })
    expect(security[0]).toEqual({})
  })

  test.each([
    ['PUT /hooks/{hook}', 'hook'],
    ['PUT /users/{user}', 'user'],
  ])('describes how forms write the object in the body of %s', (asked, name) => {
    const content = operationOf(asked).requestBody?.content ?? {}
    expect(Object.keys(content)).toEqual(['application/json', 'application/x-www-form-urlencoded'])
    const [json, form] = Object.values(content)
    expect(form).toEqual({
      schema: json?.schema,
      encoding: { [name]: { style: 'deepObject', explode: true } },
    })
  })

  const variables = ['/settings/env_vars', '/repos/settings/env_vars'].flatMap((path) => [
    `GET ${path}`,
    `POST ${path}`,
    `GET ${path}/{env_var}`,
    `PATCH ${path}/{env_var}`,
    `DELETE ${path}/{env_var}`,
  ])

  test.each(variables)('%s takes its repository from the query alone', (asked) => {
    const { parameters, requestBody } = operationOf(asked)
    const inQuery = parameters.filter((each) => each.in === 'query')
    expect(inQuery.map(({ name }) => name)).toEqual(['repository_id', 'slug'])
    expect(inQuery.every(({ schema }) => String(schema.description).includes('repository'))).toBe(
      true,
    )
    const members = Object.values(requestBody?.content ?? {}).map(({ schema }) =>
      Object.keys(schema.properties ?? {}),
    )
    expect(members).toEqual(asked.startsWith('P') ? [['env_var']] : [])
  })

  test.each(['/jobs/{job}/log', '/jobs/{job}/logs', '/logs/{log}'])(
    'describes how much of a log GET %s can send, and how',
    (path) => {
      const { parameters } = operationOf(`GET ${path}`)
      const types = parameters
        .filter((each) => each.in === 'query')
        .map(({ name, schema }) => [name, schema.type])
      expect(types).toEqual([
        ['attempt', 'integer'],
        ['deansi', 'boolean'],
        ['attachment', 'boolean'],
        ['after', 'integer'],
        ['part_numbers', 'array'],
      ])
    },
  )

  test('describes how a log is sent in parts, except as text', () => {
    const log = operationOf('GET /logs/{log}')
    expect(log.summary).toContain('`application/json; chunked=true`')
    expect(document.info.description).toContain('`application/json; chunked=true`')
    for (const name of ['after', 'part_numbers']) {
      const found = log.parameters.find((each) => each.name === name)
      expect(found?.schema.description).toContain('with `chunked`')
    }
    const { parameters, responses } = operationOf('GET /jobs/{job}/log.txt')
    const names = parameters.map(({ name }) => name)
    expect(names).toEqual(['job', 'attempt', 'deansi', 'attachment'])
    expect(Object.keys(responses[200]?.content ?? {})).toEqual(['text/plain;charset=utf-8'])
  })

  test('calls the branch in a path by its name', () => {
    const { parameters } = operationOf('GET /repos/{owner}/{name}/branches/{branch}')
    expect(parameters.at(-1)).toMatchObject({ name: 'branch', in: 'path', example: 'main' })
  })

  test('describes what has no effect yet', () => {
    const { description } = document.info
    for (const word of ['caches', '307']) {
      expect(description).toContain(word)
    }
  })

  test('has all members of the connection document', () => {
    const shown = operationOf('GET /config').responses['200']?.content?.['application/json']
    expect(shown?.schema).toMatchObject({
      properties: {
        config: {
          properties: {
            streaming: { required: ['key'] },
            codehost: { required: ['api_url', 'scopes'] },
            notifications: { properties: { webhook: { required: ['public_key'] } } },
          },
        },
      },
    })
  })

  test('never has builds with the state "queued", and allows caches without a branch', () => {
    const { schemas } = document.components
    const members = (name: string) => schemas[name]?.properties as Record<string, JsonSchema>
    const states = [members('build').state, members('repository').last_build_state]
    expect(JSON.stringify(states)).toContain('"received"')
    expect(JSON.stringify(states)).not.toContain('"queued"')
    expect(members('job').state?.enum).toContain('queued')
    expect(members('cache').branch).toEqual({ type: ['string', 'null'] })
  })

  test('describes a body of any type as a string', () => {
    const { requestBody } = operationOf('PUT /lint')
    expect(requestBody?.content['*/*']).toEqual({ schema: { type: 'string' } })
  })

  test('has a schema for each record in responses', () => {
    const { schemas } = document.components
    const named = [
      'account',
      'build',
      'commit',
      'hook',
      'job',
      'log',
      'repository',
      'request',
      'user',
    ]
    expect(Object.keys(schemas)).toEqual(expect.arrayContaining(named))
    expect(schemas['ssh_key']).toEqual({
      type: 'object',
      properties: {
        id: { type: 'integer' },
        description: { type: ['string', 'null'] },
        fingerprint: { type: ['string', 'null'] },
      },
      required: ['id', 'description', 'fingerprint'],
    })
  })

  test('describes which responses are revalidated', () => {
    expect(operationOf('GET /builds/{build}').responses).toHaveProperty('304')
    expect(operationOf('GET /jobs/{job}').responses).not.toHaveProperty('304')
  })

  test('has the address at which the installation is reached', async () => {
    const below = caller(await createServer(prefixed(testContext(db))))
    expect((await below(`GET /ci${path}`)).json()).toMatchObject({
      servers: [{ url: 'https://x.example.org/ci' }],
    })
  })

  test.each<Record<string, string>>([
    {},
    { accept: 'application/vnd.service.2.1+json' },
    { 'service-api-version': '3' },
    { accept: 'text/html' },
  ])('is the same for every generation: %j', async (headers) => {
    const answer = await call(`GET ${path}`, headers)
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'application/json'])
    expect(answer.json()).toEqual(document)
  })
})

describe('GET /docs/v2.1', () => {
  test('is a page with every call', async () => {
    const answer = await call('GET /docs/v2.1', { accept: 'text/html' })
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([
      200,
      'text/html;charset=utf-8',
    ])
    const text = textIn(answer.body)
    for (const each of operations) expect(text).toContain(` ${each.call} `)
    expect(text).toContain(
      'GET /repos/{id}/caches the caches of a repository; needs the right to push Needs a login.',
    )
    expect(text).toContain('and `callback` format JSON responses'.replaceAll('`', ''))
    expect(answer.body).toContain('href="/docs/v2.1.json"')
    expect(text).toContain('The host of GET /config has the path of the installation')
    expect(text).toContain('Lists of caches are empty, because jobs do not store caches yet.')
  })
})

describe('the page shows for each call', () => {
  const shownOf = async (asked: string) => {
    const text = textIn((await call('GET /docs/v2.1', { accept: 'text/html' })).body)
    const [, shown = ''] = text.split(` ${asked} `)
    return shown
  }

  test('its nested parameters and an example command', async () => {
    const shown = await shownOf('PUT /hooks/{hook}')
    const words =
      'hook[active] body or query boolean, false by default: whether to activate the repository'
    expect(shown).toContain(words)
    expect(shown).toContain(
      `curl -X PUT -H "Authorization: token $TOKEN" -H 'Content-Type: application/json' ` +
        `-d '{"hook":{"active":true}}' https://ci.example.org/hooks/1`,
    )
  })

  test('which parameters are required, and in which body', async () => {
    expect(await shownOf('POST /settings/env_vars')).toContain(
      'env_var[name] (required) body in JSON text',
    )
  })

  test('the ranges of its numbers', async () => {
    expect(await shownOf('PATCH /repos/{id}/settings')).toContain(
      'settings[job_log_access_older_than_days] body in JSON integer, at least 30, at most 730',
    )
    expect(await shownOf('GET /repos')).toContain('limit query integer, at most 50, 25 by default')
  })
})

describe('GET /docs', () => {
  test.each<[string, Record<string, string>, string]>([
    ['/docs', {}, '/docs/v2.1.json'],
    ['/docs/', { accept: 'application/json' }, '/docs/v2.1.json'],
    ['/docs', { 'service-api-version': '3' }, '/docs/v3.json'],
  ])('%s with %j leads programs to the document', async (url, headers, location) => {
    const answer = await call(`GET ${url}`, headers)
    expect([answer.statusCode, answer.headers.location]).toEqual([302, location])
    const below = caller(await createServer(prefixed(testContext(db))))
    expect((await below(`GET /ci${url}`, headers)).headers.location).toBe(`/ci${location}`)
  })

  test('is a page for browsers', async () => {
    expect((await call('GET /docs', { accept: 'text/html' })).statusCode).toBe(200)
  })
})
