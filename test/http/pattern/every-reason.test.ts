// Whatever was the reason that nothing was built: both generations of the API, the page and the command
// say the same sentence, and show the check that decided.
import { beforeEach, describe, expect, test } from 'vitest'
import { requestFacts, requestLines } from '../../../src/cli/request-facts.ts'
import { operator } from '../../../src/domain/audit.ts'
import type { PushEvent } from '../../../src/domain/event.ts'
import type { Repository } from '../../../src/domain/repository.ts'
import type { RejectionReason } from '../../../src/domain/request/request.ts'
import type { Settings } from '../../../src/domain/settings.ts'
import { endMergeGroup } from '../../../src/flow/events/end-merge-group.ts'
import { receiveEvent } from '../../../src/flow/events/receive-event.ts'
import { blockUser } from '../../../src/flow/people/block-user.ts'
import { acceptRequest } from '../../../src/flow/requests/accept-request.ts'
import { giveUpRequest } from '../../../src/flow/requests/give-up-request.ts'
import { createServer } from '../../../src/http/server.ts'
import { changeSettings } from '../../../src/store/repositories/settings.ts'
import { findRequest } from '../../../src/store/requests/requests.ts'
import { age } from '../../support/age.ts'
import { v2Client, v3Client } from '../../support/client.ts'
import { noon, type TestContext, testContext } from '../../support/context.ts'
import { testDatabase } from '../../support/database.ts'
import { mergeGroupOf, pullOf, pushTo, tip } from '../../support/events.ts'
import { factories } from '../../support/factories.ts'
import {
  commitOf,
  type MemoryCodehost,
  memoryCodehost,
  putPull,
} from '../../support/memory-codehost.ts'
import { caller } from '../door.ts'
import { textIn } from '../pages/reading.ts'

const db = await testDatabase()
const make = factories(db)

let ctx: TestContext
let codehost: MemoryCodehost
let repository: Repository

beforeEach(async () => {
  codehost = memoryCodehost()
  ctx = testContext(db, { codehost })
  repository = await make.repository()
})

type Event = Parameters<typeof receiveEvent>[1]

async function requested(event: Event): Promise<number> {
  const received = await receiveEvent(ctx, event)
  if (!('request' in received)) throw new Error(JSON.stringify(received))
  return received.request.id
}

async function decided(event: Event): Promise<number> {
  const id = await requested(event)
  await acceptRequest(ctx, id)
  return id
}

function push(file: string | undefined, given: Partial<PushEvent> = {}): Promise<number> {
  codehost.commits.set(tip, commitOf(tip, 'Say hello'))
  if (file !== undefined) codehost.files.set(tip, file)
  return decided(pushTo(repository, given))
}

async function pushWith(settings: Partial<Settings>): Promise<number> {
  await changeSettings(db, repository.id, settings)
  return push('script: make')
}

const head = 'd'.repeat(40)

/** What leads to each of them, and the rule that has decided; null where none was reached. */
const situations: Record<RejectionReason, [act: () => Promise<number>, rule: string | null]> = {
  repository_archived: [
    async () => {
      const id = await requested(pushTo(repository))
      await db.updateTable('repositories').set({ archived_at: new Date() }).execute()
      await acceptRequest(ctx, id)
      return id
    },
    'repository_archived',
  ],
  repository_inactive: [
    async () => {
      repository = await make.repository({ active: false, name: 'idle' })
      return push('script: make')
    },
    'repository_active',
  ],
  no_commit: [
    async () => {
      const id = await requested(pushTo(repository, { head_commit: null }))
      // Until then the code host may be behind.
      await age(db, 61)
      await acceptRequest(ctx, id)
      return id
    },
    'commit',
  ],
  commit_not_on_ref: [
    async () => {
      const ofFork = commitOf('9'.repeat(40), 'Of a fork')
      codehost.commits.set('refs/heads/main', commitOf(tip, 'Say hello'))
      codehost.commits.set(ofFork.sha, ofFork)
      const { id } = await make.request({
        ...{ repository, event_type: 'api', state: 'pending', result: null, finished_at: null },
        ...{ ref: 'refs/heads/main', after_sha: ofFork.sha },
      })
      await acceptRequest(ctx, id)
      return id
    },
    'commit_on_ref',
  ],
  head_moved: [
    async () => {
      const changed_at = new Date(noon.getTime() + 1000)
      putPull(codehost, { head: 'f'.repeat(40), merge: null, changed_at })
      return decided(pullOf(repository, { changed_at: noon }))
    },
    'head',
  ],
  no_merge_commit: [
    async () => {
      putPull(codehost, { head, merge: null, mergeable: false, mergeable_state: 'dirty' })
      return decided(pullOf(repository))
    },
    'merge_commit',
  ],
  owner_excluded: [
    async () => {
      ctx.config = { ...ctx.config, owners: ['codehost:somebody-else'] }
      return push('script: make')
    },
    'owner',
  ],
  skip_command: [
    () => {
      const { head_commit } = pushTo(repository)
      if (!head_commit) throw new Error('a push has a commit')
      return push('script: make', { head_commit: { ...head_commit, message: 'Typo [skip ci]' } })
    },
    'skip_command',
  ],
  pushes_disabled: [() => pushWith({ build_pushes: false }), 'build_pushes'],
  pull_requests_disabled: [
    async () => {
      await changeSettings(db, repository.id, { build_pull_requests: false })
      putPull(codehost, { head, merge: 'e'.repeat(40) })
      return decided(pullOf(repository))
    },
    'build_pull_requests',
  ],
  sender_blocked: [
    async () => {
      const mallory = await make.user('mallory')
      await blockUser(ctx, operator, mallory, true)
      const sender = { codehost_id: mallory.codehost_id, login: 'mallory' }
      return push('script: make', { sender })
    },
    'sender',
  ],
  pages_branch: [() => push('script: make', { ref: 'refs/heads/gh-pages' }), 'pages_branch'],
  no_build_file: [() => push(undefined), 'build_file'],
  branch_excluded: [() => push('script: make\nbranches:\n  only: next\n'), 'branches'],
  condition: [() => push('script: make\nif: branch = next\n'), 'condition'],
  no_jobs: [() => push('jobs:\n  include:\n    - script: make\n      if: branch = next\n'), 'jobs'],
  left_merge_queue: [
    async () => {
      const id = await requested(mergeGroupOf(repository))
      await endMergeGroup(
        ctx,
        mergeGroupOf(repository, { action: 'destroyed', reason: 'dequeued' }),
      )
      return id
    },
    null,
  ],
  internal_error: [
    async () => {
      const id = await requested(pushTo(repository))
      await giveUpRequest(ctx, id)
      return id
    },
    null,
  ],
}

/** Where the build file decided. */
const lines: Partial<Record<RejectionReason, number>> = {
  branch_excluded: 3,
  condition: 2,
  no_jobs: 4,
}

describe.each(Object.keys(situations) as RejectionReason[])('%s', (reason) => {
  test('is reported in one sentence, with the check that decided', async () => {
    const [act, rule] = situations[reason]
    const id = await act()
    const request = await findRequest(db, id)
    if (!request) throw new Error('there is no request')
    const { message } = request
    expect({ result: request.result, reason: request.reason }).toEqual({
      result: 'rejected',
      reason,
    })
    expect(message).toMatch(/\w+ .*\w/)

    const server = await createServer(ctx)
    const v2 = await v2Client(server)(`GET /requests/${id}`)
    expect(v2).toMatchObject({ body: { request: { result: 'rejected', message } } })
    const v3 = await v3Client(server)(`GET /repo/${request.repository_id}/request/${id}/explain`)
    expect(v3).toMatchObject({ body: { result: 'rejected', reason, message } })
    const page = await caller(server)(`GET /octavia/${repository.name}`, { accept: 'text/html' })
    expect(textIn(page.body)).toContain(message)

    const facts = await requestFacts(db, request, 'https://ci.example.org')
    expect(requestLines(facts).join('\n')).toContain(`rejected: ${message}`)
    const { checks } = v3.body as { checks: typeof facts.checks }
    expect(facts.checks).toEqual(checks)
    const last = checks.at(-1)
    expect(last?.passed === false ? last.rule : null).toBe(rule)
    const line = lines[reason]
    expect(last?.source ?? null).toEqual(line === undefined ? null : { file: '.service.yml', line })
  })
})
