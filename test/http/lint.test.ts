import { describe, expect, test } from 'vitest'
import { createServer } from '../../src/http/server.ts'
import { mostBytes } from '../../src/lint/limits.ts'
import { testContext } from '../support/context.ts'
import { testDatabase } from '../support/database.ts'
import { factories } from '../support/factories.ts'
import { caller } from './door.ts'
import {
  about,
  advice,
  advisable,
  advised,
  file,
  json,
  keysOf,
  misspelt,
  multipart,
  noObjects,
  noYaml,
  syntaxError,
  tooLarge,
  tooLargeMessage,
  ways,
} from './lint-calls.ts'

const db = await testDatabase()
const call = caller(await createServer(testContext(db)))

describe.each(ways)('a build file %s', (_how, path, headers, body) => {
  test.each(['POST', 'PUT'])('is checked by %s in V2.1', async (method) => {
    const answer = await call(`${method} ${path}`, headers, body)
    expect([answer.statusCode, answer.json()]).toEqual([200, { lint: { warnings: [misspelt] } }])
    expect(answer.headers['content-type']).toBe('application/json')
  })
})

test.each([
  ['POST /lint/', {}],
  ['PUT /lint/', {}],
  ['POST /lint', { accept: 'application/vnd.service.2.1+json' }],
  ['POST /lint', { accept: 'application/vnd.service.2+json' }],
  ['POST /lint', { accept: 'image/png' }],
  ['POST /lint', { accept: '*/*, text/html;q=0.9' }],
  ['POST /lint', { accept: 'text/html', 'service-api-version': '2.1' }],
])('%s %j gets a response of V2.1', async (request, headers) => {
  const answer = await call(request, headers, file)
  expect([answer.statusCode, answer.json()]).toEqual([200, { lint: { warnings: [misspelt] } }])
})

test('the content in a JSON body takes precedence over the query', async () => {
  const answer = await call('POST /lint?content=nothing', json, JSON.stringify({ content: file }))
  expect(answer.json()).toEqual({ lint: { warnings: [misspelt] } })
})

test.each(keysOf)('findings have the path of their keys: %s', async (_what, content, keys) => {
  const legacy = await call('POST /lint', json, about(content))
  const { warnings } = legacy.json<{ lint: { warnings: { key: string[] }[] } }>().lint
  expect(warnings.map(({ key }) => key)).toEqual(keys)
})

test('notes and advice are left out', async () => {
  // A note about the second name, another about what holds without a word.
  const content = 'matrix:\n  fast_finish: true\nscript: make || true\n'
  expect((await call('POST /lint', json, about(content))).json()).toEqual({
    lint: { warnings: [] },
  })
})

describe('advice', () => {
  test.each(advised)('is returned if it is requested: %s %j', async (path, headers, body) => {
    const legacy = await call(`POST ${path}`, headers, body)
    expect(legacy.json()).toMatchObject({ lint: { warnings: [advice] } })
  })

  test('is one warning with a count if a file needs it several times', async () => {
    const twice = 'install: [sudo apt-get install a, make, sudo apt-get install a]\nscript: make\n'
    const answer = await call('PUT /lint?advice=true', { 'content-type': 'text/yaml' }, twice)
    expect(answer.json()).toMatchObject({
      lint: { warnings: [{ code: 'install_asks', line: 1, count: 2 }] },
    })
  })

  test.each(['', '?advice=false', '?advice=0', '?advice='])(
    'is not returned otherwise: "%s"',
    async (query) => {
      const answer = await call(`POST /lint${query}`, {}, advisable)
      expect(answer.json()).toEqual({ lint: { warnings: [] } })
    },
  )
})

describe('a file that is invalid YAML', () => {
  test.each(noYaml)('%j is reported as one warning, with its position', async (content, ...at) => {
    const legacy = await call('PUT /lint', { 'content-type': 'text/yaml' }, content)
    expect([legacy.statusCode, legacy.json()]).toEqual([
      200,
      { lint: { warnings: [syntaxError(...at)] } },
    ])
  })
})

describe('an unreadable body', () => {
  test.each(noObjects)('of JSON is refused: %s', async (body) => {
    const legacy = await call('POST /lint', json, body)
    expect(legacy.statusCode).toBe(400)
    expect(legacy.headers['content-type']).toBe('application/json')
    expect(legacy.json()).toEqual({
      error: expect.stringMatching(
        /^Failed to parse body as JSON$|^the body must be a JSON object/,
      ) as unknown,
    })
  })

  test.each(['', '; boundary=', '; boundary=other', `; boundary=${'b'.repeat(71)}`])(
    'of a form whose parts cannot be told apart is refused: "%s"',
    async (boundary) => {
      const headers = { 'content-type': `multipart/form-data${boundary}` }
      const answer = await call('POST /lint', headers, multipart({ content: file }))
      expect([answer.statusCode, answer.json()]).toEqual([
        400,
        { error: 'the form in the body cannot be read' },
      ])
    },
  )
})

describe('a large body', () => {
  test('is refused above the limit', async () => {
    for (const method of ['POST', 'PUT']) {
      const legacy = await call(`${method} /lint`, {}, tooLarge)
      expect([legacy.statusCode, legacy.json()]).toEqual([413, { error: tooLargeMessage }])
    }
  })

  test.each(['-\n', '- x\n', '- {}\n', '- - x\n'])(
    'is accepted at the limit, however many values it has: %j',
    async (entry) => {
      const many = `env:\n${entry.repeat(mostBytes)}`.slice(0, mostBytes)
      const answer = await call('PUT /lint?advice=true', {}, many)
      expect(answer.statusCode).toBe(200)
    },
  )

  test('is accepted at the limit as a single value', async () => {
    const answer = await call('PUT /lint', {}, tooLarge.slice(0, mostBytes))
    expect(answer.statusCode).toBe(200)
  })
})

describe('a caller', () => {
  test('needs no login', async () => {
    const { token } = await factories(db).user()
    for (const headers of [{}, { authorization: `token ${token}` }]) {
      const answer = await call('POST /lint', headers, file)
      expect(answer.json()).toEqual({ lint: { warnings: [misspelt] } })
    }
  })

  test('is refused with a wrong token', async () => {
    const headers = { authorization: 'token wrong' }
    expect((await call('POST /lint', headers, file)).statusCode).toBe(403)
  })
})

describe('other methods', () => {
  test.each(['GET', 'PATCH', 'DELETE'])('%s is an unknown path in V2.1', async (method) => {
    const answer = await call(`${method} /lint`)
    expect([answer.statusCode, answer.json()]).toEqual([404, { file: 'not found' }])
  })

  test('HEAD is the same as GET without a body', async () => {
    const legacy = await call('HEAD /lint')
    expect([legacy.statusCode, legacy.body]).toEqual([404, ''])
  })
})
