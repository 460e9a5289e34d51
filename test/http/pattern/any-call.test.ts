import fc from 'fast-check'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Endpoint } from '../../../src/http/core/endpoint.ts'
import { createServer } from '../../../src/http/server.ts'
import { v2Endpoints } from '../../../src/http/v2/endpoints/index.ts'
import { v3Endpoints } from '../../../src/http/v3/endpoints.ts'
import { testContext } from '../../support/context.ts'
import { ownDatabase } from '../../support/database.ts'
import { capturedLog } from '../../support/log.ts'
import { withoutPatterns } from '../../support/routes.ts'
import { makeWorld } from '../v3/world.ts'

const { db } = await ownDatabase()
const written = capturedLog()
const ctx = { ...testContext(db), log: written.log }
const server = await createServer(ctx)

let token = ''
beforeAll(async () => {
  const { people } = await makeWorld(db)
  token = people.admin.token
})
beforeEach(async () => {
  // Some calls revoke tokens, or are limited.
  await db.updateTable('tokens').set({ revoked_at: null }).execute()
  ctx.pass(3600)
})

/** What is in a path, as it is written there. */
const segment = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.constantFrom(
      ...['1', '2', '3', 'main', 'private', 'codehost', 'local', 'octavia', 'hello', 'acme'],
      ...['octavia%2Fhello', 'acme%2Fhidden', 'build_pushes', 'build_emails'],
      '00000000-0000-4000-8000-000000000001',
    ),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      ...['0', '-1', '1.5', '9'.repeat(19), '9'.repeat(400), '9223372036854775808', '%31', '01'],
      ...['%00', 'a%00b', '%00%2F%00', '%', '%zz', '%E0%A4%A', '%ff', '%ED%A0%80', '%2F', '%2F%2F'],
      ...[
        '..',
        '%2e%2e',
        '__proto__',
        'constructor',
        ' ',
        '%20',
        '%0d%0a',
        '*',
        '1,2',
        'a%2Fb%2Fc',
      ],
      ...["'%20or%201=1--", '%F0%9F%98%80', '１', '١', 'null', 'NaN', ''],
    ),
  },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme' }).map(encodeURIComponent) },
)

const odd = fc.oneof(
  fc.constantFrom<unknown>(
    ...['', '0', '1', '-1', 'true', 'false', '\u0000', 'a\u0000b', '\uD800', '9'.repeat(30)],
    ...['1e400', 'x'.repeat(3000), 'a.b', 'repository.owner', 'standard', 'zzz:desc', 'name:desc'],
    ...['2026-13-45', '{', '[]', '__proto__', ',,,', '1,2,3', '1;drop table users', 'script: make'],
    ...[null, true, false, 0, 1, -1, 1.5, 2 ** 31, 2 ** 53, 2 ** 70, [], {}, [[]], [null], [{}]],
  ),
  fc.string({ unit: 'grapheme' }),
  fc.jsonValue(),
)

/** Names under which something can be given: those that are accepted, in all forms, and others. */
function namesFor({ accepts }: Endpoint): string[] {
  const own = Object.keys(accepts).flatMap((name) => {
    const [type = '', key] = name.split('.', 2)
    return key === undefined
      ? [name, `${name}[]`, `${name}[x]`]
      : [name, key, type, `${type}[${key}]`]
  })
  const usual = ['include', 'representation', '@type', 'limit', 'offset', 'sort_by', 'skip_count']
  return [...own, ...usual, 'ids', 'slug', 'repository_id', '__proto__', 'toString', '', '\u0000']
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))

/** A text as a query has it, also where it is none that can be escaped. */
function inQuery(text: string): string {
  try {
    return encodeURIComponent(text)
  } catch {
    return '%ED%A0%80'
  }
}

const queryFor = (endpoint: Endpoint) =>
  fc.oneof(
    { weight: 1, arbitrary: fc.constant('') },
    {
      weight: 3,
      arbitrary: fc
        .array(fc.tuple(fc.constantFrom(...namesFor(endpoint)), odd), { maxLength: 4 })
        .map((pairs) =>
          pairs.map(([name, value]) => `${inQuery(name)}=${inQuery(textOf(value))}`).join('&'),
        ),
    },
    {
      weight: 1,
      arbitrary: fc.constantFrom('%', 'a=%zz', '[=]&]=[', 'a[b][c][d][e][f][g]=1', '='),
    },
  )

const bodyFor = (endpoint: Endpoint) =>
  fc.oneof(
    { weight: 1, arbitrary: fc.constant('') },
    {
      weight: 4,
      arbitrary: fc
        .dictionary(fc.constantFrom(...namesFor(endpoint)), odd, { maxKeys: 5 })
        .map((body) => JSON.stringify(body)),
    },
    {
      weight: 1,
      arbitrary: fc.constantFrom('{', 'null', '[]', '"x"', '1', '\u0000', 'a=1&b[]=%zz'),
    },
    { weight: 1, arbitrary: fc.string({ unit: 'binary' }) },
  )

const bodyType = fc.constantFrom(
  ...['application/json', 'application/json', 'application/x-www-form-urlencoded'],
  ...['multipart/form-data; boundary=x', 'text/plain', 'text/yaml', 'x/'],
)

/** A call of an endpoint with anything at all. */
function callOf(endpoint: Endpoint) {
  const path = fc.constantFrom(...endpoint.paths).chain((pattern) => {
    const parts = withoutPatterns(pattern).split(/:\w+|\*$/)
    const variables = parts.length - 1
    return fc
      .array(segment, { minLength: variables, maxLength: variables })
      .map((values) => parts.map((part, index) => part + (values[index] ?? '')).join(''))
  })
  return fc.record({
    path,
    query: queryFor(endpoint),
    body: bodyFor(endpoint),
    type: bodyType,
    withToken: fc.boolean(),
  })
}

const versions: Readonly<Record<string, Record<string, string>>> = {
  'V2.1': { accept: 'application/vnd.service.2.1+json, */*;q=0.5' },
  V3: { 'service-api-version': '3' },
}

const rows = [
  ...v2Endpoints.map((endpoint) => ({ version: 'V2.1', endpoint })),
  ...v3Endpoints.map((endpoint) => ({ version: 'V3', endpoint })),
].map((row) => ({ ...row, call: `${row.endpoint.method} ${row.endpoint.paths[0]}` }))

describe('random calls do not lead to a bug', () => {
  test.each(rows)('$version: $call', async ({ version, endpoint }) => {
    const { method } = endpoint
    const check = fc.asyncProperty(
      callOf(endpoint),
      async ({ path, query, body, type, withToken }) => {
        const { statusCode } = await server.inject({
          method,
          url: path + (query === '' ? '' : `?${query}`),
          headers: {
            ...versions[version],
            ...(withToken ? { authorization: `token ${token}` } : {}),
            ...(method === 'GET' ? {} : { 'content-type': type }),
          },
          ...(method === 'GET' ? {} : { payload: body }),
        })
        const bug = statusCode < 500 ? undefined : written.lines().at(-1)
        expect([statusCode < 500, bug]).toEqual([true, undefined])
      },
    )
    await fc.assert(check, { numRuns: 20, seed: 14 })
  })
})

test('no bug was recorded for random calls', () => {
  expect(written.lines().filter(({ level }) => Number(level) >= 50)).toEqual([])
})
