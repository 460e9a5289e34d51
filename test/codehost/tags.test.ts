import { execFileSync } from 'node:child_process'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { graphqlUrl } from '../../src/codehost/app/graphql.ts'
import { startCodehost } from '../support/codehost/codehost.ts'
import type { Repository } from '../support/codehost/tables.ts'
import { appCodehost } from './app/app-codehost.ts'
import { git } from './local/git-folder.ts'

let ahead = 0
const host = await startCodehost()
afterAll(() => host.stop())
const codehost = appCodehost(host, () => new Date(Date.now() + ahead))
let count = 0

const makeRepository = () =>
  host.addRepository({ name: `hello-${(count += 1)}`, files: { readme: 'Hello' } })

function tagsOf(repository: Repository) {
  const { past } = codehost
  if (!past) throw new Error('the app has a past')
  return past.tags(host.refTo(repository))
}

/**
 * A repository that is read with an older token, at a time when no rate limit of another test
 * applies.
 */
async function readBefore(): Promise<Repository> {
  ahead += 5 * 60 * 1000
  const repository = await makeRepository()
  await tagsOf(repository)
  ahead += 5 * 60 * 1000
  return repository
}

const calls = () => host.calls.filter(({ call }) => call === 'POST /graphql')

test('the newest tags come first, each with its object, commit and time', async () => {
  const repository = await makeRepository()
  const at = (time: string) => ({ committed_at: new Date(time) })
  const first = await host.commit(repository, at('2026-01-03T12:00:00Z'))
  const second = await host.commit(repository, at('2026-01-04T12:00:00Z'))
  await host.pushRef(repository, 'refs/tags/v1', { sha: first })
  await host.pushRef(repository, 'refs/tags/v2', { sha: second })
  // It is made at noon of the second of January.
  await host.pushRef(repository, 'refs/tags/noted', { sha: second, message: 'As of now' })
  const tree = await git(repository.folder, 'rev-parse', `${first}^{tree}`)
  await host.pushRef(repository, 'refs/tags/tree', { sha: tree })
  const noted = await git(repository.folder, 'rev-parse', 'refs/tags/noted')
  expect(noted).not.toBe(second)
  expect(await tagsOf(repository)).toEqual({
    tags: [
      { name: 'v2', sha: second, commit: second, created_at: new Date('2026-01-04T12:00:00Z') },
      { name: 'v1', sha: first, commit: first, created_at: new Date('2026-01-03T12:00:00Z') },
      { name: 'noted', sha: noted, commit: second, created_at: new Date('2026-01-02T12:00:00Z') },
      { name: 'tree', sha: tree, commit: null, created_at: null },
    ],
    more: false,
  })
})

test('one request reads the newest hundred of thousands of tags', async () => {
  const repository = await makeRepository()
  const sha = await git(repository.folder, 'rev-parse', 'main')
  const lines = Array.from({ length: 2000 }, (_, index) => `create refs/tags/t${index} ${sha}\n`)
  execFileSync('git', ['update-ref', '--stdin'], { cwd: repository.folder, input: lines.join('') })
  const newest = await host.commit(repository, { committed_at: new Date('2026-02-01T12:00:00Z') })
  await host.pushRef(repository, 'refs/tags/newest', { sha: newest })
  const before = calls().length
  const { tags, more } = await tagsOf(repository)
  expect([tags.length, more, tags[0]?.name]).toEqual([100, true, 'newest'])
  expect(calls().length).toBe(before + 1)
})

test('a repository without tags or commits has none', async () => {
  expect(await tagsOf(await host.addRepository({ name: 'empty' }))).toEqual({
    tags: [],
    more: false,
  })
})

describe('a query that fails', () => {
  test.each([
    ['NOT_FOUND', 'missing'],
    ['RATE_LIMITED', 'limited'],
    ['SERVICE_UNAVAILABLE', 'away'],
    [undefined, 'away'],
  ])('because of %s is reported as %s', async (type, kind) => {
    const repository = await readBefore()
    const failure = { kind: 'graphql', message: 'No', ...(type ? { type } : {}) } as const
    onTestFinished(host.failWhile(failure, /\/graphql$/))
    await expect(tagsOf(repository)).rejects.toMatchObject({
      kind,
      message: expect.stringContaining('POST /graphql'),
    })
  })

  test('for a missing permission is refused, even with a new token', async () => {
    const repository = await readBefore()
    const failure = { kind: 'graphql', type: 'FORBIDDEN', message: 'No' } as const
    onTestFinished(host.failWhile(failure, /\/graphql$/))
    await expect(tagsOf(repository)).rejects.toMatchObject({ kind: 'away' })
    ahead += 2 * 60 * 1000
    await expect(tagsOf(repository)).rejects.toMatchObject({ kind: 'refused' })
  })

  test('once is retried, because it changes nothing', async () => {
    const repository = await readBefore()
    host.failNext({ kind: 'status', status: 502 }, /\/graphql$/)
    expect(await tagsOf(repository)).toEqual({ tags: [], more: false })
  })

  test('for its rate limit stops no other requests, which are counted separately', async () => {
    const repository = await readBefore()
    host.failNext({ kind: 'graphql', type: 'RATE_LIMITED', message: 'limit' }, /\/graphql$/)
    await expect(tagsOf(repository)).rejects.toMatchObject({ kind: 'limited', retryAfter: 60 })
    const before = calls().length
    await expect(tagsOf(repository)).rejects.toMatchObject({ kind: 'limited' })
    expect(calls().length).toBe(before)
    const ref = host.refTo(repository)
    expect(await codehost.past?.heads(ref)).toMatchObject({ main: expect.any(String) })
  })

  test('is refused if the name now belongs to another repository', async () => {
    const repository = await readBefore()
    const ref = host.refTo(repository)
    const other = await makeRepository()
    await expect(codehost.past?.tags({ ...ref, codehost_id: other.id })).rejects.toMatchObject({
      kind: 'missing',
    })
  })
})

test.each([
  ['https://api.github.com', 'https://api.github.com/graphql'],
  ['https://git.example.org/api/v3', 'https://git.example.org/api/graphql'],
])('the GraphQL address at %s is %s', (apiUrl, expected) => {
  expect(graphqlUrl(apiUrl)).toBe(expected)
})
