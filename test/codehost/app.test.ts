import { generateKeyPairSync } from 'node:crypto'
import { inspect } from 'node:util'
import { afterAll, afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { Annotation, CheckRun, RepositoryRef } from '../../src/codehost/codehost.ts'
import type { CommitStatus } from '../../src/domain/commit/status.ts'
import { type FakeCodehost, startCodehost } from '../support/codehost/codehost.ts'
import { deviations } from '../support/codehost/description.ts'
import { appCodehost } from './app/app-codehost.ts'
import { testCodehost } from './contract.ts'

// How far our clock is ahead. The code host's clock is not changed: signatures carry the real time.
let ahead = 0
const now = () => new Date(Date.now() + ahead)
const host = await startCodehost()
afterAll(() => host.stop())
/** The differences between the calls and responses of all tests and the published description. */
const deviating: string[] = []
afterEach(() => {
  ahead = 0
  deviating.push(...deviations(host))
  host.calls.length = 0
})

const codehost = appCodehost(host, now)
let count = 0

async function makeRepository(given: Parameters<FakeCodehost['addRepository']>[0] = {}) {
  return host.refTo(await host.addRepository({ name: `hello-${(count += 1)}`, ...given }))
}

function known({ codehost_id }: RepositoryRef) {
  const found = host.tables.repositories.find(({ id }) => id === codehost_id)
  if (!found) throw new Error('there is no such repository')
  return found
}

function pullOf(repository: RepositoryRef, number: number) {
  const found = host.tables.pulls.find(
    (each) => each.repository.id === repository.codehost_id && each.number === number,
  )
  if (!found) throw new Error('there is no such pull request')
  return found
}

const { installation } = await makeRepository()

testCodehost({
  codehost,
  login: 'octavia',
  makeRepository,
  missingRepository: () => ({
    codehost_id: 4711,
    slug: 'octavia/missing',
    private: false,
    installation,
  }),
  commit: (repository, given) => host.commit(known(repository), given),
  openPull: async (repository, pull) => (await host.openPull(known(repository), pull)).number,
  closePull: (repository, number) => host.closePull(pullOf(repository, number)),
})

/** The calls since the test began, except calls for tokens, without the ids of repositories. */
function calls(wanted = /^(?!POST .*access_tokens)/): string[] {
  return host.calls
    .map(({ call }) => call.replace(/^(\w+) \/repositories\/\d+/, '$1 …'))
    .filter((call) => wanted.test(call))
}

const tokenCalls = () => host.calls.filter(({ call }) => call.endsWith('/access_tokens'))
const missingSha = 'f'.repeat(40)
const run: CheckRun = {
  name: 'service/config',
  head_sha: 'f'.repeat(40),
  external_id: '1',
  conclusion: 'neutral',
  details_url: 'https://ci.example.org/builds/1',
  title: 'Findings',
  summary: 'Some',
  annotations: [],
}

const status: CommitStatus = {
  state: 'pending',
  context: 'continuous-integration/service/push',
  description: 'Build queued',
  target_url: 'https://ci.example.org/builds/1',
}

describe('a file', () => {
  test('of more than a megabyte is read as a blob', async () => {
    const repository = await makeRepository()
    const large = Buffer.alloc(1_200_000, 'a line\n')
    const sha = await host.commit(known(repository), { files: { large } })
    expect(await codehost.file(repository, 'large', sha)).toEqual(large)
  })

  test.each(['/file', './file', 'a/../file', '../../../app', 'file/', '', 'fi\0le', 'a//b'])(
    'is undefined at %j, without a request',
    async (path) => {
      const repository = await makeRepository({ files: { file: 'x' } })
      expect(await codehost.file(repository, path, missingSha)).toBeUndefined()
      expect(host.calls).toEqual([])
    },
  )

  test('is read from a renamed repository', async () => {
    const repository = await makeRepository()
    const sha = await host.commit(known(repository), { files: { file: 'x' } })
    known(repository).name = 'renamed'
    expect(await codehost.file(repository, 'file', sha)).toEqual(Buffer.from('x'))
    expect(calls()).toEqual([`GET …/contents/file?ref=${sha}`])
  })
})

describe('a token', () => {
  test('is limited to one repository, and requested once', async () => {
    const repository = await makeRepository({ files: { file: 'x' } })
    await Promise.all(['main', 'main', 'other'].map((name) => codehost.commit(repository, name)))
    await codehost.statuses(repository, missingSha).catch(() => {})
    expect(tokenCalls().map(({ body }) => body)).toEqual([
      { repository_ids: [repository.codehost_id] },
    ])
  })

  test('for a clone can only read', async () => {
    const repository = await makeRepository()
    expect(await codehost.cloneSource(repository, { withToken: true })).toEqual({
      kind: 'url',
      url: `${host.url}/${repository.slug}.git`,
      token: expect.stringMatching(/^ghs_/),
    })
    expect(tokenCalls().map(({ body }) => body)).toEqual([
      { repository_ids: [repository.codehost_id], permissions: { contents: 'read' } },
    ])
  })

  test('for a clone is valid for at least ten minutes', async () => {
    const repository = await makeRepository()
    const first = await codehost.cloneSource(repository, { withToken: true })
    ahead = 49 * 60_000
    expect(await codehost.cloneSource(repository, { withToken: true })).toEqual(first)
    ahead = 51 * 60_000
    expect(await codehost.cloneSource(repository, { withToken: true })).not.toEqual(first)
    expect(tokenCalls()).toHaveLength(2)
  })

  test('that was revoked is requested again', async () => {
    const repository = await makeRepository()
    const sha = await host.commit(known(repository))
    await codehost.postStatus(repository, sha, status)
    host.revokeTokens()
    ahead = 60_000
    await codehost.postStatus(repository, sha, { ...status, state: 'success' })
    expect(host.statuses(known(repository), sha).map(({ state }) => state)).toEqual([
      'success',
      'pending',
    ])
    expect(tokenCalls()).toHaveLength(2)
  })
})

describe('statuses', () => {
  test('are read in parallel', async () => {
    const repository = await makeRepository()
    const sha = await host.commit(known(repository))
    await codehost.statuses(repository, sha)
    let release = () => {}
    const held = new Promise<void>((resolve) => (release = resolve))
    const stop = host.failWhile({ kind: 'slow', until: held }, /^POST .*\/statuses\//)

    const posted = Promise.all(
      [1, 2, 3, 4, 5].map((number) =>
        codehost.postStatus(repository, sha, { ...status, context: `context ${number}` }),
      ),
    )
    // If they were paced or serialized, the second one would be sent only after the first response.
    await vi.waitFor(() => expect(calls(/^POST …/)).toHaveLength(5))
    stop()
    release()
    await posted
    expect(host.statuses(known(repository), sha)).toHaveLength(5)
  })

  test('are read to the last page', async () => {
    const repository = await makeRepository()
    const sha = await host.commit(known(repository))
    for (let number = 1; number <= 101; number += 1) {
      await codehost.postStatus(repository, sha, { ...status, description: `number ${number}` })
    }
    const texts = (await codehost.statuses(repository, sha)).map(({ description }) => description)
    expect(texts).toHaveLength(101)
    expect([texts[0], texts[100]]).toEqual(['number 101', 'number 1'])
  })

  test('are read to the last page, however small the pages are', async () => {
    const repository = await makeRepository()
    const sha = await host.commit(known(repository))
    for (const number of [1, 2, 3]) {
      await codehost.postStatus(repository, sha, { ...status, description: `number ${number}` })
    }
    host.limitPages(1)
    onTestFinished(() => host.limitPages(100))
    expect(await codehost.statuses(repository, sha)).toHaveLength(3)
  })
})

describe('a check run', () => {
  async function makeRun(changes: Partial<CheckRun> = {}) {
    const repository = await makeRepository()
    const head_sha = await host.commit(known(repository))
    return { repository, run: { ...run, head_sha, ...changes } }
  }

  function note(line: number): Annotation {
    return {
      path: '.service.yml',
      start_line: line,
      end_line: line,
      level: 'warning',
      title: 'unknown_key',
      message: `number ${line}`,
    }
  }

  test('can have more annotations than one request accepts', async () => {
    const annotations = Array.from({ length: 120 }, (_, index) => note(index + 1))
    const { repository, run } = await makeRun({ annotations })
    await codehost.putCheckRun(repository, run)
    expect(await codehost.checkRuns(repository, run.head_sha)).toEqual([run])
  })

  test('has columns only where the code host accepts them', async () => {
    const columns = { start_column: 1, end_column: 2 }
    const annotations = [
      { ...note(1), ...columns },
      { ...note(1), ...columns, end_line: 3 },
    ]
    const { repository, run } = await makeRun({ annotations })
    await codehost.putCheckRun(repository, run)
    const [made] = await codehost.checkRuns(repository, run.head_sha)
    expect(made?.annotations).toEqual([annotations[0], { ...note(1), end_line: 3 }])
  })

  test.each([
    ['in bytes, with two bytes per character', 'ж'.repeat(70_000), 32_767],
    ['in bytes, with three bytes per character', '€'.repeat(70_000), 21_845],
    ['between characters', `x${'🙂'.repeat(70_000)}`, 1 + 2 * 16_383],
    ['where every character is one byte', 'x'.repeat(70_000), 65_535],
  ])('has its texts cut %s', async (_how, long, length) => {
    const given = { title: long, summary: long, text: long }
    const { repository, run } = await makeRun({
      ...given,
      annotations: [{ ...note(1), title: long, message: long }],
    })
    await codehost.putCheckRun(repository, run)
    const [made] = await codehost.checkRuns(repository, run.head_sha)
    const cut = long.slice(0, length)
    expect(made).toMatchObject({ summary: cut, text: cut, annotations: [{ message: cut }] })
    expect(made?.title).toSatisfy(isCutTo255)
    expect(made?.annotations[0]?.title).toBe(made?.title)

    // If it is unchanged, it is not posted again.
    host.calls.length = 0
    await codehost.putCheckRun(repository, run)
    expect(calls(/^(POST|PATCH) …/)).toEqual([])
  })

  const isCutTo255 = (title: string) => title.endsWith('…') && [254, 255].includes(title.length)

  test('that is rejected as invalid is posted once more, without text and annotations', async () => {
    const { repository, run } = await makeRun({ text: 'the end', annotations: [note(1)] })
    host.failNext({ kind: 'status', status: 422 }, /^POST .*\/check-runs$/)
    await codehost.putCheckRun(repository, run)
    const { text: _text, ...rest } = run
    const summary = `${run.summary}\n\nThe code host rejected the text and annotations of this check.`
    expect(await codehost.checkRuns(repository, run.head_sha)).toEqual([
      { ...rest, summary, annotations: [] },
    ])
  })

  test('whose later batch is rejected as invalid stays without annotations until it is requested again', async () => {
    const notes = Array.from({ length: 60 }, (_, at) => note(at + 1))
    const { repository, run } = await makeRun({ annotations: notes })
    host.failNext({ kind: 'status', status: 422 }, /^PATCH .*\/check-runs\//)
    await codehost.putCheckRun(repository, run)
    host.calls.length = 0
    await codehost.putCheckRun(repository, run)
    expect(calls(/^(POST|PATCH) …/)).toEqual([])
    const [shown] = await codehost.checkRuns(repository, run.head_sha)
    expect(shown).toMatchObject({ title: run.title, annotations: [] })

    await codehost.putCheckRun(repository, run, true)
    const [asked] = await codehost.checkRuns(repository, run.head_sha)
    expect(asked?.annotations).toHaveLength(60)
  })

  test('that is rejected as invalid twice is an error', async () => {
    const { repository, run } = await makeRun({ annotations: [note(1)] })
    onTestFinished(host.failWhile({ kind: 'status', status: 422 }, /^POST .*\/check-runs$/))
    await expect(codehost.putCheckRun(repository, run)).rejects.toMatchObject({ kind: 'invalid' })
    expect(calls(/^(POST|PATCH) …/)).toEqual(['POST …/check-runs', 'POST …/check-runs'])
  })

  test('has the times that it is given, which alone do not cause another one', async () => {
    const times = { started_at: '2026-01-02T11:58:30Z', completed_at: '2026-01-02T12:00:00Z' }
    const { repository, run } = await makeRun({ ...times, conclusion: 'success', annotations: [] })
    await codehost.putCheckRun(repository, run)
    expect(host.checkRuns(known(repository), run.head_sha)).toMatchObject([
      { started_at: new Date(times.started_at), completed_at: new Date(times.completed_at) },
    ])
    await codehost.putCheckRun(repository, { ...run, completed_at: '2026-01-02T12:00:01Z' })
    expect(calls(/^(POST|PATCH) …/)).toEqual(['POST …/check-runs'])
  })

  test('that is unchanged is not created again', async () => {
    const { repository, run } = await makeRun({ annotations: [note(1)] })
    await codehost.putCheckRun(repository, run)
    await codehost.putCheckRun(repository, run)
    expect(host.checkRuns(known(repository), run.head_sha)).toHaveLength(1)
    expect(calls(/^(POST|PATCH) …/)).toEqual(['POST …/check-runs'])
  })
})

describe('a pull request', () => {
  async function opened() {
    const repository = await makeRepository()
    const base = await host.commit(known(repository), { files: { a: 'a' } })
    const head = await host.commit(known(repository), { branch: 'greet', files: { b: 'b' } })
    const pull = await host.openPull(known(repository), { head: 'greet' })
    onTestFinished(() => {
      host.delayMerges(0)
      host.setPullQuirks({})
    })
    return { repository, base, head, number: pull.number }
  }

  test.each(['unknown', 'clean', 'blocked', 'dirty'])(
    'that is %s is unsettled until its mergeability is known',
    async (unsettledState) => {
      const { repository, number } = await opened()
      host.delayMerges(1)
      host.setPullQuirks({ unsettledState })
      expect(await codehost.pull(repository, number)).toMatchObject({
        mergeable: null,
        mergeable_state: unsettledState,
        merge_commit_sha: null,
      })
      expect(await codehost.pull(repository, number)).toMatchObject({ mergeable: true })
    },
  )

  test('has the merge commit of its ref if the field is missing', async () => {
    const { repository, base, head, number } = await opened()
    const { merge_commit_sha: named } = (await codehost.pull(repository, number)) ?? {}
    host.setPullQuirks({ withoutMergeCommit: true })
    const { merge_commit_sha } = (await codehost.pull(repository, number)) ?? {}
    expect(merge_commit_sha).toBe(named)
    expect(await codehost.commit(repository, merge_commit_sha ?? '')).toMatchObject({
      parents: [base, head],
    })
    // The described API version has the field.
    host.calls.length = 0
  })
})

test('every request names the API version it is written for', async () => {
  const repository = await makeRepository({ files: { file: 'x' } })
  await codehost.commit(repository, 'main')
  await codehost.installations.all()
  const versions = host.calls.map(({ headers }) => headers['x-github-api-version'])
  expect(versions.length).toBeGreaterThan(2)
  expect(new Set(versions)).toEqual(new Set(['2022-11-28']))
})

describe('a code host that does not support repository ids', () => {
  test('is queried by repository names', async () => {
    const repository = await makeRepository()
    const sha = await host.commit(known(repository), { files: { file: 'x' } })
    onTestFinished(host.failWhile({ kind: 'status', status: 404 }, /^\w+ \/repositories\//))
    expect(await codehost.file(repository, 'file', sha)).toEqual(Buffer.from('x'))
    await codehost.postStatus(repository, sha, status)
    expect(await codehost.statuses(repository, sha)).toEqual([status])
    expect(calls(/^(GET|POST) \/repos\/[^/]+\/[^/]+\//)).toEqual([
      `GET /repos/${repository.slug}/contents/file?ref=${sha}`,
      `POST /repos/${repository.slug}/statuses/${sha}`,
      `GET /repos/${repository.slug}/commits/${sha}/statuses?per_page=100`,
    ])
    expect(host.calls.at(-3)?.body).not.toHaveProperty('id')
  })

  test('is not queried by a name that another repository now has', async () => {
    const renamed = await makeRepository()
    const other = await makeRepository()
    const sha = await host.commit(known(other), { files: { file: 'x' } })
    onTestFinished(host.failWhile({ kind: 'status', status: 404 }, /^\w+ \/repositories\//))
    expect(await codehost.file({ ...renamed, slug: other.slug }, 'file', sha)).toBeUndefined()
    expect(await codehost.file(other, 'file', sha)).toEqual(Buffer.from('x'))
  })

  test('reports a record missing under the name of its repository as missing', async () => {
    const repository = await makeRepository()
    const sha = await host.commit(known(repository), { files: { file: 'x' } })
    expect(await codehost.file(repository, 'absent', sha)).toBeUndefined()
  })
})

describe('failures:', () => {
  async function asked() {
    const repository = await makeRepository()
    const sha = await host.commit(known(repository), { files: { file: 'x' } })
    const codehost = appCodehost(host, now)
    await codehost.statuses(repository, sha)
    host.calls.length = 0
    return {
      read: () => codehost.file(repository, 'file', sha),
      write: () => codehost.postStatus(repository, sha, status),
      repository,
      sha,
    }
  }

  test('a read is retried a few times immediately', async () => {
    const { read } = await asked()
    host.failNext({ kind: 'status', status: 502 })
    host.failNext({ kind: 'broken' })
    host.failNext({ kind: 'truncated' })
    expect(await read()).toEqual(Buffer.from('x'))
    expect(calls()).toHaveLength(4)
  })

  test.each(['postStatus', 'putCheckRun'] as const)(
    'a commit unknown to the code host is reported as missing, so that %s is retried',
    async (call) => {
      const { repository } = await asked()
      const unknown = 'f'.repeat(40)
      const codehost = appCodehost(host, now)
      const report = {
        postStatus: () => codehost.postStatus(repository, unknown, status),
        putCheckRun: () => codehost.putCheckRun(repository, { ...run, head_sha: unknown }),
      }
      await expect(report[call]()).rejects.toMatchObject({
        kind: 'missing',
        message: expect.stringMatching(/responded with 422, "No commit found/),
      })
    },
  )

  test('a write is never retried immediately, because it might have succeeded', async () => {
    const { write } = await asked()
    host.failNext({ kind: 'done_but_502' })
    await expect(write()).rejects.toMatchObject({ kind: 'away', temporary: true })
    expect(calls()).toHaveLength(1)
  })

  test.each([
    [{ kind: 'status', status: 503 }, 'away', /responded with 503/],
    [{ kind: 'broken' }, 'away', /cannot be reached/],
    [{ kind: 'status', status: 403 }, 'refused', /responded with 403, "Resource not accessible by/],
    [{ kind: 'status', status: 451 }, 'refused', /responded with 451/],
    [{ kind: 'status', status: 404 }, 'missing', /responded with 404/],
    [{ kind: 'status', status: 422 }, 'invalid', /responded with 422/],
  ] as const)('%j for a write is reported as %s', async (failure, kind, message) => {
    const { write } = await asked()
    ahead = 60_000
    onTestFinished(host.failWhile(failure, /^POST .*\/statuses\//))
    await expect(write()).rejects.toMatchObject({
      kind,
      temporary: kind === 'away',
      retryAfter: null,
      message: expect.stringMatching(message),
    })
  })

  test.each([401, 403])('%i for a new token is temporary', async (code) => {
    const { write } = await asked()
    const relent = host.refuseNewTokens(code)
    for (const age of [1, 30_000, 59_000]) {
      ahead = age
      await expect(write()).rejects.toMatchObject({
        kind: 'away',
        message: expect.stringMatching(/although it has just issued the token/),
      })
    }
    relent()
    await write()
    expect(tokenCalls()).toHaveLength(0)
  })

  test('403 for an old token is not final for a read, which is retried with a new token', async () => {
    const { read } = await asked()
    ahead = 60_000
    host.failNext({ kind: 'status', status: 403 })
    expect(await read()).toEqual(Buffer.from('x'))
    expect(tokenCalls()).toHaveLength(1)
  })

  test('a revoked token used by many concurrent requests is replaced for all of them', async () => {
    const repository = await makeRepository()
    const sha = await host.commit(known(repository), { files: { file: 'x' } })
    const codehost = appCodehost(host, now)
    const read = () => codehost.file(repository, 'file', sha)
    await read()
    ahead = 60_000
    host.revokeTokens()
    const all = await Promise.all([read(), read(), read(), read()])
    expect(all).toEqual(all.map(() => Buffer.from('x')))
  })

  test('403 for the new token is final as well once that token is old', async () => {
    const { read } = await asked()
    ahead = 60_000
    onTestFinished(host.failWhile({ kind: 'status', status: 403 }, /^GET /))
    await expect(read()).rejects.toMatchObject({ kind: 'away' })
    ahead = 121_000
    await expect(read()).rejects.toMatchObject({ kind: 'refused', temporary: false })
    expect(tokenCalls()).toHaveLength(1)
  })

  test('403 for an old token is final for a write, and the next request uses a new token', async () => {
    const { write } = await asked()
    ahead = 60_000
    host.failNext({ kind: 'status', status: 403 })
    await expect(write()).rejects.toMatchObject({ kind: 'refused', temporary: false })
    await write()
    expect(tokenCalls()).toHaveLength(1)
  })

  test.each([
    [{ kind: 'primary_limit', reset: 90 }, 90],
    [{ kind: 'secondary_limit', retry_after: 30 }, 30],
    [{ kind: 'secondary_limit', status: 429, retry_after: 30 }, 30],
  ] as const)('no request is made for a while after %j', async (failure, seconds) => {
    const { read, write } = await asked()
    host.failNext(failure)
    const limited = { kind: 'limited', temporary: true }
    const about = (count: number): unknown => expect.closeTo(count, -1)
    await expect(write()).rejects.toMatchObject({ ...limited, retryAfter: about(seconds) })
    ahead = 10_000
    await expect(read()).rejects.toMatchObject({ ...limited, retryAfter: about(seconds - 10) })
    expect(calls()).toHaveLength(1)

    ahead = (seconds + 1) * 1000
    expect(await read()).toEqual(Buffer.from('x'))
  })

  test('no message contains the token', async () => {
    const { write } = await asked()
    host.failNext({ kind: 'status', status: 500 })
    const error: unknown = await write().catch((error: unknown) => error)
    expect(inspect(error, { depth: 10 })).not.toMatch(/ghs_\w/)
  })

  test('an unknown app is a temporary failure', async () => {
    const { repository } = await asked()
    const stranger = appCodehost({ ...host, app: { ...host.app, privateKey: otherKey() } })
    await expect(stranger.commit(repository, 'main')).rejects.toMatchObject({
      kind: 'away',
      message: expect.stringMatching(/rejected the key of the app: check APP_ID/),
    })
  })

  test('a suspended or deleted installation is reported as such', async () => {
    const there = await makeRepository({ owner: 'grace' })
    const here = host.tables.installations.find(({ id }) => id === there.installation)
    if (!here) throw new Error('there is no installation')
    await host.suspend(here)
    await expect(codehost.commit(there, 'main')).rejects.toMatchObject({
      kind: 'away',
      message: expect.stringMatching(/the app is suspended there: unsuspend it in its settings/),
    })
    await host.uninstall(here)
    await expect(codehost.commit(there, 'main')).rejects.toMatchObject({
      kind: 'missing',
      message: expect.stringMatching(/the app is no longer installed there: install it again/),
    })
    const nowhere = { ...there, installation: null }
    await expect(codehost.commit(nowhere, 'main')).rejects.toMatchObject({
      kind: 'refused',
      message: `the app is not installed on ${there.slug}: install it there`,
    })
  })

  test('a repository that the app cannot access is not reported as one without files', async () => {
    const repository = { ...(await makeRepository()), codehost_id: 4711 }
    await expect(codehost.file(repository, 'file', missingSha)).rejects.toMatchObject({
      kind: 'missing',
      message: expect.stringMatching(/no longer has access to the repository: add it to the inst/),
    })
  })
})

describe('installations', () => {
  test('are reported with their repositories', async () => {
    const one = await host.addRepository({ owner: 'ada', name: 'engine', installed: false })
    await host.addRepository({ owner: 'ada', name: 'secret', private: true, installed: false })
    const { id } = await host.install('ada', [one])
    const facts = {
      codehost_id: id,
      account: { codehost_id: one.owner.id, login: 'ada', type: 'User' },
      repository_selection: 'selected',
      permissions: host.app.permissions,
      events: host.app.events,
      suspended: false,
    }
    expect(await codehost.installations.find(id)).toEqual(facts)
    expect(await codehost.installations.all()).toContainEqual(facts)
    expect(await codehost.installations.find(4711)).toBeUndefined()
    expect(await codehost.installations.repositories(id)).toEqual([
      {
        provider: 'codehost',
        codehost_id: one.id,
        name: 'engine',
        private: false,
        fork: false,
        default_branch: 'main',
        description: null,
        language: null,
        archived: false,
        owner: facts.account,
      },
    ])
  })

  test('are read to the last page', async () => {
    for (let number = 0; number < 101; number += 1) {
      await host.addRepository({ owner: 'prolific', name: `one-${number}`, installed: false })
    }
    const { id } = await host.install('prolific')
    expect(await codehost.installations.repositories(id)).toHaveLength(101)
  })
})

test('every request and response of these tests matches the published description', () => {
  expect(deviating).toEqual([])
})

function otherKey(): string {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
}
