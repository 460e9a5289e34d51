import { describe, expect, test } from 'vitest'
import { mostBytes } from '../../src/lint/limits.ts'
import { createServer } from '../../src/http/server.ts'
import { testContext } from '../support/context.ts'
import { testDatabase } from '../support/database.ts'
import { factories } from '../support/factories.ts'
import { caller } from './door.ts'

const db = await testDatabase()
const call = caller(await createServer(testContext(db)))

const v3 = { 'service-api-version': '3' }
const json = { 'content-type': 'application/json' }
const form = { 'content-type': 'application/x-www-form-urlencoded' }

const file = 'language: ruby\ngit:\n  depht: 3\nscript: make\n'
const misspelt = {
  key: ['git', 'depht'],
  message: 'there is no key "depht", it is read as "depth": correct the spelling',
  level: 'warn',
  code: 'find_key',
  line: 3,
  column: 3,
}

/** A file field, as a browser or `curl -F content=@file` sends it. */
function multipart(fields: Record<string, string>, filename = '') {
  const parts = Object.entries(fields).map(
    ([name, value]) =>
      `--b\r\nContent-Disposition: form-data; name="${name}"${filename}\r\n\r\n${value}\r\n`,
  )
  return `${parts.join('')}--b--\r\n`
}
const multipartType = { 'content-type': 'multipart/form-data; boundary=b' }

/** Every way in which a build file may come. */
const ways: [string, string, Record<string, string>, string | undefined][] = [
  ['in JSON', '/lint', json, JSON.stringify({ content: file })],
  [
    'in JSON that names its charset',
    '/lint',
    { 'content-type': 'application/json; charset=utf-8' },
    JSON.stringify({ content: file }),
  ],
  ['in a form', '/lint', form, new URLSearchParams({ content: file }).toString()],
  ['in a form of parts', '/lint', multipartType, multipart({ content: file })],
  [
    'as a file in a form of parts',
    '/lint',
    multipartType,
    multipart({ content: file }, '; filename=".service.yml"'),
  ],
  ['in the query', `/lint?content=${encodeURIComponent(file)}`, {}, undefined],
  ['in the query, with an empty body', `/lint?content=${encodeURIComponent(file)}`, json, ''],
  ['as the body', '/lint', { 'content-type': 'text/yaml' }, file],
  ['as the body without a label', '/lint', {}, file],
  ['as the body labelled as bytes', '/lint', { 'content-type': 'application/octet-stream' }, file],
  ['as the body labelled as nothing known', '/lint', { 'content-type': 'weird' }, file],
  ['as the body labelled as a form', '/lint', form, file],
]

describe.each(ways)('a build file %s', (_how, path, headers, body) => {
  test.each(['POST', 'PUT'])('is checked by %s in V2.1', async (method) => {
    const answer = await call(`${method} ${path}`, headers, body)
    expect([answer.statusCode, answer.json()]).toEqual([200, { lint: { warnings: [misspelt] } }])
    expect(answer.headers['content-type']).toBe('application/json')
  })

  test('is checked by POST in V3', async () => {
    const answer = await call(`POST ${path}`, { ...v3, ...headers }, body)
    expect([answer.statusCode, answer.json()]).toEqual([
      200,
      { '@type': 'lint', warnings: [misspelt] },
    ])
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
])('%s %j is V2.1’s', async (request, headers) => {
  const answer = await call(request, headers, file)
  expect([answer.statusCode, answer.json()]).toEqual([200, { lint: { warnings: [misspelt] } }])
})

test('a content that is given counts, not what is around it', async () => {
  const answer = await call('POST /lint?content=nothing', json, JSON.stringify({ content: file }))
  expect(answer.json()).toEqual({ lint: { warnings: [misspelt] } })
})

const about = (content: string) => JSON.stringify({ content })

test.each([
  ['nothing to say', 'language: ruby\nscript: make\n', []],
  ['the root', '- script\n', [[]]],
  ['a key of the root', 'foo: bar\nscript: make\n', [['foo']]],
  ['a key that lacks', 'deploy: {bucket: x}\nscript: make\n', [['deploy', 'provider']]],
  ['several, the worst first', 'foo: 1\nos: linux\nscript: make\nos: osx\n', [['os'], ['foo']]],
])('keys are paths of the offending keys: %s', async (_what, content, keys) => {
  const legacy = await call('POST /lint', json, about(content))
  const current = await call('POST /lint', { ...v3, ...json }, about(content))
  const { warnings } = legacy.json<{ lint: { warnings: { key: string[] }[] } }>().lint
  expect(warnings.map(({ key }) => key)).toEqual(keys)
  expect(current.json()).toEqual({ '@type': 'lint', warnings })
})

test('notes and advice are left out', async () => {
  // A note about the second name, another about what holds without a word.
  const content = 'matrix:\n  fast_finish: true\nscript: make || true\n'
  expect((await call('POST /lint', json, about(content))).json()).toEqual({
    lint: { warnings: [] },
  })
})

describe('advice', () => {
  const content = 'branches:\n  only:\n    - release/*\nlanguage: ruby\nscript: make\n'
  const advice = {
    key: ['branches', 'only'],
    level: 'warn',
    code: 'pattern_without_slashes',
    line: 3,
    column: 7,
  }

  test.each<[string, Record<string, string>, string]>([
    ['/lint', json, JSON.stringify({ content, advice: true })],
    ['/lint', json, JSON.stringify({ content, advice: 'true' })],
    ['/lint?advice=true', json, about(content)],
    ['/lint?advice=true', {}, content],
    ['/lint', form, new URLSearchParams({ content, advice: 'true' }).toString()],
    ['/lint', multipartType, multipart({ content, advice: '1' })],
  ])('is given where it is asked for: %s %j', async (path, headers, body) => {
    const legacy = await call(`POST ${path}`, headers, body)
    expect(legacy.json()).toMatchObject({ lint: { warnings: [advice] } })
    const current = await call(`POST ${path}`, { ...v3, ...headers }, body)
    expect(current.json()).toMatchObject({ '@type': 'lint', warnings: [advice] })
  })

  test.each(['', '?advice=false', '?advice=0', '?advice='])(
    'is not given else: "%s"',
    async (query) => {
      const answer = await call(`POST /lint${query}`, {}, content)
      expect(answer.json()).toEqual({ lint: { warnings: [] } })
    },
  )
})

describe('a file that is no YAML', () => {
  test.each([
    ['language: ruby\nscript: [make\n', 2, 9],
    ['a: b: c\n', 1, 5],
    ['script: "make\n', 1, 9],
  ])('%j is reported in one warning, with its position', async (content, line, column) => {
    const legacy = await call('PUT /lint', { 'content-type': 'text/yaml' }, content)
    expect(legacy.statusCode).toBe(200)
    const warning = {
      key: [],
      level: 'error',
      code: 'parse_error',
      line,
      column,
      message: expect.stringMatching(/^syntax error: ./) as unknown,
    }
    expect(legacy.json()).toEqual({ lint: { warnings: [warning] } })
    const current = await call('POST /lint', v3, content)
    expect([current.statusCode, current.json()]).toEqual([
      200,
      { '@type': 'lint', warnings: [warning] },
    ])
  })
})

describe('what cannot be read', () => {
  test.each(['{', '{"content": ', 'script: make', '[]', '"text"', '3', 'null'])(
    'as JSON is refused in each generation: %s',
    async (body) => {
      const legacy = await call('POST /lint', json, body)
      expect(legacy.statusCode).toBe(400)
      expect(legacy.headers['content-type']).toBe('application/json')
      const current = await call('POST /lint', { ...v3, ...json }, body)
      expect(current.statusCode).toBe(400)
      const { error } = legacy.json<{ error: string }>()
      expect(error).toMatch(/^Failed to parse body as JSON$|^the body must be a JSON object/)
      expect(legacy.json()).toEqual({ error })
      expect(current.json()).toEqual({
        '@type': 'error',
        error_type: 'wrong_params',
        error_message: error,
      })
    },
  )

  test.each(['', '; boundary=', '; boundary=other', `; boundary=${'b'.repeat(71)}`])(
    'so is a form whose parts cannot be told apart: "%s"',
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

describe('a body that is too large', () => {
  const body = `script: ${'x'.repeat(mostBytes)}`
  const message = 'the body is too large: at most 256 KiB are accepted'

  test('is refused in each generation', async () => {
    for (const method of ['POST', 'PUT']) {
      const legacy = await call(`${method} /lint`, {}, body)
      expect([legacy.statusCode, legacy.json()]).toEqual([413, { error: message }])
    }
    const current = await call('POST /lint', v3, body)
    expect([current.statusCode, current.json()]).toEqual([
      413,
      { '@type': 'error', error_type: 'payload_too_large', error_message: message },
    ])
  })

  test.each(['-\n', '- x\n', '- {}\n', '- - x\n'])(
    'one that just fits is not, however much is in it: %j',
    async (entry) => {
      const many = `env:\n${entry.repeat(mostBytes)}`.slice(0, mostBytes)
      const answer = await call('PUT /lint?advice=true', {}, many)
      expect(answer.statusCode).toBe(200)
    },
  )

  test('one of a single value is not', async () => {
    const answer = await call('PUT /lint', {}, body.slice(0, mostBytes))
    expect(answer.statusCode).toBe(200)
  })
})

describe('who asks', () => {
  test('needs no login', async () => {
    const { token } = await factories(db).user()
    for (const headers of [{}, { authorization: `token ${token}` }]) {
      const answer = await call('POST /lint', headers, file)
      expect(answer.json()).toEqual({ lint: { warnings: [misspelt] } })
    }
  })

  test('but no token may be wrong', async () => {
    const headers = { authorization: 'token wrong' }
    expect((await call('POST /lint', headers, file)).statusCode).toBe(403)
    expect((await call('POST /lint', { ...v3, ...headers }, file)).json()).toMatchObject({
      error_type: 'wrong_credentials',
    })
  })
})

describe('other methods', () => {
  test.each(['GET', 'PATCH', 'DELETE'])('%s is an unknown path in V2.1', async (method) => {
    const answer = await call(`${method} /lint`)
    expect([answer.statusCode, answer.json()]).toEqual([404, { file: 'not found' }])
  })

  test.each(['GET', 'PUT', 'PATCH', 'DELETE'])('%s is a wrong one in V3', async (method) => {
    const answer = await call(`${method} /lint`, v3)
    expect([answer.statusCode, answer.json()]).toEqual([
      405,
      { '@type': 'error', error_type: 'method_not_allowed', error_message: 'method not allowed' },
    ])
  })

  test('HEAD is what GET is, without a body', async () => {
    const [legacy, current] = [await call('HEAD /lint'), await call('HEAD /lint', v3)]
    expect([legacy.statusCode, legacy.body]).toEqual([404, ''])
    expect([current.statusCode, current.body]).toEqual([405, ''])
  })
})
