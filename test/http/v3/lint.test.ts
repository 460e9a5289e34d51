import { describe, expect, test } from 'vitest'
import { createServer } from '../../../src/http/server.ts'
import { testContext } from '../../support/context.ts'
import { testDatabase } from '../../support/database.ts'
import { caller } from '../door.ts'
import {
  about,
  advice,
  advised,
  file,
  json,
  keysOf,
  misspelt,
  noObjects,
  noYaml,
  syntaxError,
  tooLarge,
  tooLargeMessage,
  ways,
} from '../lint-calls.ts'

const db = await testDatabase()
const call = caller(await createServer(testContext(db)))

async function lint(path: string, headers: Record<string, string>, sent?: string) {
  const answer = await call(`POST ${path}`, { 'service-api-version': '3', ...headers }, sent)
  expect(answer.headers['content-type']).toBe('application/json')
  return [answer.statusCode, answer.json<unknown>()] as const
}

const warning = (...warnings: object[]) => [200, { '@type': 'lint', warnings }]

const error = (error_type: string, error_message: unknown) => ({
  '@type': 'error',
  error_type,
  error_message,
})

test.each(ways)('a build file %s is checked', async (_how, path, headers, body) => {
  expect(await lint(path, headers, body)).toEqual(warning(misspelt))
})

test.each(keysOf)('findings have the path of their keys: %s', async (_what, content, keys) => {
  expect(await lint('/lint', json, about(content))).toEqual(
    warning(...keys.map((key) => expect.objectContaining({ key }) as object)),
  )
})

test('findings are the same as in V2.1', async () => {
  for (const [, content] of keysOf) {
    const legacy = await call('POST /lint', json, about(content))
    const { lint: said } = legacy.json<{ lint: { warnings: object[] } }>()
    expect(await lint('/lint', json, about(content))).toEqual(warning(...said.warnings))
  }
})

test.each(advised)('advice is returned if it is requested: %s %j', async (path, headers, body) => {
  expect(await lint(path, headers, body)).toMatchObject(warning(advice))
})

test.each(noYaml)(
  '%j is invalid YAML, which is reported as one warning with a position',
  async (content, ...at) => {
    expect(await lint('/lint', {}, content)).toEqual(warning(syntaxError(...at)))
  },
)

describe('the linter refuses', () => {
  test.each(noObjects)('a body that is not a JSON object: %s', async (body) => {
    expect(await lint('/lint', json, body)).toEqual([
      400,
      error(
        'wrong_params',
        expect.stringMatching(/^Failed to parse body as JSON$|^the body must be a JSON object/),
      ),
    ])
  })

  test('a body that is too large', async () => {
    expect(await lint('/lint', {}, tooLarge)).toEqual([
      413,
      error('payload_too_large', tooLargeMessage),
    ])
  })

  test('a wrong token', async () => {
    expect(await lint('/lint', { authorization: 'token wrong' }, file)).toEqual([
      403,
      error('wrong_credentials', 'access denied'),
    ])
  })

  test.each(['GET', 'PUT', 'PATCH', 'DELETE'])('the method %s', async (method) => {
    const answer = await call(`${method} /lint`, { 'service-api-version': '3' })
    expect([answer.statusCode, answer.json()]).toEqual([
      405,
      error('method_not_allowed', 'method not allowed'),
    ])
  })

  test('HEAD, like GET, but without a body', async () => {
    const answer = await call('HEAD /lint', { 'service-api-version': '3' })
    expect([answer.statusCode, answer.body]).toEqual([405, ''])
  })
})
