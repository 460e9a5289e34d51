import { beforeEach, describe, expect, test } from 'vitest'
import { CodehostError } from '../../src/codehost/codehost.ts'
import { cancelBuild } from '../../src/flow/builds/cancel-build.ts'
import { restartBuild } from '../../src/flow/builds/restart-build.ts'
import { createServer } from '../../src/http/server.ts'
import { changeSettings } from '../../src/store/repositories/settings.ts'
import { approvalOf } from '../../src/store/requests/approvals.ts'
import { findRequest } from '../../src/store/requests/requests.ts'
import { pushTo, tip } from '../support/events.ts'
import { commitOf, putPull } from '../support/memory-codehost.ts'
import {
  approve,
  db,
  finish,
  first,
  fork,
  lastCheck,
  lastStatus,
  main,
  make,
  newActor,
  push,
  reasons,
  receive,
  repeat,
  scene,
  second,
  shows,
  tell,
  useScene,
  work,
} from './heads-scene.ts'

// What was green though nothing had passed, or stayed open, in trials through events.

await useScene()

const nowhere = '0'.repeat(40)
const waits = /^pending: Waiting for a maintainer/

/** Has the merge commit of the pull request the build file. */
function showsFile(file: string, draft = false): void {
  const { merge_commit_sha } = shows(first, main, { draft })
  scene.codehost.files.set(merge_commit_sha ?? '', file)
}

/** Has something happen while the next file is read. */
function whileReading(happens: () => Promise<unknown>): void {
  const { file } = scene.codehost
  scene.codehost.file = async (...args) => {
    scene.codehost.file = file
    await happens()
    return file(...args)
  }
}

/** Has the code host refuse all files meanwhile. */
async function unfetched(act: () => Promise<void>): Promise<void> {
  scene.ctx = { ...scene.ctx, config: { ...scene.ctx.config, buildCheck: true } }
  const { file } = scene.codehost
  scene.codehost.file = () =>
    Promise.reject(new CodehostError('451 Repository access blocked', { kind: 'refused' }))
  await act()
  scene.codehost.file = file
}

const buildCheck = () => scene.codehost.runs.findLast(({ name }) => name.startsWith('service - '))

describe('a draft', () => {
  const file = 'if: NOT draft\nscript: make'

  test('that is ready while its build file is read is built', async () => {
    showsFile(file, true)
    await tell(first, { action: 'opened', draft: true })
    whileReading(() => tell(first, { action: 'ready_for_review' }))
    await work()
    await work()
    expect(await reasons()).toEqual(['accepted'])
    expect(lastStatus(first)).toBe('pending: Build queued')
  })

  test('that a pull request becomes while its build file is read is not', async () => {
    showsFile(file)
    await tell(first, { action: 'opened' })
    whileReading(() => tell(first, { action: 'converted_to_draft', draft: true }))
    await work()
    await work()
    expect(await reasons()).toEqual(['condition'])
  })

  test('that is ready is decided again, also where the repository was inactive in between', async () => {
    showsFile(file, true)
    await tell(first, { action: 'opened', draft: true })
    await work()
    await db.updateTable('repositories').set({ active: false }).execute()
    await tell(first, { action: 'closed', state: 'closed', draft: true })
    await tell(first, { action: 'reopened', draft: true })
    await work()
    await db.updateTable('repositories').set({ active: true }).execute()
    await tell(first, { action: 'ready_for_review' })
    await work()
    expect(lastStatus(first)).toBe('pending: Build queued')
  })
})

describe('a fork that runs without an approval', () => {
  const never = () => {
    scene.ctx = { ...scene.ctx, config: { ...scene.ctx.config, forkApproval: 'never' } }
  }

  test('shows the result of its own build, and no success once it leaves itself out', async () => {
    never()
    scene.codehost.files.set(main.sha, 'script: make')
    showsFile('if: draft = true\nscript: false', true)
    await tell(first, { action: 'opened', draft: true, ...fork(first) })
    await work()
    await finish('failed', 1)
    await work()
    expect(lastStatus(first)).toBe('failure: The build failed')
    showsFile('if: draft = true\nscript: false')
    await tell(first, { action: 'ready_for_review', ...fork(first) })
    await work()
    expect(await reasons()).toEqual(['accepted', 'condition'])
    expect(lastStatus(first)).toMatch(waits)
    expect(lastCheck()?.conclusion).toBe('action_required')
    const left = await findRequest(db, 2)
    expect(left && (await approvalOf(db, left, 60))).toMatchObject({ state: 'waiting' })

    await approve()
    expect(lastStatus(first)).toMatch(/^success: No build/)
    expect(lastCheck()?.conclusion).toBe('skipped')
  })

  test('hides no other one of the same head that waits', async () => {
    never()
    showsFile('script: make')
    await tell(first, { action: 'opened', ...fork(first) })
    await work()
    await finish('passed', 1)
    scene.ctx = { ...scene.ctx, config: { ...scene.ctx.config, forkApproval: 'always' } }
    putPull(scene.codehost, { head: first, merge: 'c7'.repeat(20) }, 8)
    scene.codehost.files.set('c7'.repeat(20), 'script: make')
    await tell(first, { action: 'opened', number: 8, ...fork(first) })
    await work()
    expect(lastStatus(first)).toMatch(waits)
  })
})

test.each([
  ['a condition that cannot be read', 'if: (type = push\nscript: make', 'if: type = push'],
  ['a condition that never holds', 'if: typ = push\nscript: make', 'if: type = push'],
  [
    'a condition of a job that cannot be read',
    'jobs: { include: [{ script: make, if: (type = push }] }',
    'jobs: { include: [{ script: make, if: type = push }] }',
  ],
])('a fork is not passed by %s of the base', async (_what, ofBase, own) => {
  scene.codehost.files.set(main.sha, ofBase)
  showsFile(`${own}\nscript: make`)
  await tell(first, { action: 'opened', ...fork(first) })
  await work()
  expect(lastStatus(first)).toMatch(waits)
})

test('a fork is not passed by a file that its base had when it was pushed, and has no more', async () => {
  const moved = { sha: 'ad'.repeat(20), ref: 'main' }
  scene.codehost.files.set(main.sha, 'if: type = cron\nscript: make')
  scene.codehost.files.set(moved.sha, 'script: make')
  const { merge_commit_sha } = shows(first, moved)
  scene.codehost.files.set(merge_commit_sha ?? '', 'if: type = cron\nscript: make')
  await tell(first, { action: 'opened', base: main, ...fork(first) })
  await work()
  expect(lastStatus(first)).toMatch(waits)
})

test('a lost build file is found missing by the base that is built with the head', async () => {
  const moved = { sha: 'ad'.repeat(20), ref: 'main' }
  scene.codehost.files.set(moved.sha, 'script: make')
  scene.codehost.files.delete(main.sha)
  const { merge_commit_sha } = shows(first, moved)
  scene.codehost.files.delete(merge_commit_sha ?? '')
  await tell(first, { action: 'opened', base: main })
  await work()
  expect(lastStatus(first)).toMatch(/^error: No build: no build configuration file/)
})

test('a build that ends with an error before it starts is the last build, instead of a success', async () => {
  await push({ after: first })
  await finish('passed', 1)
  await push({ after: second }, 'Say hello', 'script: [make')
  const server = await createServer(scene.ctx)
  const answer = await server.inject({
    url: '/repos/octavia/hello',
    headers: { accept: 'application/vnd.service.2.1+json' },
  })
  expect(answer.json()).toMatchObject({
    repo: { last_build_number: '2', last_build_state: 'errored' },
  })
})

test.each(['always', 'never'] as const)(
  'a file of a fork that cannot be read is not a result of the repository with FORK_APPROVAL=%s',
  async (forkApproval) => {
    scene.ctx = { ...scene.ctx, config: { ...scene.ctx.config, forkApproval } }
    showsFile('script: [make')
    await tell(first, { action: 'opened', ...fork(first) })
    await work()
    expect(lastStatus(first)).toMatch(/^error/)
    const server = await createServer(scene.ctx)
    const answer = await server.inject({
      url: '/repos/octavia/hello',
      headers: { accept: 'application/vnd.service.2.1+json' },
    })
    expect(answer.json()).toMatchObject({
      repo: { last_build_number: null, last_build_state: null },
    })
  },
)

test('a failed build of a closed pull request does not turn green when it is restarted', async () => {
  showsFile('script: make')
  await tell(first, { action: 'opened' })
  await work()
  await finish('passed', 1)
  await tell(first, { action: 'closed', state: 'closed' })
  await tell(first, { action: 'reopened' })
  await work()
  await finish('failed', 2)
  shows(first, main, { state: 'closed' })
  await tell(first, { action: 'closed', state: 'closed' })
  await work()
  expect(lastStatus(first)).toBe('failure: The build failed')
  await restartBuild(scene.ctx, await newActor(), 2)
  await work()
  expect(lastStatus(first)).toBe('pending: Build queued')
  await cancelBuild(scene.ctx, await newActor(), 2)
  await work()
  expect(lastStatus(first)).toBe('error: The build was canceled')
})

test('a commit is red again when a failed branch that was deleted goes on from it', async () => {
  scene.codehost.tips = new Map([['refs/heads/two', tip]])
  await push({ ref: 'refs/heads/one', before: nowhere })
  await push({ ref: 'refs/heads/two', before: nowhere })
  await finish('failed', 1)
  await finish('passed', 2)
  const gone = { deleted: true, head_commit: null, before: tip, after: nowhere }
  await receive(pushTo(scene.repository, { ref: 'refs/heads/one', ...gone }))
  await work()
  expect(lastStatus(tip, 'push')).toBe('success: The build passed')
  scene.codehost.tips.set('refs/heads/one', second)
  await push({ ref: 'refs/heads/one', before: tip, after: second })
  expect(lastStatus(tip, 'push')).toBe('failure: branch one: The build failed')
})

describe('a build file that could not be fetched', () => {
  test('and leaves out its build when that is restarted ends both checks', async () => {
    await unfetched(() => push())
    expect(lastStatus(tip, 'push')).toMatch(/^error: The build file could not be fetched/)
    scene.codehost.files.set(tip, 'script: make\nbranches: { only: [other] }')
    expect(await repeat(tip)).toMatch(/^noted: build 1 was restarted/)
    expect(lastStatus(tip, 'push')).toMatch(/^success: No build/)
    expect(lastCheck()).toMatchObject({ conclusion: 'skipped' })
    expect(buildCheck()).toMatchObject({ conclusion: 'skipped' })
  })

  test('of a fork, which leaves out its build then, can be approved', async () => {
    shows(first)
    await unfetched(async () => {
      await tell(first, { action: 'opened', ...fork(first) })
      await work()
    })
    showsFile('script: make\nif: type = push')
    scene.codehost.files.set(main.sha, 'script: make')
    expect(await repeat(first, lastCheck())).toMatch(/^noted: build 1 was restarted/)
    expect(lastStatus(first)).toMatch(waits)
    expect(lastCheck()).toMatchObject({ conclusion: 'action_required' })
    expect(lastCheck()?.actions).toHaveLength(1)
    expect(buildCheck()?.actions).toHaveLength(1)
    await approve()
    expect(lastStatus(first)).toMatch(/^success/)
    expect(lastCheck()).toMatchObject({ conclusion: 'skipped' })
  })
})

describe('the check of a commit without a build file, once that may be built,', () => {
  const allow = () =>
    changeSettings(db, scene.repository.id, { builds_only_with_service_yml: false })

  test('ends where the file could not be fetched before', async () => {
    await unfetched(() => push({ after: first }))
    expect(lastCheck()).toMatchObject({ conclusion: 'failure' })
    scene.codehost.files.delete(first)
    await allow()
    await repeat(first)
    expect(lastCheck()).toMatchObject({ conclusion: 'neutral', title: 'No build file' })
  })

  test('ends where a push of it was left out before', async () => {
    await push({ after: second })
    await push({ after: first, before: second }, 'Remove the file', null)
    expect(lastCheck()).toMatchObject({ conclusion: 'failure', head_sha: first })
    await allow()
    await push({ after: second, before: first, forced: true })
    await push({ after: first, before: second, forced: true }, 'Remove the file', null)
    expect(lastCheck()).toMatchObject({
      ...{ conclusion: 'neutral', head_sha: first, title: 'No build file' },
      summary: 'This commit has no `.service.yml`. Its build is one job of the language `generic`.',
    })
  })

  test('is none where nothing was said before', async () => {
    await allow()
    await push({ after: first }, 'Say hello', null)
    expect(lastStatus(first, 'push')).toBe('pending: Build queued')
    expect(lastCheck()).toBeUndefined()
  })
})

test('a pull request that is closed before it starts leaves the check of its push alone', async () => {
  await push({ after: first })
  await finish('passed', 1)
  shows(first)
  await tell(first, { action: 'opened' })
  await work()
  shows(first, main, { state: 'closed' })
  await tell(first, { action: 'closed', state: 'closed' })
  await work()
  expect(lastStatus(first)).toMatch(/^error: Superseded/)
  expect(lastCheck()).toMatchObject({ conclusion: 'neutral' })
})

describe('a blocked sender', () => {
  let sender: { codehost_id: number; login: string }
  beforeEach(async () => {
    const user = await make.user('mallory')
    await db
      .updateTable('users')
      .set({ blocked_at: new Date() })
      .where('id', '=', user.id)
      .execute()
    sender = { codehost_id: Number(user.codehost_id), login: 'mallory' }
  })

  test('of a fork that skips its own commit shows an error, which waits for no one', async () => {
    shows(first)
    scene.codehost.commits.set(first, commitOf(first, 'Greet [skip ci]'))
    await tell(first, { action: 'opened', ...fork(first), sender })
    await work()
    expect(lastStatus(first)).toBe('error: No build: not authorized: mallory is blocked here')
  })

  test('cannot make a commit pass with a skip command', async () => {
    await push({ sender }, 'Greet [skip ci]')
    expect(lastStatus(tip, 'push')).toBe('error: No build: not authorized: mallory is blocked here')
  })
})
