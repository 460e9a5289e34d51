// Pushes as the code host's webhooks describe them.
import { beforeEach, describe, expect, test } from 'vitest'
import { acceptRequest } from '../../src/flow/requests/accept-request.ts'
import { publishOutbox } from '../../src/flow/statuses/publish-outbox.ts'
import { createServer } from '../../src/http/server.ts'
import { textIn } from '../http/pages/reading.ts'
import { age } from '../support/age.ts'
import { v2Client, v3Client } from '../support/client.ts'
import { commitOf } from '../support/memory-codehost.ts'
import { db, deliver, scene, useScene } from './scene.ts'

const sha = 'c'.repeat(40)

await useScene()

beforeEach(() => scene.codehost.files.set(sha, 'script: make'))

function payload(given: object = {}, message = 'Say hello') {
  const { codehost_id: id, name, owner_name: login } = scene.repository
  const owner = { id: 1, login, type: 'User' }
  return {
    ...{ ref: 'refs/heads/main', before: 'b'.repeat(40), after: sha, deleted: false, compare: '' },
    head_commit: {
      ...{ id: sha, message, timestamp: '2026-01-02T12:00:00Z' },
      ...{ author: { name: 'Octavia' }, committer: { name: 'Octavia' } },
    },
    repository: { id, name, private: false, fork: false, default_branch: 'main', owner },
    sender: owner,
    ...given,
  }
}

const requests = () => db.selectFrom('requests').selectAll().orderBy('id').execute()
const builds = () =>
  db
    .selectFrom('builds')
    .innerJoin('commits', 'commits.id', 'builds.commit_id')
    .select(['builds.number', 'commits.sha', 'commits.branch', 'commits.tag_name'])
    .select(['commits.message', 'commits.author_email'])
    .execute()

describe('a push without a head commit', () => {
  const found = { number: 1, sha, message: 'Look it up', author_email: 'octavia@example.org' }

  test.each([
    ['null', { head_commit: null }],
    ['missing', { head_commit: undefined }],
  ])('that is %s is built: the commit is looked up at the code host', async (_what, given) => {
    scene.codehost.commits.set(sha, commitOf(sha, 'Look it up'))
    expect(await deliver('push', payload(given))).toMatchObject({ result: 'request' })
    await acceptRequest(scene.ctx, 1)
    expect(await builds()).toEqual([{ ...found, branch: 'main', tag_name: null }])
  })

  test('builds the commit that an annotated tag names', async () => {
    const tag = 'e'.repeat(40)
    scene.codehost.commits.set(tag, commitOf(sha, 'Look it up'))
    await deliver('push', payload({ ref: 'refs/tags/v1', after: tag, head_commit: null }))
    await acceptRequest(scene.ctx, 1)
    expect(await builds()).toEqual([{ ...found, branch: 'v1', tag_name: 'v1' }])
  })

  test('is skipped by the message that was looked up', async () => {
    scene.codehost.commits.set(sha, commitOf(sha, 'Look it up [skip ci]'))
    await deliver('push', payload({ head_commit: null }))
    await acceptRequest(scene.ctx, 1)
    expect(await requests()).toMatchObject([{ reason: 'skip_command' }])
  })

  test('waits while the code host may be behind, and then says which commit is missing', async () => {
    await deliver('push', payload({ head_commit: null }))
    await expect(acceptRequest(scene.ctx, 1)).rejects.toMatchObject({ kind: 'away', retryAfter: 5 })
    await age(db, 61)
    await acceptRequest(scene.ctx, 1)
    expect(await requests()).toMatchObject([
      {
        ...{ result: 'rejected', reason: 'no_commit' },
        message: `no commit found: octavia/hello does not show commit ${sha}, so push it again`,
      },
    ])
  })

  test.each([
    ['says so', { deleted: true, after: '0'.repeat(40) }],
    ['has an id of zeros', { after: '0'.repeat(40) }],
    ['has an id of zeros of the longer kind', { after: '0'.repeat(64) }],
  ])('builds nothing where it is a deletion: it %s', async (_what, given) => {
    expect(await deliver('push', payload({ ...given, head_commit: null }))).toMatchObject({
      ...{ result: 'ignored', outcome: 'branch main was deleted' },
    })
    expect(await requests()).toEqual([])
    expect(scene.codehost.calls).toEqual([])
  })
})

describe('a duplicate', () => {
  const idle = async () => {
    const server = await createServer(scene.ctx)
    const page = await server.inject({ url: '/octavia/hello', headers: { accept: 'text/html' } })
    return textIn(page.body)
  }

  test('webhook is ignored, and its outcome names the first webhook', async () => {
    const first = await deliver('push', payload())
    const outcome =
      `duplicate of webhook ${first?.guid}: the same event was received before and is processed only once; ` +
      'see that webhook for its result'
    expect(await deliver('push', payload())).toMatchObject({ result: 'ignored', outcome })
    expect(await idle()).toContain(outcome)
  })

  test('push in another webhook names the request that the first one created', async () => {
    await deliver('push', payload())
    const outcome = 'duplicate of the push that created request 1'
    expect(await deliver('push', payload({ hook: true }))).toMatchObject({
      result: 'ignored',
      outcome,
    })
    expect(await idle()).toContain(outcome)
  })
})

describe('a skip command in a message of several lines', () => {
  const squashed = 'Add it (#7)\n\n* add it\n\n* test it\n\n* fix [skip ci]\n'
  const said = 'skipped by commit message: line 7 of the commit message contains [skip ci]'

  test('is named with its line wherever the reason is shown', async () => {
    await deliver('push', payload({}, squashed))
    await acceptRequest(scene.ctx, 1)
    for (const { stream } of await db.selectFrom('outbox').select('stream').execute()) {
      await publishOutbox(scene.ctx, stream)
    }
    const server = await createServer(scene.ctx)
    const page = await server.inject({ url: '/octavia/hello', headers: { accept: 'text/html' } })
    const listed = await v2Client(server)('GET /requests?slug=octavia/hello')
    const explained = await v3Client(server)('GET /repo/1/request/1/explain')
    expect(scene.codehost.posted).toMatchObject([{ status: { description: `No build: ${said}` } }])
    expect(listed.body).toMatchObject({ requests: [{ message: said }] })
    expect(textIn(page.body)).toContain(said)
    const { message, checks } = explained.body as { message: string; checks: unknown[] }
    expect({ message, check: checks.at(-1) }).toEqual({
      message: said,
      check: {
        ...{ rule: 'skip_command', passed: false, source: null },
        text: 'The commit message asks to skip the build',
        values: { command: '[skip ci]', line: 7 },
      },
    })
  })

  test.each([
    ['Fix [skip ci]', 'it contains [skip ci]'],
    ['Fix [skip ci]\n', 'it contains [skip ci]'],
    ['Fix [skip ci]\n\nA body', 'line 1 of the commit message contains [skip ci]'],
    ['Fix\r\n\r\n[ci skip]', 'line 3 of the commit message contains [ci skip]'],
  ])('%j: %s', async (message, where) => {
    await deliver('push', payload({}, message))
    await acceptRequest(scene.ctx, 1)
    expect(await requests()).toMatchObject([{ message: `skipped by commit message: ${where}` }])
  })
})
