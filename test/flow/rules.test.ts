// One named case for each rule of intake, requests and configuration (see docs/rules.md). All
// variants of a rule are tested beside the code that implements it.
import { beforeEach, expect, test } from 'vitest'
import { CodehostError, type PullState } from '../../src/codehost/codehost.ts'
import type { PullRequestEvent, PushEvent } from '../../src/domain/event.ts'
import type { Repository } from '../../src/domain/repository.ts'
import { acceptDeliveries } from '../../src/flow/deliveries/deliveries.ts'
import { receiveEvent } from '../../src/flow/events/receive-event.ts'
import { acceptRequest } from '../../src/flow/requests/accept-request.ts'
import { createServer } from '../../src/http/server.ts'
import { sign } from '../../src/secrets/signature.ts'
import { markDeliveryEnded, findDelivery } from '../../src/store/deliveries/deliveries.ts'
import { changeSettings } from '../../src/store/repositories/settings.ts'
import { noon, type TestContext, testContext, testSealer } from '../support/context.ts'
import { testDatabase } from '../support/database.ts'
import { pullOf, pushTo, tip } from '../support/events.ts'
import { factories } from '../support/factories.ts'
import {
  commitOf,
  type MemoryCodehost,
  memoryCodehost,
  putPull,
} from '../support/memory-codehost.ts'

const db = await testDatabase()
const make = factories(db)

let codehost: MemoryCodehost
let repository: Repository
let ctx: TestContext

beforeEach(async () => {
  codehost = memoryCodehost()
  repository = await make.repository()
  ctx = testContext(db, { codehost })
})

/** The rows that exist after all events so far. */
async function outcome() {
  const [requests, builds, commits, branches] = await Promise.all([
    db.selectFrom('requests').selectAll().orderBy('id').execute(),
    db.selectFrom('builds').selectAll().orderBy('id').execute(),
    db.selectFrom('commits').selectAll().orderBy('id').execute(),
    db.selectFrom('branches').selectAll().orderBy('id').execute(),
  ])
  return { requests, builds, commits, branches }
}

async function decide(event: PushEvent | PullRequestEvent) {
  const received = await receiveEvent(ctx, event)
  if ('request' in received) await acceptRequest(ctx, received.request.id)
  return { received, ...(await outcome()) }
}

async function push(file: string | undefined = 'script: make', given: Partial<PushEvent> = {}) {
  const sha = given.after ?? tip
  codehost.commits.set(sha, commitOf(sha, 'Say hello'))
  if (file !== '') codehost.files.set(sha, file)
  return decide(pushTo(repository, given))
}

const head = 'd'.repeat(40)
const merge = 'e'.repeat(40)

async function pull(
  given: Partial<PullRequestEvent> = {},
  state: Pick<Partial<PullState>, 'mergeable'> = {},
) {
  const { head: from, draft = false, number = 7 } = given
  const base = { sha: 'b'.repeat(40), ref: given.base?.ref ?? 'main' }
  const made = { head: from?.sha ?? head, merge: state.mergeable === undefined ? merge : null }
  putPull(codehost, { ...made, draft, base, ...state }, number)
  return decide(pullOf(repository, given))
}

const body = JSON.stringify({ repository: { id: 1, private: false } })

async function post(payload: string, headers: Record<string, string> = {}) {
  const server = await createServer(ctx)
  const answer = await server.inject({
    method: 'POST',
    url: '/webhooks/codehost',
    headers: {
      'content-type': 'application/json',
      'x-github-event': 'push',
      'x-github-delivery': 'guid',
      'x-hub-signature-256': sign('secret', Buffer.from(payload)),
      ...headers,
    },
    payload,
  })
  return answer.statusCode
}

const arrival = {
  guid: 'g',
  provider: 'codehost' as const,
  event: 'push',
  action: null,
  repository_codehost_id: 1,
  installation_codehost_id: null,
  sealed: false,
  body: Buffer.from(body),
}
const arrive = () => acceptDeliveries({ db, enqueueDeliveries() {} }, [arrival])

const withMessage = (message: string) => {
  const { head_commit } = pushTo(repository)
  return { head_commit: head_commit && { ...head_commit, message } }
}

type Case = readonly [id: string, what: string, prove: () => Promise<void>]

const cases: readonly Case[] = [
  [
    'WH-01',
    'a webhook is JSON, or JSON in a form’s field',
    async () => {
      const form = `payload=${encodeURIComponent(body)}`
      const type = { 'content-type': 'application/x-www-form-urlencoded' }
      expect([await post(body), await post(form, type)]).toEqual([204, 204])
    },
  ],
  [
    'WH-02',
    'a webhook without a body is refused, and the call itself processes nothing',
    async () => {
      expect(await post('')).toBe(422)
      expect(await post(body)).toBe(204)
      expect((await outcome()).requests).toEqual([])
    },
  ],
  [
    'WH-03',
    'a webhook names its event',
    async () => {
      expect(await post(body, { 'x-github-event': '' })).toBe(400)
    },
  ],
  [
    'WH-04',
    'a webhook is signed over its exact bytes',
    async () => {
      expect(
        await post(body, { 'x-hub-signature-256': sign('secret', Buffer.from('other')) }),
      ).toBe(401)
    },
  ],
  [
    'WH-05',
    'a webhook is kept with its exact bytes',
    async () => {
      await arrive()
      expect(await findDelivery(db, 1)).toMatchObject({
        guid: 'g',
        event: 'push',
        repository_codehost_id: 1,
        state: 'received',
        body: Buffer.from(body),
        received_at: expect.any(Date),
      })
    },
  ],
  [
    'WH-06',
    'a push by a bot is built, and has no user as its sender',
    async () => {
      const { requests } = await push('script: make', {
        sender: { codehost_id: null, login: 'robot[bot]' },
      })
      expect(requests).toMatchObject([
        { sender_id: null, sender_login: 'robot[bot]', result: 'accepted' },
      ])
    },
  ],
  [
    'WH-10',
    'one delivery is stored once',
    async () => {
      expect([await arrive(), await arrive()]).toEqual([[true], [false]])
    },
  ],
  [
    'WH-11',
    'a repeat of a failed delivery is processed again',
    async () => {
      await arrive()
      await markDeliveryEnded(db, 1, { result: 'error', outcome: 'x' })
      expect(await arrive()).toEqual([true])
      expect(await findDelivery(db, 1)).toMatchObject({ state: 'received' })
    },
  ],
  [
    'WH-12',
    'an entry of the queue is identified by its row, whatever the GUID looks like',
    async () => {
      const wanted: number[] = []
      const enqueueDeliveries = (ids: readonly number[]) => void wanted.push(...ids)
      await acceptDeliveries({ db, enqueueDeliveries }, [{ ...arrival, guid: '12:34' }])
      expect(wanted).toEqual([1])
    },
  ],
  [
    'WH-13',
    'events of one repository are processed one after the other',
    async () => {
      const events = ['1', '2', '3'].map((digit) => pushTo(repository, { after: digit.repeat(40) }))
      await Promise.all(events.map((event) => receiveEvent(ctx, event)))
      expect((await outcome()).requests).toHaveLength(3)
    },
  ],
  [
    'WH-14',
    'the same push under two GUIDs is built once',
    async () => {
      await push()
      expect((await push()).received).toEqual({
        ignored: 'duplicate of the push that created request 1',
      })
    },
  ],
  [
    'WH-20',
    'one push makes one request for one commit',
    async () => {
      const { requests, commits } = await push()
      expect([requests.length, commits.length]).toEqual([1, 1])
    },
  ],
  [
    'WH-21',
    'the head commit counts, whatever commits came before it',
    async () => {
      const { commits } = await push('script: make', withMessage('The last one'))
      expect(commits).toMatchObject([{ sha: tip, message: 'The last one' }])
    },
  ],
  [
    'WH-22',
    'a branch name is everything after the second slash of a ref',
    async () => {
      const { commits } = await push('script: make', { ref: 'refs/heads/feature/a' })
      expect(commits).toMatchObject([{ branch: 'feature/a', tag_name: null }])
    },
  ],
  [
    'WH-23',
    'a tag’s name is its branch',
    async () => {
      const { commits } = await push('script: make', { ref: 'refs/tags/v1' })
      expect(commits).toMatchObject([{ branch: 'v1', tag_name: 'v1' }])
    },
  ],
  [
    'WH-24',
    'a deleted branch is marked as deleted, and creates no request',
    async () => {
      await push()
      const { requests, branches } = await push('', { deleted: true, head_commit: null })
      expect(requests).toHaveLength(1)
      expect(branches).toMatchObject([{ name: 'main', exists_on_codehost: false }])
    },
  ],
  [
    'WH-25',
    'a new branch at a known commit builds',
    async () => {
      await push()
      const { builds } = await push('script: make', {
        ref: 'refs/heads/new',
        before: '0'.repeat(40),
      })
      expect(builds).toHaveLength(2)
    },
  ],
  [
    'WH-26',
    'a forced push is a push',
    async () => {
      const { builds } = await push('script: make', { before: 'f'.repeat(40) })
      expect(builds).toHaveLength(1)
    },
  ],
  [
    'WH-27',
    'a compare link can have any length',
    async () => {
      const compare_url = `https://codehost.example/compare/${'a'.repeat(2000)}`
      const { commits } = await push('script: make', { compare_url })
      expect(commits).toMatchObject([{ compare_url }])
    },
  ],
  [
    'WH-28',
    'a commit keeps its author, committer, message and time',
    async () => {
      expect((await push()).commits).toMatchObject([
        {
          sha: tip,
          message: 'Say hello',
          ref: 'refs/heads/main',
          committed_at: noon,
          author_name: 'Octavia',
          author_email: 'octavia@example.org',
          committer_name: 'Octavia',
          committer_email: 'octavia@example.org',
        },
      ])
    },
  ],
  [
    'WH-29',
    'a push to a fork is built in the record of the fork',
    async () => {
      const fork = await make.repository({ name: 'fork', fork: true })
      codehost.files.set(tip, 'script: make')
      const { builds } = await decide(pushTo(fork))
      expect(builds).toMatchObject([{ repository_id: fork.id, number: 1 }])
    },
  ],
  [
    'WH-30',
    'a pull request belongs to the base repository and the base branch',
    async () => {
      const { commits, requests } = await pull()
      expect(requests).toMatchObject([{ repository_id: repository.id }])
      expect(commits).toMatchObject([{ branch: 'main' }])
    },
  ],
  [
    'WH-31',
    'a pull request builds the merge, with the message of the head',
    async () => {
      expect((await pull()).commits).toMatchObject([
        { sha: merge, ref: 'refs/pull/7/merge', message: 'Greet' },
      ])
    },
  ],
  [
    'WH-32',
    'a closed pull request makes no request',
    async () => {
      expect((await pull({ state: 'closed' })).requests).toEqual([])
    },
  ],
  [
    'WH-33',
    'a merge commit that does not exist yet is queried again later',
    async () => {
      await pull({}, { mergeable: null })
      expect(ctx.enqueued.at(-1)).toMatchObject({
        name: 'request.accept',
        options: { delay: 1000 },
      })
    },
  ],
  [
    'WH-34',
    'a pull request that cannot be merged is rejected, not forgotten',
    async () => {
      const { requests } = await pull({}, { mergeable: false })
      expect(requests).toMatchObject([{ result: 'rejected', reason: 'no_merge_commit' }])
    },
  ],
  [
    'WH-35',
    'a head is built once for each pull request',
    async () => {
      await pull()
      await pull({ action: 'synchronize' })
      expect((await pull({ number: 8 })).requests).toHaveLength(2)
    },
  ],
  [
    'WH-36',
    'a pull request that is reopened builds again',
    async () => {
      await pull()
      expect((await pull({ action: 'reopened' })).builds).toHaveLength(2)
    },
  ],
  [
    'WH-37',
    'a pull request that moves to another base builds again',
    async () => {
      await pull()
      const base = { sha: 'f'.repeat(40), ref: 'next' }
      const { requests } = await pull({ action: 'edited', retargeted: true, base })
      expect(requests.map(({ action }) => action)).toEqual(['opened', 'synchronize'])
    },
  ],
  [
    'WH-38',
    'a draft pull request is built, and stored as a draft',
    async () => {
      expect((await pull({ draft: true })).requests).toMatchObject([
        { result: 'accepted', mergeable_state: 'draft' },
      ])
    },
  ],
  [
    'WH-39',
    'a pull request from another repository, or from nowhere, is a fork’s',
    async () => {
      const from = { ...pullOf(repository).head, repository_codehost_id: null }
      expect((await pull({ head: from })).requests).toMatchObject([{ from_fork: true }])
    },
  ],
  [
    'WH-40',
    'a branch and its pull request are two builds',
    async () => {
      await push('script: make', { ref: 'refs/heads/greet' })
      expect((await pull()).builds.map(({ event_type }) => event_type)).toEqual([
        'push',
        'pull_request',
      ])
    },
  ],
  [
    'WH-50',
    'the documented skip commands skip',
    async () => {
      const { requests } = await push('script: make', withMessage('Typo [skip ci]'))
      expect(requests).toMatchObject([{ reason: 'skip_command' }])
    },
  ],
  [
    'WH-51',
    'the older skip commands skip as well',
    async () => {
      const { requests } = await push('script: make', withMessage('Typo [ci:skip]'))
      expect(requests).toMatchObject([{ reason: 'skip_command' }])
    },
  ],
  [
    'WH-52',
    'a skip command counts anywhere in the message of the head commit, and nowhere else',
    async () => {
      const below = await push('script: make', withMessage('Subject\n\nBody\n[ci skip]'))
      expect(below.requests).toMatchObject([{ reason: 'skip_command' }])
      expect((await pull({ title: '[ci skip]' })).requests.at(-1)).toMatchObject({
        result: 'accepted',
      })
    },
  ],
  [
    'WH-54',
    'a skipped commit still gets a request',
    async () => {
      const { requests, builds } = await push('script: make', withMessage('[ci skip]'))
      expect([requests.length, builds.length]).toEqual([1, 0])
    },
  ],
  [
    'RQ-01',
    'a request makes one build at most',
    async () => {
      await push()
      await acceptRequest(ctx, 1)
      expect((await outcome()).builds).toHaveLength(1)
    },
  ],
  [
    'RQ-02',
    'a request that was skipped on purpose posts a status on the commit',
    async () => {
      await push('script: make', withMessage('[ci skip]'))
      const rows = await db.selectFrom('outbox').select('kind').orderBy('id').execute()
      expect(rows).toEqual([{ kind: 'status' }, { kind: 'check:config' }])
    },
  ],
  [
    'RQ-03',
    'a try that fails halfway stores nothing, and the next try stores everything',
    async () => {
      await db.schema.alterTable('logs').renameTo('logs_away').execute()
      await expect(push()).rejects.toThrow(/logs/)
      await db.schema.alterTable('logs_away').renameTo('logs').execute()
      expect((await outcome()).builds).toEqual([])
      await acceptRequest(ctx, 1)
      expect(await outcome()).toMatchObject({
        builds: [{ number: 1 }],
        requests: [{ state: 'finished' }],
      })
    },
  ],
  [
    'RQ-04',
    'rejected requests use no build number',
    async () => {
      await push()
      await push('script: make', { after: '1'.repeat(40), ...withMessage('[ci skip]') })
      const { builds } = await push('script: make', { after: '2'.repeat(40) })
      expect(builds.map(({ number }) => number)).toEqual([1, 2])
    },
  ],
  [
    'RQ-10',
    'a pages branch is built when it is listed',
    async () => {
      const ref = 'refs/heads/gh-pages'
      await push('script: make', { ref })
      const listed = 'script: make\nbranches: { only: [gh-pages] }'
      const { requests } = await push(listed, { ref, after: '1'.repeat(40) })
      expect(requests.map(({ reason }) => reason)).toEqual(['pages_branch', null])
    },
  ],
  [
    'RQ-11',
    'an accepted request has no message',
    async () => {
      expect((await push()).requests).toMatchObject([{ message: null }])
    },
  ],
  [
    'RQ-12',
    'no pull request is rejected for its author or for being a draft',
    async () => {
      const sender = { codehost_id: 999, login: 'stranger' }
      expect((await pull({ draft: true, sender })).requests).toMatchObject([{ result: 'accepted' }])
    },
  ],
  [
    'CF-01',
    'the build file is read at the commit that is built',
    async () => {
      codehost.files.set(head, 'script: wrong')
      await pull()
      const [job] = await db.selectFrom('jobs').select('config').execute()
      expect(job?.config).toMatchObject({ script: ['make'] })
    },
  ],
  [
    'CF-03',
    'a byte order mark and bytes that are not text do not matter',
    async () => {
      codehost.file = async () =>
        Buffer.from([0xef, 0xbb, 0xbf, ...Buffer.from('script: make'), 0xff])
      expect((await push('')).builds).toMatchObject([
        { config: { script: ['make'] }, config_error: null },
      ])
    },
  ],
  [
    'CF-05',
    'a file that the code host refuses does not count as missing',
    async () => {
      codehost.failure = new CodehostError('it answered 403', { kind: 'refused' })
      expect((await push('')).builds).toMatchObject([{ config_error: 'fetch' }])
      codehost.failure = undefined
      const { requests } = await push('', { after: '1'.repeat(40) })
      expect(requests.at(-1)).toMatchObject({ reason: 'no_build_file' })
    },
  ],
  [
    'CF-06',
    'the root of the file must be a mapping',
    async () => {
      expect((await push('- a\n- b')).builds).toMatchObject([{ config_error: 'parse' }])
    },
  ],
  [
    'CF-10',
    'a build that cannot run ends when it is created',
    async () => {
      expect((await push('script: [')).builds).toMatchObject([
        { state: 'errored', started_at: noon, finished_at: noon, duration: 0 },
      ])
    },
  ],
  [
    'CF-11',
    'findings are kept with the request, at their lines',
    async () => {
      await push('script: make\nscirpt: make')
      const messages = await db.selectFrom('request_messages').selectAll().execute()
      expect(messages.filter(({ level }) => level !== 'info')).toMatchObject([
        { level: 'warn', line: 2, src: '.service.yml' },
      ])
    },
  ],
  [
    'CF-12',
    'the text of the build file is stored with its source',
    async () => {
      await push('script: make')
      const sources = await db.selectFrom('request_configs').select('source').execute()
      expect(sources).toEqual([{ source: `octavia/hello:.service.yml@${tip}` }])
    },
  ],
  [
    'CF-20',
    'a plain list of branches names the branches to build',
    async () => {
      const { requests } = await push('script: make\nbranches: stable, next')
      expect(requests).toMatchObject([{ reason: 'branch_excluded' }])
    },
  ],
  [
    'CF-21',
    'an entry between slashes is a regular expression',
    async () => {
      expect((await push('script: make\nbranches: { only: /^ma/ }')).builds).toHaveLength(1)
    },
  ],
  [
    'CF-22',
    'a pull request is filtered by its base branch',
    async () => {
      codehost.file = async () => Buffer.from('script: make\nbranches: { only: [main] }')
      expect((await pull()).builds).toHaveLength(1)
    },
  ],
  [
    'CF-23',
    'a branch in both lists is excluded',
    async () => {
      const { requests } = await push('script: make\nbranches: { only: [main], except: [main] }')
      expect(requests).toMatchObject([{ reason: 'branch_excluded' }])
    },
  ],
  [
    'CF-24',
    'an expression that cannot be read matches nothing',
    async () => {
      const { requests } = await push('script: make\nbranches: { only: "/(/" }')
      expect(requests).toMatchObject([{ reason: 'branch_excluded' }])
    },
  ],
  [
    'RQ-13',
    'a push to a repository that is not enabled is rejected for that reason',
    async () => {
      await db.updateTable('repositories').set({ active: false }).execute()
      expect((await push()).requests).toMatchObject([{ reason: 'repository_inactive' }])
    },
  ],
  [
    'RQ-14',
    'kinds of events can be switched off',
    async () => {
      await changeSettings(db, repository.id, { build_pull_requests: false })
      expect((await pull()).requests).toMatchObject([{ reason: 'pull_requests_disabled' }])
    },
  ],
  [
    'D32',
    'the body of a private repository’s webhook is sealed',
    async () => {
      let stored: Buffer | undefined
      ctx.intake.accept = async (delivery) => {
        stored = delivery.body
        return true
      }
      const secret = JSON.stringify({ repository: { id: 1, private: true }, word: 'sesame' })
      expect(await post(secret)).toBe(204)
      expect(stored?.toString('latin1')).not.toContain('sesame')
      const opened = testSealer.open({ type: 'delivery', id: 'guid' }, stored ?? Buffer.alloc(0))
      expect(opened.toString()).toBe(secret)
    },
  ],
]

test.each(cases)('%s: %s', async (_id, _what, prove) => {
  expect.hasAssertions()
  await prove()
})
