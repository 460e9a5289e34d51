import { beforeAll, expect, test } from 'vitest'
import { createServer } from '../../../src/http/server.ts'
import { testContext } from '../../support/context.ts'
import { ownDatabase } from '../../support/database.ts'
import { factories } from '../../support/factories.ts'
import { caller } from '../door.ts'

const { db } = await ownDatabase()
const make = factories(db)
const call = caller(await createServer(testContext(db)))

// 101 builds; those from 61 on were created while the repository was private.
beforeAll(async () => {
  const repository = await make.repository()
  const member = await make.user('member')
  await make.permission(member, repository)
  token = member.token
  for (let number = 1; number <= 101; number += 1) {
    await make.build({ repository, state: 'passed', private: number > 60 })
  }
  await make.request({ repository, result: 'rejected', message: 'skipped by its message' })
})

let token = ''

async function shown(path: string, headers: Record<string, string> = {}) {
  const { statusCode, body } = await call(`GET ${path}`, { accept: 'text/html', ...headers })
  expect(statusCode).toBe(200)
  const numbers = [...body.matchAll(/\/builds\/\d+"[^>]*>#?(\d+)/g)].map(([, number]) => number)
  const links = [...body.matchAll(/<a rel="(\w+)" href="([^"]+)"/g)].map(([, rel, to]) => [rel, to])
  return { numbers, links, body }
}

const numbers = (from: number, to: number) =>
  Array.from({ length: from - to + 1 }, (_, index) => String(from - index))

test('the builds of a repository are shown in pages of 50, newest first', async () => {
  const headers = { authorization: `token ${token}` }
  const first = await shown('/octavia/hello', headers)
  expect(first).toMatchObject({
    numbers: numbers(101, 52),
    links: [['next', '/octavia/hello?page=2']],
  })
  expect(first.body).toContain('Page 1 of 3')
  expect(await shown('/octavia/hello?page=2', headers)).toMatchObject({
    numbers: numbers(51, 2),
    links: [
      ['prev', '/octavia/hello'],
      ['next', '/octavia/hello?page=3'],
    ],
  })
  expect(await shown('/octavia/hello?page=3', headers)).toMatchObject({
    numbers: ['1'],
    links: [['prev', '/octavia/hello?page=2']],
  })
})

test('a page holds as many builds as possible that the viewer can see', async () => {
  expect(await shown('/octavia/hello')).toMatchObject({ numbers: numbers(60, 11) })
  expect(await shown('/octavia/hello?page=2')).toMatchObject({ numbers: numbers(10, 1) })
})

test('requests that were not built are shown on the first page only', async () => {
  expect((await shown('/octavia/hello')).body).toContain('skipped by its message')
  expect((await shown('/octavia/hello?page=2')).body).not.toContain('skipped by its message')
})

test('a page past the end explains it, and leads back to the last page', async () => {
  const past = await shown('/octavia/hello?page=9')
  expect(past).toMatchObject({ numbers: [], links: [['prev', '/octavia/hello?page=2']] })
  expect(past.body).toContain('There are no builds on this page.')
})

test.each(['x', '0', '-3', ''])('the page number %j leads to the first page', async (page) => {
  expect(await shown(`/octavia/hello?page=${page}`)).toMatchObject({ numbers: numbers(60, 11) })
})
