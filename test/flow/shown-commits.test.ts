// What trials through webhooks found on commits, and what they show now (D49, D51, D53).
import { beforeEach, describe, expect, test } from 'vitest'
import { setCron } from '../../src/flow/repositories/crons.ts'
import { runDueCrons } from '../../src/flow/repositories/run-due-crons.ts'
import { acceptRequest } from '../../src/flow/requests/accept-request.ts'
import { approveRequest } from '../../src/flow/requests/approve-request.ts'
import { createRequest } from '../../src/flow/requests/create-request.ts'
import { createServer } from '../../src/http/server.ts'
import { findBranch } from '../../src/store/repositories/branches.ts'
import { age } from '../support/age.ts'
import { v3Client } from '../support/client.ts'
import { pushTo, tip } from '../support/events.ts'
import { commitOf, putPull } from '../support/memory-codehost.ts'
import {
  approve,
  db,
  easy,
  finish,
  first,
  fork,
  lastCheck,
  lastStatus,
  main,
  make,
  newActor,
  onlyMain,
  pass,
  push,
  reasons,
  receive,
  retarget,
  scene,
  second,
  shows,
  tell,
  useScene,
  work,
} from './heads-scene.ts'

await useScene()

const waits = 'pending: Waiting for a maintainer to approve this commit'

/** Shows pull request 8 of a head into a base, with this build file. */
function showsOther(head: string, base: typeof main, file = 'script: make'): void {
  const merge = `8${head.slice(0, 4)}`.padEnd(40, 'f')
  putPull(scene.codehost, { head, merge, base }, 8)
  scene.codehost.commits.set(merge, commitOf(merge, 'Merge', [base.sha, head]))
  scene.codehost.files.set(merge, file)
}

/** Requests a build of the default branch over the API. */
async function requestBuild(): Promise<void> {
  const user = await make.user('pusher')
  await make.permission(user, scene.repository, 'push')
  const server = await createServer(scene.ctx)
  const asked = `POST /repo/${scene.repository.id}/requests`
  expect(await v3Client(server)(asked, user)).toMatchObject({ status: 202 })
}

/** Has a cron of the default branch run that is due. */
async function runCron(): Promise<void> {
  const branch = await findBranch(db, scene.repository, 'main')
  if (!branch) throw new Error('there is no branch')
  const daily = { interval: 'daily', start_at: null, timezone: 'UTC' } as const
  await setCron(scene.ctx, await newActor(), branch, {
    ...daily,
    dont_run_if_recent_build_exists: false,
  })
  await age(db, 61)
  await runDueCrons(scene.ctx)
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
    if (event_type === 'api') await requestBuild()
    else await runCron()
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
      await receive(pushTo(scene.repository, { ref, ...gone }))
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
  await receive(pushTo(scene.repository, { ref: 'refs/heads/one', ...gone }))
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

test('so does one that was deleted since and is recreated elsewhere', async () => {
  await push({ ref: 'refs/heads/one' })
  await push({ ref: 'refs/heads/two' })
  await finish('failed', 1)
  await finish('passed', 2)
  const nowhere = '0'.repeat(40)
  scene.codehost.tips = new Map()
  const gone = { deleted: true, head_commit: null, before: tip, after: nowhere }
  await receive(pushTo(scene.repository, { ref: 'refs/heads/one', ...gone }))
  scene.codehost.tips.set('refs/heads/one', second)
  await push({ ref: 'refs/heads/one', before: nowhere, after: second })
  expect(lastStatus(tip, 'push')).toBe('success: The build passed')
})

test('a branch that came back to a commit counts, also for what was built of it before', async () => {
  scene.codehost.tips = new Map([['refs/heads/one', tip]])
  await push({ ref: 'refs/heads/one' })
  await push({ ref: 'refs/heads/two' })
  scene.codehost.commits.set('refs/heads/one', commitOf(tip, 'Say hello'))
  scene.codehost.commits.set('refs/heads/two', commitOf(tip, 'Say hello'))
  for (const ref of ['refs/heads/one', 'refs/heads/two']) {
    const wanted = { ref, sha: undefined, message: undefined, configs: [], variables: undefined }
    await createRequest(scene.ctx, await newActor(), scene.repository, wanted)
  }
  await work()
  await finish('failed', 3)
  await finish('passed', 4)
  await push({ ref: 'refs/heads/one', before: tip, after: second, forced: true })
  expect(lastStatus(tip, 'api')).toBe('success: The build passed')
  await push({ ref: 'refs/heads/one', before: second, after: tip, forced: true })
  expect(lastStatus(tip, 'api')).toBe('failure: branch one: The build failed')
})

test('a tag counts for where it is, whichever of its pushes came first', async () => {
  scene.codehost.tips = new Map([
    ['refs/tags/v1', tip],
    ['refs/tags/v2', tip],
  ])
  await push({ ref: 'refs/tags/v1', before: second, after: tip, forced: true })
  await push({ ref: 'refs/tags/v1', before: '0'.repeat(40), after: second })
  await push({ ref: 'refs/tags/v2', before: '0'.repeat(40) })
  await finish('failed', 1)
  await finish('passed', 2)
  await finish('passed', 3)
  expect(lastStatus(tip, 'tag')).toBe('failure: tag v1: The build failed')
})

test('a tag holds its commit where a push that came late found it there', async () => {
  scene.codehost.tips = new Map([
    ['refs/tags/v1', tip],
    ['refs/tags/v2', tip],
  ])
  await push({ ref: 'refs/tags/v1', before: second, after: tip, forced: true })
  await push({ ref: 'refs/tags/v1', before: '0'.repeat(40), after: tip })
  await push({ ref: 'refs/tags/v1', before: tip, after: second, forced: true })
  await push({ ref: 'refs/tags/v2', before: '0'.repeat(40) })
  await finish('passed', 1)
  await finish('failed', 2)
  await finish('passed', 4)
  expect(lastStatus(tip, 'tag')).toBe('failure: tag v1: The build failed')
})

test('a branch that came back to its commit by a push that came late, and went on, holds it', async () => {
  const later = 'f3'.repeat(20)
  scene.codehost.tips = new Map([['refs/heads/one', later]])
  await push({ ref: 'refs/heads/one', before: '0'.repeat(40), after: tip })
  await push({ ref: 'refs/heads/two' })
  await push({ ref: 'refs/heads/one', before: tip, after: second })
  await push({ ref: 'refs/heads/one', before: second, after: tip, forced: true })
  await push({ ref: 'refs/heads/one', before: tip, after: later })
  await finish('passed', 2)
  await finish('failed', 4)
  expect(lastStatus(tip, 'push')).toBe('failure: branch one: The build failed')
})

test('a branch that was pushed by force between two pushes counts no more, whichever came first', async () => {
  const later = 'f3'.repeat(20)
  scene.codehost.tips = new Map([['refs/heads/one', later]])
  await push({ ref: 'refs/heads/one' })
  await push({ ref: 'refs/heads/two' })
  await push({ ref: 'refs/heads/one', before: second, after: later })
  await push({ ref: 'refs/heads/one', before: first, after: second, forced: true })
  await finish('failed', 1)
  await finish('passed', 2)
  expect(lastStatus(tip, 'push')).toBe('failure: branch one: The build failed')
  await push({ ref: 'refs/heads/one', before: tip, after: first })
  expect(lastStatus(tip, 'push')).toBe('success: The build passed')
})

test('a branch that was made before a push that came late still holds its commit', async () => {
  const later = 'f3'.repeat(20)
  scene.codehost.tips = new Map([['refs/heads/one', later]])
  await push({ ref: 'refs/heads/one', before: '0'.repeat(40), after: first })
  await push({ ref: 'refs/heads/one', before: tip, after: later })
  await push({ ref: 'refs/heads/two' })
  await push({ ref: 'refs/heads/one', before: first, after: tip })
  await finish('passed', 3)
  await finish('failed', 4)
  expect(lastStatus(tip, 'push')).toBe('failure: branch one: The build failed')
})

test('one that was recreated since then does not', async () => {
  const later = 'f3'.repeat(20)
  scene.codehost.tips = new Map([['refs/heads/one', later]])
  await push({ ref: 'refs/heads/one', before: '0'.repeat(40), after: first })
  await push({ ref: 'refs/heads/one', before: first, after: later, forced: true })
  await push({ ref: 'refs/heads/two' })
  await push({ ref: 'refs/heads/one', before: '0'.repeat(40), after: tip })
  await finish('passed', 3)
  await finish('failed', 4)
  expect(lastStatus(tip, 'push')).toBe('success: The build passed')
})

test('a tag that was deleted before its push was decided does not come back with its build', async () => {
  const nowhere = '0'.repeat(40)
  scene.codehost.tips = new Map([
    ['refs/tags/v1', tip],
    ['refs/tags/v2', tip],
  ])
  await push({ ref: 'refs/tags/v2', before: nowhere })
  await receive(pushTo(scene.repository, { ref: 'refs/tags/v1', before: nowhere }))
  scene.codehost.tips.delete('refs/tags/v1')
  const gone = { deleted: true, head_commit: null, before: tip, after: nowhere }
  await receive(pushTo(scene.repository, { ref: 'refs/tags/v1', ...gone }))
  await work()
  await finish('passed', 1)
  await finish('failed', 2)
  expect(lastStatus(tip, 'tag')).toBe('success: The build passed')
  const tags = await db.selectFrom('tags').select(['name', 'exists_on_codehost']).execute()
  expect(tags).toContainEqual({ name: 'v1', exists_on_codehost: false })
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
  expect(lastStatus(first)).toMatch(/^error: No build: conflicts with main: resolve/)
  expect(lastCheck()).toMatchObject({ conclusion: 'failure' })
  shows(second, main, { mergeable: false })
  await tell(second)
  await work()
  expect(lastStatus(second)).toMatch(/^error: No build: conflicts with main/)
  shows(second, easy)
  await retarget(second, easy)
  await work()
  expect(lastStatus(second)).toBe('pending: Build queued')
  expect(lastCheck()).toMatchObject({ conclusion: 'neutral' })
})

test('a pull request that conflicted is built at its next head', async () => {
  shows(first, main, { mergeable: false })
  await tell(first, { action: 'opened' })
  await work()
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
  ])('by %s is not a success before a maintainer says so', async (_how, message, file) => {
    await opened(message, file)
    expect(lastStatus(first)).toMatch(/^pending: Waiting for a maintainer to approve .*: \w/)
    expect(lastCheck()).toMatchObject({ conclusion: 'action_required', actions: [{}] })
    expect(await approve()).toBe(`noted: maintainer approved ${first}`)
    expect(lastStatus(first)).toMatch(/^success: No build: /)
    expect(lastCheck()).toMatchObject({ conclusion: 'skipped' })

    // Also after the approval has expired.
    await db
      .updateTable('approvals')
      .set({ created_at: new Date(0) })
      .execute()
    await tell(first, { action: 'closed', ...fork(first) })
    await tell(first, { action: 'reopened', ...fork(first) })
    await work()
    expect(lastStatus(first)).toMatch(/^success: No build: /)
  })

  test('is a success where the file of the base leaves it out as well', async () => {
    const file = 'script: make\nif: type = push'
    scene.codehost.files.set(main.sha, file)
    await opened('Greet', file)
    expect(lastStatus(first)).toMatch(/^success: No build: condition did not match/)
  })

  test('by taking a pages branch off its filter is not a success', async () => {
    const pages = { sha: '9a'.repeat(20), ref: 'gh-pages' }
    const file = 'script: make\nbranches: { only: [gh-pages] }'
    scene.codehost.files.set(pages.sha, file)
    shows(first, pages)
    await tell(first, { action: 'opened', base: pages, ...fork(first) })
    await work()
    expect(lastStatus(first)).toMatch(/^pending: Waiting for a maintainer .*: pages branch is not/)
    expect(lastCheck()).toMatchObject({ conclusion: 'action_required' })
  })

  test('is judged by the file of the base that it has before the event about that comes', async () => {
    const onlyEasy = 'script: make\nbranches: { only: [easy] }'
    scene.codehost.files.set(easy.sha, onlyEasy)
    scene.codehost.files.set(main.sha, 'script: make')
    scene.codehost.files.set(shows(first).merge_commit_sha ?? '', onlyEasy)
    await tell(first, { action: 'opened', base: easy, ...fork(first) })
    await work()
    await tell(first, { action: 'edited', retargeted: true, ...fork(first) })
    await work()
    expect(await reasons()).toEqual(['branch_excluded'])
    expect(lastStatus(first)).toMatch(/^pending: Waiting for a maintainer to approve .*: \w/)
  })

  test('is not a success once it is closed', async () => {
    await opened('Greet [skip ci]', 'script: make')
    shows(first, main, { state: 'closed' })
    await tell(first, { action: 'closed', state: 'closed', ...fork(first) })
    await work()
    expect(lastStatus(first)).toMatch(/^error: Superseded/)
  })

  test('is not a success by another pull request of it, into a base that is not built', async () => {
    scene.codehost.files.set(easy.sha, onlyMain)
    scene.codehost.files.set(shows(first, easy).merge_commit_sha ?? '', onlyMain)
    await tell(first, { action: 'opened', base: easy, ...fork(first) })
    await work()
    expect(lastStatus(first)).toMatch(/^success: No build: base branch not included/)
    showsOther(first, main)
    await tell(first, { action: 'opened', number: 8, ...fork(first) })
    await work()
    expect(lastStatus(first)).toBe(waits)
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
    await approve()
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
    await expect(approveRequest(scene.ctx, await newActor(), 1)).rejects.toThrow(
      'now to be merged into easy',
    )
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

  test('ends when its base branch is deleted once another one is at its commit', async () => {
    const trunk = { sha: main.sha, ref: 'trunk' }
    const { id: repository_id } = scene.repository
    const known = { repository_id, name: trunk.ref, created_at: new Date(0) }
    await db.insertInto('branches').values(known).execute()
    scene.codehost.tips = new Map([['refs/heads/trunk', trunk.sha]])
    // It has the same merge commit.
    shows(first, trunk, { merge: shows(first).merge_commit_sha })
    await tell(first, { action: 'edited', retargeted: true, base: trunk, ...fork(first) })
    await work()
    expect(await waiting()).toEqual([false, true])
    expect(lastStatus(first)).toBe(waits)
  })
})

describe('a pull request that gets another base', () => {
  beforeEach(async () => {
    shows(first, easy)
    await tell(first, { action: 'opened', base: easy })
    await work()
  })

  test('keeps no success if there is no build file for the new base, even if nothing was posted meanwhile', async () => {
    await finish('passed', 1)
    scene.codehost.files.delete(shows(first).merge_commit_sha ?? '')
    await pass(61)
    await retarget(first, main)
    await pass(61)
    await work()
    expect(await reasons()).toEqual(['accepted', 'no_build_file'])
    expect(lastStatus(first)).toBe('error: not tested against main')
  })

  test('keeps no check of a build that passed while the merge commit is awaited', async () => {
    scene.ctx = { ...scene.ctx, config: { ...scene.ctx.config, buildCheck: true } }
    const check = () => scene.codehost.runs.findLast(({ name }) => name.endsWith('Pull Request'))
    await finish('passed', 1)
    expect(check()).toMatchObject({ conclusion: 'success' })
    shows(first, main, { mergeable: null })
    await retarget(first, main)
    await work()
    expect(check()).toMatchObject({ conclusion: null, external_id: 'request-2' })
    scene.codehost.files.delete(shows(first).merge_commit_sha ?? '')
    await pass(61)
    await work()
    expect(check()).toMatchObject({ conclusion: 'failure', title: 'not tested against main' })
  })
})

describe('a draft that is ready', () => {
  const ready = async (file: string) => {
    const { merge_commit_sha } = shows(first, main, { draft: true })
    scene.codehost.files.set(merge_commit_sha ?? '', file)
    await tell(first, { action: 'opened', draft: true })
    await work()
    shows(first)
    await tell(first, { action: 'ready_for_review' })
    await work()
    return reasons()
  }

  test.each([
    ['of the build', 'if: NOT draft\nscript: make', 'condition'],
    ['of a job', 'jobs:\n  include:\n    - script: make\n      if: draft = false', 'no_jobs'],
  ])('is decided on again where a condition %s names that', async (_what, file, reason) => {
    expect(await ready(file)).toEqual([reason, 'accepted'])
    expect(lastStatus(first)).toBe('pending: Build queued')
  })

  test('is not built again where none does', async () => {
    expect(await ready('script: make draft')).toEqual(['accepted'])
  })
})

test('a pending status ends with the reason where nothing counts', async () => {
  shows(first, main, { mergeable: null })
  await tell(first, { action: 'opened' })
  for (let tries = 0; tries < 5; tries += 1) await work()
  expect(lastStatus(first)).toMatch(/^pending: Waiting for the code host to create the merge/)
  scene.codehost.files.delete(shows(first).merge_commit_sha ?? '')
  await pass(61)
  await work()
  expect(await reasons()).toEqual(['no_build_file'])
  expect(lastStatus(first)).toMatch(/^error: No build: no build configuration file/)
})

test('a decision that is made again posts nothing again', async () => {
  await push()
  const { length } = scene.codehost.posted
  await acceptRequest(scene.ctx, 1)
  await work()
  expect(scene.codehost.posted).toHaveLength(length)
})
