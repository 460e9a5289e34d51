// What trials through webhooks found on commits, and what they show now (D49, D51, D53).
import { beforeEach, describe, expect, test } from 'vitest'
import type { Actor } from '../../src/domain/audit.ts'
import { acceptRequest } from '../../src/flow/accept-request.ts'
import { approveRequest } from '../../src/flow/approve-request.ts'
import { createRequest } from '../../src/flow/create-request.ts'
import { receiveEvent } from '../../src/flow/receive-event.ts'
import { insertRequest } from '../../src/store/requests.ts'
import { pushTo, tip } from '../support/events.ts'
import { commitOf, putPull } from '../support/memory-codehost.ts'
import {
  db,
  easy,
  finish,
  first,
  headOf,
  lastCheck,
  lastStatus,
  main,
  make,
  onlyMain,
  reasons,
  retarget,
  scene,
  second,
  shows,
  tell,
  useScene,
  work,
} from './heads-scene.ts'

await useScene()

let by: Actor
beforeEach(async () => {
  by = { user: await make.user(), token_id: null, address: '127.0.0.1' }
})

const fork = (sha: string) => ({ head: headOf(sha, 4711) })
const waits = 'pending: Waiting for a maintainer to approve this commit'

/** Shows pull request 8 of a head into a base, with this build file. */
function showsOther(head: string, base: typeof main, file = 'script: make'): void {
  const merge = `8${head.slice(0, 4)}`.padEnd(40, 'f')
  putPull(scene.codehost, { head, merge, base }, 8)
  scene.codehost.commits.set(merge, commitOf(merge, 'Merge', [base.sha, head]))
  scene.codehost.files.set(merge, file)
}

async function push(given: Partial<Parameters<typeof pushTo>[1]> = {}): Promise<void> {
  const event = pushTo(scene.repository, given)
  scene.codehost.files.set(event.after, 'script: make')
  scene.codehost.commits.set(event.after, commitOf(event.after, 'Say hello'))
  await receiveEvent(scene.ctx, event)
  await work()
}

describe('a red commit stays red', () => {
  test('in a head with another pull request that passes into its base', async () => {
    shows(first)
    await tell(first, { action: 'opened' })
    showsOther(first, easy)
    await tell(first, { action: 'opened', number: 8, base: easy })
    await work()
    await finish('failed', 1)
    await finish('passed', 2)
    expect(lastStatus(first)).toBe('failure: #7 into main: The build failed')
  })

  test('when a tag of it passes', async () => {
    await push()
    await finish('failed', 1)
    await push({ ref: 'refs/tags/v1' })
    await finish('passed', 2)
    expect(lastStatus(tip, 'push')).toBe('failure: The build failed')
    expect(lastStatus(tip, 'tag')).toBe('success: The build passed')
  })

  test.each(['api', 'cron'] as const)('when a build by %s passes', async (event_type) => {
    await push()
    await finish('failed', 1)
    scene.codehost.commits.set('refs/heads/main', commitOf(tip, 'Say hello'))
    const { id, owner_id, owner_type } = scene.repository
    if (event_type === 'api') {
      const wanted = { ref: 'refs/heads/main', sha: undefined, message: undefined, configs: [] }
      await createRequest(scene.ctx, by, scene.repository, { ...wanted, variables: undefined })
    } else {
      const cron = { repository_id: id, owner_id, owner_type, private: false, event_type }
      await insertRequest(db, { ...cron, state: 'created', ref: 'refs/heads/main' })
    }
    await work()
    expect(await reasons()).toEqual(['accepted', 'accepted'])
    await finish('passed', 2)
    expect(lastStatus(tip, 'push')).toBe('failure: The build failed')
    expect(lastStatus(tip, event_type)).toBe('success: The build passed')
  })

  test('of two branches that were both built and are both deleted', async () => {
    await push({ ref: 'refs/heads/one' })
    await push({ ref: 'refs/heads/two' })
    await finish('failed', 1)
    await finish('passed', 2)
    scene.codehost.tips = new Map()
    const gone = { deleted: true, head_commit: null, before: tip, after: '0'.repeat(40) }
    for (const ref of ['refs/heads/one', 'refs/heads/two']) {
      await receiveEvent(scene.ctx, pushTo(scene.repository, { ref, ...gone }))
    }
    await work()
    expect(lastStatus(tip, 'push')).toBe('failure: branch one: The build failed')
  })
})

test('a branch that was deleted counts no more where another one holds its commit', async () => {
  await push({ ref: 'refs/heads/one' })
  await push({ ref: 'refs/heads/two' })
  await finish('failed', 1)
  await finish('passed', 2)
  expect(lastStatus(tip, 'push')).toBe('failure: branch one: The build failed')
  scene.codehost.tips = new Map()
  const gone = { deleted: true, head_commit: null, before: tip, after: '0'.repeat(40) }
  await receiveEvent(scene.ctx, pushTo(scene.repository, { ref: 'refs/heads/one', ...gone }))
  await work()
  expect(lastStatus(tip, 'push')).toBe('success: The build passed')
})

test('so does one that was pushed by force since', async () => {
  await push({ ref: 'refs/heads/one' })
  await push({ ref: 'refs/heads/two' })
  await finish('failed', 1)
  await finish('passed', 2)
  await push({ ref: 'refs/heads/one', before: tip, after: second, forced: true })
  expect(lastStatus(tip, 'push')).toBe('success: The build passed')
})

test('a head that is still built shows its own result when another one is pushed', async () => {
  shows(first)
  await tell(first, { action: 'opened' })
  await work()
  shows(second)
  await tell(second)
  await work()
  await finish('failed', 1)
  await finish('passed', 2)
  expect(lastStatus(first)).toBe('failure: The build failed')
  expect(lastStatus(second)).toBe('success: The build passed')
})

test('a fork waits for its approval beside a pull request of the same head that moved on', async () => {
  showsOther(first, main)
  await tell(first, { action: 'opened', number: 8, ...fork(first) })
  shows(first)
  await tell(first, { action: 'opened', ...fork(first) })
  await work()
  showsOther(second, main)
  await tell(second, { number: 8, ...fork(second) })
  await work()
  expect(lastStatus(first)).toBe(waits)
})

test('a stranger’s pull request at the head of a merged one changes nothing of it', async () => {
  shows(first)
  await tell(first, { action: 'opened' })
  await work()
  await finish('passed', 1)
  shows(first, main, { state: 'closed' })
  await tell(first, { action: 'closed', state: 'closed' })
  await work()
  showsOther(first, main)
  await tell(first, { action: 'opened', number: 8, ...fork(first) })
  await work()
  expect(lastStatus(first)).toBe(waits)
  await tell(first, { action: 'closed', state: 'closed', number: 8, ...fork(first) })
  await work()
  expect(lastStatus(first)).toBe('success: The build passed')
})

describe('a request that is undecided when its pull request', () => {
  beforeEach(async () => {
    shows(first, main, { mergeable: null })
    await tell(first, { action: 'opened' })
    await work()
  })

  test('is reopened is decided, and so is the new one', async () => {
    await tell(first, { action: 'closed', state: 'closed' })
    await tell(first, { action: 'reopened' })
    shows(first)
    await work()
    expect((await reasons()).filter((reason) => reason === null)).toEqual([])
    expect(lastStatus(first)).toBe('pending: Build queued')
  })

  test('gets another base shows the result for that', async () => {
    await retarget(first, easy)
    shows(first, easy)
    await work()
    expect((await reasons()).filter((reason) => reason === null)).toEqual([])
    expect(lastStatus(first)).toBe('pending: Build queued')
  })
})

test('a pull request that conflicts shows so until it can be merged', async () => {
  shows(first, main, { mergeable: false })
  await tell(first, { action: 'opened' })
  await work()
  expect(lastStatus(first)).toMatch(/^error: No build: no merge commit: .* conflicts/)
  expect(lastCheck()).toMatchObject({ conclusion: 'failure' })
  shows(second)
  await tell(second)
  await work()
  expect(lastStatus(second)).toBe('pending: Build queued')
})

describe('what a fork leaves out by itself', () => {
  async function opened(message: string, file: string): Promise<void> {
    const { merge_commit_sha } = shows(first)
    scene.codehost.commits.set(first, commitOf(first, message))
    scene.codehost.files.set(merge_commit_sha ?? '', file)
    await tell(first, { action: 'opened', ...fork(first) })
    await work()
  }

  test.each([
    ['its [skip ci]', 'Greet [skip ci]', 'script: make'],
    ['its branch filter', 'Greet', 'script: make\nbranches: { only: [other] }'],
    ['its condition', 'Greet', 'script: make\nif: type = push'],
  ])('by %s is no success before a maintainer says so', async (_how, message, file) => {
    await opened(message, file)
    expect(lastStatus(first)).toMatch(/^pending: Waiting for a maintainer to approve .*: \w/)
    expect(lastCheck()).toMatchObject({ conclusion: 'action_required', actions: [{}] })
    await approveRequest(scene.ctx, by, 1)
    await work()
    expect(lastStatus(first)).toMatch(/^success: No build: /)
    expect(lastCheck()).toMatchObject({ conclusion: 'skipped' })
  })

  test('is a success where the file of the base leaves it out as well', async () => {
    const file = 'script: make\nif: type = push'
    scene.codehost.files.set(main.sha, file)
    await opened('Greet', file)
    expect(lastStatus(first)).toMatch(/^success: No build: condition did not match/)
  })

  test('of the repository itself is a success', async () => {
    scene.codehost.files.set(shows(first, easy).merge_commit_sha ?? '', onlyMain)
    await tell(first, { action: 'opened', base: easy })
    await work()
    expect(lastStatus(first)).toMatch(/^success: No build: base branch not included/)
    expect(lastCheck()).toMatchObject({ conclusion: 'skipped' })
  })
})

describe('an approval', () => {
  beforeEach(async () => {
    shows(first)
    await tell(first, { action: 'opened', ...fork(first) })
    await work()
    await approveRequest(scene.ctx, by, 1)
    await work()
  })

  const waiting = async () =>
    (await db.selectFrom('builds').select('waits_for_approval').orderBy('id').execute()).map(
      (build) => build.waits_for_approval,
    )

  test('is for its base alone', async () => {
    shows(first, easy)
    await tell(first, { action: 'edited', retargeted: true, base: easy, ...fork(first) })
    await work()
    expect(await waiting()).toEqual([false, true])
    expect(lastStatus(first)).toBe(waits)
    await expect(approveRequest(scene.ctx, by, 1)).rejects.toThrow('merged into easy by now')
    shows(first)
    await tell(first, { action: 'edited', retargeted: true, base: main, ...fork(first) })
    await work()
    expect(await waiting()).toEqual([false, true, true])
  })

  test('stays when its base branch is renamed', async () => {
    const renamed = { sha: main.sha, ref: 'trunk' }
    scene.codehost.tips = new Map([['refs/heads/trunk', main.sha]])
    shows(first, renamed)
    await tell(first, { action: 'edited', retargeted: true, base: renamed, ...fork(first) })
    await work()
    expect(await reasons()).toEqual(['accepted'])
    await finish('passed', 1)
    expect(lastStatus(first)).toBe('success: The build passed')
  })
})

test('a decision that is made again posts nothing again', async () => {
  await push()
  const { length } = scene.codehost.posted
  await acceptRequest(scene.ctx, 1)
  await work()
  expect(scene.codehost.posted).toHaveLength(length)
})
