import { describe, expect, test } from 'vitest'
import { noon } from '../../support/context.ts'
import { fakeScene, named } from './scene.ts'

let time = noon
const { host, probot, withToken, makeRepository } = await fakeScene({ now: () => time })
const repository = await makeRepository({ files: { file: 'x' } })
const at = named(repository)
const octavia = withToken(host.userToken('octavia'))
const read = () => octavia.rest.repos.get(at)
const noonInSeconds = noon.getTime() / 1000

test('the next response can be set, once', async () => {
  host.failNext({ kind: 'status', status: 404 })
  await expect(read()).rejects.toMatchObject({
    status: 404,
    response: { data: { message: 'Not Found', status: '404' } },
  })
  expect(await read()).toMatchObject({ status: 200 })
})

test('requests of one kind fail until the failure is lifted', async () => {
  const mend = host.failWhile({ kind: 'status', status: 502 }, /^GET \/repos\/.*\/commits/)
  for (let count = 0; count < 2; count += 1) {
    await expect(octavia.rest.repos.listCommits(at)).rejects.toMatchObject({ status: 502 })
  }
  expect(await read()).toMatchObject({ status: 200 })
  mend()
  expect(await octavia.rest.repos.listCommits(at)).toMatchObject({ status: 200 })
})

test('a code host that is down returns a page', async () => {
  host.failNext({ kind: 'status', status: 503 })
  await expect(read()).rejects.toMatchObject({
    status: 503,
    response: {
      headers: { 'content-type': expect.stringContaining('text/html') },
      data: expect.stringContaining('<h1>503</h1>'),
    },
  })
})

test.each([
  [
    'primary',
    { kind: 'primary_limit', reset: 90 },
    403,
    /API rate limit exceeded/,
    { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(noonInSeconds + 90) },
  ],
  [
    'secondary',
    { kind: 'secondary_limit', retry_after: 7 },
    403,
    /secondary rate limit/,
    { 'retry-after': '7' },
  ],
  [
    'secondary',
    { kind: 'secondary_limit', status: 429 },
    429,
    /secondary rate limit/,
    { 'retry-after': '60' },
  ],
] as const)('the %s limit is reported', async (_, failure, status, message, headers) => {
  host.failNext(failure)
  await expect(read()).rejects.toMatchObject({
    status,
    message: expect.stringMatching(message),
    response: { headers },
  })
})

test('a caller who exceeds the hourly limit waits for the next hour', async () => {
  const grace = withToken(host.userToken('grace'))
  host.limitRate(2)
  const { headers } = await grace.rest.repos.get(at)
  expect(headers).toMatchObject({ 'x-ratelimit-limit': '2', 'x-ratelimit-remaining': '1' })
  await grace.rest.repos.get(at)
  await expect(grace.rest.repos.get(at)).rejects.toMatchObject({
    status: 403,
    response: { headers: { 'x-ratelimit-remaining': '0' } },
  })
  expect(await withToken().rest.repos.get(at)).toMatchObject({ status: 200 })
  time = new Date(noon.getTime() + 60 * 60 * 1000)
  expect(await grace.rest.repos.get(at)).toMatchObject({ status: 200 })
  time = noon
  host.limitRate(5000)
})

describe('the connection', () => {
  test('is refused, and accepted again on the same port', async () => {
    const comeBack = await host.refuseConnections()
    // The first caller may find a connection that is still open.
    await read().catch(() => {})
    await expect(read()).rejects.toMatchObject({ cause: { cause: { code: 'ECONNREFUSED' } } })
    await comeBack()
    expect(await read()).toMatchObject({ status: 200 })
  })

  test('breaks before a response, without an effect', async () => {
    const sha = await host.commit(repository)
    host.failNext({ kind: 'broken' })
    const post = octavia.rest.repos.createCommitStatus({ ...at, sha, state: 'success' })
    await expect(post).rejects.toMatchObject({
      message: expect.stringMatching(/other side closed/),
    })
    expect(host.statuses(repository, sha)).toEqual([])
    expect(host.calls.at(-1)).toMatchObject({
      call: `POST /repos/octavia/${repository.name}/statuses/${sha}`,
      status: 0,
    })
  })

  test('breaks within a response, which Octokit reads as an empty one', async () => {
    host.failNext({ kind: 'truncated' })
    expect(await read()).toMatchObject({ status: 200, data: '' })
    host.failNext({ kind: 'truncated' })
    const answer = await fetch(`${host.url}/repos/octavia/${repository.name}`)
    await expect(answer.text()).rejects.toThrow('terminated')
  })

  test('loses a response, although the request succeeded', async () => {
    const sha = await host.commit(repository)
    host.failNext({ kind: 'done_but_502' })
    const post = octavia.rest.repos.createCommitStatus({ ...at, sha, state: 'success' })
    await expect(post).rejects.toMatchObject({ status: 502 })
    expect(host.statuses(repository, sha)).toHaveLength(1)
  })

  test('stays silent until the caller gives up', async () => {
    host.failNext({ kind: 'silent' })
    const giveUp = new AbortController()
    const read = octavia.request('GET /user', { request: { signal: giveUp.signal } })
    const failure = read.catch((error: unknown) => error)
    await expect.poll(() => host.calls.at(-1)).toMatchObject({ call: 'GET /user' })
    giveUp.abort()
    expect(await failure).toMatchObject({ name: 'AbortError' })
  })

  test('returns the response late', async () => {
    let release = () => {}
    const until = new Promise<void>((resolve) => (release = resolve))
    host.failNext({ kind: 'slow', until })
    let answered = false
    const answer = read().then(() => (answered = true))
    await octavia.rest.users.getAuthenticated()
    expect(answered).toBe(false)
    release()
    expect(await answer).toBe(true)
  })
})

test('calls are recorded with caller, request and response', async () => {
  const sha = await host.commit(repository)
  host.calls.length = 0
  const { name } = repository
  const body = { state: 'success', context: 'ci' } as const
  await octavia.rest.repos.createCommitStatus({ ...at, sha, ...body })
  await withToken().request(`GET /repos/octavia/${name}/commits`, { per_page: 1 })
  await expect(withToken('ghs_wrong').rest.repos.get(at)).rejects.toThrow('Bad credentials')
  expect(host.calls).toMatchObject([
    { call: `POST /repos/octavia/${name}/statuses/${sha}`, as: 'user octavia', body, status: 201 },
    { call: `GET /repos/octavia/${name}/commits?per_page=1`, as: 'nobody', status: 200 },
    { call: `GET /repos/octavia/${name}`, as: 'refused', status: 401 },
  ])
})

test.each([401, 403])(
  'new tokens of installations are rejected with %i for a while',
  async (code) => {
    const { id } = host.tables.installations[0] ?? { id: 0 }
    const app = await probot.auth()
    const { data } = await app.rest.apps.createInstallationAccessToken({ installation_id: id })
    const relent = host.refuseNewTokens(code)
    await expect(withToken(data.token).rest.repos.get(at)).rejects.toMatchObject({ status: code })
    relent()
    expect(await withToken(data.token).rest.repos.get(at)).toMatchObject({ status: 200 })
  },
)

test("pages have no more entries than the code host's own limit", async () => {
  host.limitPages(1)
  await host.commit(repository)
  const { data, headers } = await octavia.rest.repos.listCommits({ ...at, per_page: 100 })
  expect(data).toHaveLength(1)
  expect(headers.link).toMatch(/rel="next"/)
  host.limitPages(100)
})
