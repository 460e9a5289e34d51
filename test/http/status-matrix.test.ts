import { beforeAll, describe, expect, test } from 'vitest'
import { createServer } from '../../src/http/server.ts'
import { testContext } from '../support/context.ts'
import { ownDatabase } from '../support/database.ts'
import { factories } from '../support/factories.ts'
import { caller } from './door.ts'

const { db } = await ownDatabase()
const make = factories(db)
const call = caller(await createServer(testContext(db)))

const tokens: Record<string, string> = {}

// Repository, request, build and job 1 are public, 2 private. With 3 only the repository is public,
// with 4 only what it made. There is no 5.
beforeAll(async () => {
  const member = await make.user('member')
  const other = await make.user('other')
  Object.assign(tokens, { member: member.token, other: other.token })
  const privacies = [
    { made: false, repository: false },
    { made: true, repository: true },
    { made: true, repository: false },
    { made: false, repository: true },
  ]
  for (const [index, hidden] of privacies.entries()) {
    const name = `r${index + 1}`
    const repository = await make.repository({ name, private: hidden.repository })
    const build = await make.build({ repository, private: hidden.made })
    await make.job({ build, private: hidden.made })
    await make.permission(member, repository, 'admin')
  }
  await db.updateTable('requests').set({ private: true }).where('id', 'in', [2, 3]).execute()
  await db.updateTable('requests').set({ private: false }).where('id', 'in', [1, 4]).execute()
})

const headers = (who: string, rest: Record<string, string>) =>
  tokens[who] === undefined ? rest : { ...rest, authorization: `token ${tokens[who]}` }

const status = async (path: string, who: string, rest: Record<string, string>) =>
  (await call(`GET ${path}`, headers(who, rest))).statusCode

const single = ['/repos/{id}', '/requests?repository_id={id}']
const made = [
  '/builds/{id}',
  '/jobs/{id}',
  '/jobs/{id}/log',
  '/jobs/{id}/log.txt',
  '/requests/{id}',
]

const accept = (version: string) => `application/vnd.service.${version}+json, */*`

/** What each kind of caller gets: in V2.1, and where V2 differs. */
function rows(id: number, [member, other, nobody]: [number, number, number]) {
  return [
    { id, who: 'member', v21: member, v2: member },
    { id, who: 'other', v21: other, v2: other },
    // V2 tells nobody in particular to log in first.
    { id, who: 'nobody', v21: nobody, v2: nobody === 404 ? 401 : nobody },
  ]
}

const visible: [number, number, number] = [200, 200, 200]
const hidden: [number, number, number] = [200, 404, 404]
const absent: [number, number, number] = [404, 404, 404]

describe.each(single)('GET %s', (template) => {
  test.each([...rows(1, visible), ...rows(2, hidden), ...rows(3, visible), ...rows(4, hidden)])(
    'of $id is $v21 to $who',
    async ({ id, who, v21, v2 }) => {
      const path = template.replace('{id}', String(id))
      expect(await status(path, who, { accept: accept('2.1') })).toBe(v21)
      expect(await status(path, who, { accept: accept('2') })).toBe(v2)
    },
  )

  test.each(rows(5, absent))('of what is not there is $v21 to $who', async ({ who, v21, v2 }) => {
    const path = template.replace('{id}', '5')
    expect(await status(path, who, { accept: accept('2.1') })).toBe(v21)
    expect(await status(path, who, { accept: accept('2') })).toBe(v2)
  })
})

describe.each(made)('GET %s', (template) => {
  test.each([
    ...rows(1, visible),
    ...rows(2, hidden),
    // Only while both it and its repository are public (D24).
    ...rows(3, hidden),
    ...rows(4, hidden),
    ...rows(5, absent),
  ])('of $id is $v21 to $who', async ({ id, who, v21, v2 }) => {
    const path = template.replace('{id}', String(id))
    expect(await status(path, who, { accept: accept('2.1') })).toBe(v21)
    expect(await status(path, who, { accept: accept('2') })).toBe(v2)
  })
})

describe('GET /repo/{id} in V3', () => {
  test.each([...rows(1, visible), ...rows(2, hidden), ...rows(3, visible), ...rows(4, hidden)])(
    'of $id is $v21 to $who',
    async ({ id, who, v21 }) => {
      expect(await status(`/repo/${id}`, who, { 'service-api-version': '3' })).toBe(v21)
    },
  )
})

describe('a page', () => {
  const page = { accept: 'text/html' }

  test.each([...rows(1, visible), ...rows(2, hidden), ...rows(3, visible), ...rows(4, hidden)])(
    'of repository $id is $v21 to $who',
    async ({ id, who, v21 }) => {
      expect(await status(`/octavia/r${id}`, who, page)).toBe(v21)
    },
  )

  test.each([...rows(1, visible), ...rows(2, hidden), ...rows(3, hidden), ...rows(4, hidden)])(
    'of build and job $id is $v21 to $who',
    async ({ id, who, v21 }) => {
      expect(await status(`/octavia/r${id}/builds/${id}`, who, page)).toBe(v21)
      expect(await status(`/octavia/r${id}/jobs/${id}`, who, page)).toBe(v21)
    },
  )
})

describe('what is hidden looks exactly like what is not there', () => {
  test.each([
    ...made.map((path) => [path, {}] as const),
    ...single.map((path) => [path, {}] as const),
    ...['/repo/{id}', '/repo/codehost/{id}'].map(
      (path) => [path, { 'service-api-version': '3' }] as const,
    ),
  ])('GET %s %j', async (template, rest) => {
    const answers = await Promise.all(
      [2, 5].map(async (id) => {
        const path = template.replace('{id}', String(id))
        const { statusCode, headers, body } = await call(`GET ${path}`, rest)
        const { date: _date, 'content-length': _length, ...others } = headers
        return { statusCode, others, body: body.replaceAll(String(id), '#') }
      }),
    )
    expect(answers[0]).toEqual(answers[1])
  })
})

test('V2 says to nobody that a login lacks, in plain text', async () => {
  const answer = await call('GET /builds/2', { accept: accept('2') })
  expect([answer.statusCode, answer.body]).toEqual([401, 'no access token supplied'])
  expect(answer.headers['content-type']).toBe('text/plain;charset=utf-8')
})

test('V2 does not say so of paths that are unknown', async () => {
  const answer = await call('GET /nowhere', { accept: accept('2') })
  expect([answer.statusCode, answer.json()]).toEqual([404, { file: 'not found' }])
})
