import { beforeEach, describe, expect, test } from 'vitest'
import { CodehostError } from '../../src/codehost/codehost.ts'
import type { MergeGroupEvent } from '../../src/domain/event.ts'
import { acceptRequest } from '../../src/flow/requests/accept-request.ts'
import { publishOutbox } from '../../src/flow/statuses/publish-outbox.ts'
import { noon } from '../support/context.ts'
import { mergeGroupOf, pushTo, tip } from '../support/events.ts'
import { commitOf, putPull } from '../support/memory-codehost.ts'
import { preparedJob } from '../support/prepared-job.ts'
import {
  db,
  easy,
  faulty,
  finish,
  first,
  fork,
  lastCheck,
  lastStatus,
  main,
  onlyMain,
  pass,
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

describe('two heads within one second', () => {
  const changed_at = noon

  test.each([
    ['in their order', [first, second]],
    ['in the reverse order', [second, first]],
  ])('that are heard of %s leave the pull request at the last one', async (_order, heads) => {
    shows(second)
    for (const head of heads) {
      await tell(head, { action: head === first ? 'opened' : 'synchronize', changed_at })
    }
    const pulls = await db.selectFrom('pull_requests').select('head_sha').execute()
    expect(pulls).toEqual([{ head_sha: second }])
    await work()
    const decided = await reasons()
    expect(decided).toHaveLength(2)
    expect(decided).toEqual(expect.arrayContaining(['accepted', 'head_moved']))
    const jobs = await db.selectFrom('jobs').select('state').execute()
    expect(jobs).toEqual([{ state: 'created' }])
  })
})

describe('a job of a pull request whose head has moved since', () => {
  const variables = async (id: number) => {
    const { script } = await preparedJob(scene.ctx, id)
    return /^export SERVICE_PULL_REQUEST_SHA='(.*)'$/m.exec(script)?.[1]
  }

  test('has the head that it builds in its environment, not the newer one', async () => {
    for (const head of [first, second]) {
      shows(head)
      await tell(head, { action: head === first ? 'opened' : 'synchronize' })
      await work()
    }
    expect(await variables(1)).toBe(first)
    expect(await variables(2)).toBe(second)
  })

  test('of a merge group has the head of the pull request, as before', async () => {
    shows(first)
    await tell(first, { action: 'opened' })
    scene.codehost.files.set(tip, 'script: make')
    await receive(mergeGroupOf(scene.repository))
    await work()
    expect(await variables(2)).toBe(first)
  })
})

describe('a pull request that goes to another base and back', () => {
  test('is built for each, and ends with the result for its own', async () => {
    shows(first)
    await tell(first, { action: 'opened' })
    await work()
    await finish('failed', 1)
    shows(first, easy)
    await retarget(first, easy)
    await work()
    await finish('passed', 2)
    shows(first)
    await retarget(first, main)
    await work()
    await finish('failed', 3)
    expect(await reasons()).toEqual(['accepted', 'accepted', 'accepted'])
    expect(lastStatus(first)).toBe('failure: The build failed')
  })

  test('keeps no result of a build for the other one that ends last', async () => {
    shows(first, easy)
    await tell(first, { action: 'opened', base: easy })
    await work()
    shows(first)
    await retarget(first, main)
    await work()
    await finish('failed', 2)
    await finish('passed', 1)
    expect(lastStatus(first)).toBe('failure: The build failed')
  })

  test('does not keep the success of the other base, for which nothing was built', async () => {
    const scratch = { ...main, ref: 'scratch' }
    const { merge_commit_sha } = shows(first, scratch)
    scene.codehost.files.set(merge_commit_sha ?? '', 'script: make\nbranches:\n  only: [main]')
    await tell(first, { action: 'opened', base: scratch })
    await work()
    expect(lastStatus(first)).toMatch(/^success: No build: base branch not included/)
    const { merge_commit_sha: merge } = shows(first)
    scene.codehost.files.set(merge ?? '', 'script: make\nbranches:\n  only: [main]')
    await retarget(first, main)
    await work()
    expect(lastStatus(first)).toBe('pending: Build queued')
  })

  test('waits for approval again when it comes from a fork', async () => {
    const file = 'script: make\nbranches:\n  only: [main]'
    scene.codehost.files.set(shows(first).merge_commit_sha ?? '', file)
    await tell(first, { action: 'opened', ...fork(first) })
    await work()
    scene.codehost.files.set(shows(first, easy).merge_commit_sha ?? '', file)
    await tell(first, { action: 'edited', retargeted: true, base: easy, ...fork(first) })
    await work()
    scene.codehost.files.set(shows(first).merge_commit_sha ?? '', file)
    await tell(first, { action: 'edited', retargeted: true, base: main, ...fork(first) })
    await work()
    expect(lastStatus(first)).toBe('pending: Waiting for a maintainer to approve this commit')
  })

  test('is not built with the merge into the base before', async () => {
    const { merge_commit_sha } = shows(first)
    await tell(first, { action: 'opened' })
    await work()
    shows(first, easy, { merge_commit_sha })
    await retarget(first, easy)
    await work()
    expect(await reasons()).toEqual(['accepted', null])
    shows(first, easy)
    await work()
    expect(await reasons()).toEqual(['accepted', 'accepted'])
    const commits = await db.selectFrom('commits').select(['sha', 'branch']).orderBy('id').execute()
    expect(new Set(commits.map(({ sha }) => sha)).size).toBe(2)
    expect(commits.map(({ branch }) => branch)).toEqual(['main', 'easy'])
  })
})

describe('a head', () => {
  test('that was pushed over and comes back is built', async () => {
    scene.codehost.commits.set(first, commitOf(first, 'Greet'))
    shows(second)
    await tell(first, { action: 'opened' })
    await tell(second)
    await work()
    expect(lastStatus(first)).toMatch(/^error: Superseded/)
    shows(first)
    await tell(first)
    await work()
    await finish('passed', 2)
    expect(await reasons()).toEqual(['head_moved', 'accepted', 'accepted'])
    expect(lastStatus(first)).toBe('success: The build passed')
  })

  test('is built once although its event comes twice', async () => {
    shows(first)
    await tell(first)
    const duplicate = 'ignored: duplicate of the event that created request 1 for this commit'
    expect(await tell(first)).toBe(duplicate)
    await work()
    expect(await tell(first)).toBe(duplicate)
  })

  test('is built again when it is said to be reopened ten minutes later', async () => {
    shows(first)
    await tell(first, { action: 'reopened' })
    await work()
    expect(await tell(first, { action: 'reopened' })).toMatch(/^ignored/)
    await db
      .updateTable('requests')
      .set({ created_at: new Date(Date.now() - 601_000) })
      .execute()
    expect(await tell(first, { action: 'reopened' })).toBe('request: created request 2')
  })

  test.each([
    ['rejected', 'closed' as const],
    ['built', 'open' as const],
  ])('that was %s before it was closed and reopened twice is built', async (_, state) => {
    shows(first, main, { state })
    await tell(first, { action: 'opened' })
    await work()
    for (const changed of [1, 2]) {
      shows(first, main, { state: 'closed' })
      await tell(first, { action: 'closed', state: 'closed' })
      await work()
      if (changed === 2) shows(first)
      await tell(first, { action: 'reopened' })
      await work()
    }
    expect((await reasons()).at(-1)).toBe('accepted')
    expect(lastStatus(first)).toBe('pending: Build queued')
  })

  test('is not superseded by the one before while the code host is behind, by its own clock', async () => {
    const early = { changed_at: noon }
    const late = { changed_at: new Date(noon.getTime() + 5000) }
    scene.codehost.commits.set(second, commitOf(second, 'Greet'))
    shows(first, main, early)
    await tell(second, late)
    await tell(first, { action: 'opened', ...early })
    for (let reads = 0; reads < 10; reads += 1) await work()
    expect((await reasons())[0]).toBeNull()
    shows(second, main, late)
    await work()
    expect(await reasons()).toEqual(['accepted', 'head_moved'])
    expect(lastStatus(first)).toMatch(/^error: Superseded/)
  })

  test('is superseded at once when the code host shows a later change', async () => {
    scene.codehost.commits.set(first, commitOf(first, 'Greet'))
    shows(second, main, { changed_at: new Date(noon.getTime() + 5000) })
    await tell(first, { changed_at: noon })
    await work()
    expect(await reasons()).toEqual(['head_moved'])
  })

  test('that failed in one pull request is not passed by another one that is not built', async () => {
    const file = 'script: make\nbranches:\n  only: [main]'
    scene.codehost.files.set(shows(first).merge_commit_sha ?? '', file)
    await tell(first, { action: 'opened' })
    await work()
    await finish('failed', 1)
    const other = putPull(scene.codehost, { head: first, merge: 'f'.repeat(40), base: easy }, 8)
    scene.codehost.files.set(other.merge_commit_sha ?? '', file)
    await tell(first, { action: 'opened', number: 8, base: easy })
    await work()
    expect(await reasons()).toEqual(['accepted', 'branch_excluded'])
    expect(lastStatus(first)).toBe('failure: #7 into main: The build failed')
  })
})

test('a pull request that the code host shows closed leaves its head to the others, without an event', async () => {
  scene.codehost.files.set(shows(first).merge_commit_sha ?? '', 'script: make')
  await tell(first, { action: 'opened' })
  await work()
  const other = putPull(scene.codehost, { head: first, merge: null, base: main }, 8)
  const changed_at = noon
  other.changed_at = changed_at
  await tell(first, { action: 'opened', number: 8, changed_at })
  other.state = 'closed'
  await pass(61)
  await work()
  expect(await reasons()).toEqual(['accepted', 'no_merge_commit'])
  expect(lastStatus(first)).toBe('pending: Build queued')
  // An event of the same second, which came late, opens it no more.
  await tell(first, { action: 'edited', number: 8, changed_at })
  await work()
  expect(lastStatus(first)).toBe('pending: Build queued')
})

test('a late event sets back neither the head nor the state of a pull request', async () => {
  shows(second)
  await tell(second, { changed_at: new Date(noon.getTime() + 5000) })
  await tell(first, { action: 'closed', state: 'closed', changed_at: noon })
  expect(await db.selectFrom('pull_requests').selectAll().execute()).toMatchObject([
    { state: 'open', head_sha: second },
  ])
})

describe('a code host that has not all of it yet', () => {
  test('is queried again for a pull request and a head that it just named', async () => {
    await tell(first, { action: 'opened' })
    await work()
    expect(await reasons()).toEqual([null])
    shows(first)
    await work()
    expect(await reasons()).toEqual(['accepted'])
  })

  test('says in the end that they are gone', async () => {
    await tell(first, { action: 'opened' })
    for (let reads = 0; reads < 6; reads += 1) await work()
    expect(await reasons()).toEqual([null])
    await pass(61)
    await work()
    expect(await reasons()).toEqual(['no_merge_commit'])
    expect(lastStatus(first)).toMatch(
      /^error: No build: no merge commit: the code host no longer has this/,
    )
  })

  test('is queried again for the build file of a commit that it just named', async () => {
    expect(await receive(pushTo(scene.repository))).toBe('request: created request 1')
    await expect(acceptRequest(scene.ctx, 1)).rejects.toThrow(`does not show commit ${tip} yet`)
    scene.codehost.commits.set(tip, commitOf(tip, 'Greet'))
    scene.codehost.files.set(tip, 'script: make')
    await acceptRequest(scene.ctx, 1)
    expect(await reasons()).toEqual(['accepted'])
  })

  test('is reported again once it has a commit', async () => {
    scene.codehost.files.set(tip, 'script: make')
    await receive(pushTo(scene.repository))
    await acceptRequest(scene.ctx, 1)
    scene.codehost.failure = new CodehostError('the code host responded with 404', {
      kind: 'missing',
    })
    const stream = await statusStream()
    await publishOutbox(scene.ctx, stream)
    expect(scene.ctx.enqueued.at(-1)).toMatchObject({
      name: 'outbox.publish',
      options: { delay: 1000 },
    })
    scene.codehost.failure = undefined
    await work()
    expect(lastStatus(tip, 'push')).toBe('pending: Build queued')
  })
})

async function statusStream(): Promise<string> {
  const rows = await db.selectFrom('outbox').select('stream').execute()
  return rows.map(({ stream }) => stream).find((stream) => stream.startsWith('status:')) ?? ''
}

describe('a commit that is not built for one pull request', () => {
  const docs = { ...main, ref: 'docs' }

  test('keeps no success when its base becomes one that is built, not even while that conflicts', async () => {
    scene.codehost.files.set(shows(first, docs).merge_commit_sha ?? '', onlyMain)
    await tell(first, { action: 'opened', base: docs })
    await work()
    expect(lastStatus(first)).toMatch(/^success: No build: base branch not included/)
    shows(first, main, { mergeable: null })
    await retarget(first, main)
    await work()
    expect(lastStatus(first)).toMatch(/^pending/)
    shows(first, main, { mergeable: false })
    await work()
    expect(lastStatus(first)).toMatch(/^error: No build: /)
  })

  test('shows that in the end, where another one of it ends without a result', async () => {
    const showOther = (mergeable: boolean | null) =>
      putPull(scene.codehost, { head: first, merge: 'f'.repeat(40), base: main, mergeable }, 8)
    showOther(null)
    await tell(first, { action: 'opened', number: 8 })
    await work()
    scene.codehost.files.set(shows(first, docs).merge_commit_sha ?? '', onlyMain)
    await tell(first, { action: 'opened', base: docs })
    await work()
    expect(lastStatus(first)).toMatch(/^pending: #8 into main: Waiting for the code host/)
    showOther(false)
    await work()
    expect(await reasons()).toEqual(['no_merge_commit', 'branch_excluded'])
    expect(lastStatus(first)).toMatch(/^error: #8 into main: No build: conflicts with main/)
    await tell(first, { action: 'closed', state: 'closed', number: 8 })
    await work()
    expect(lastStatus(first)).toMatch(/^success: No build: base branch not included/)
  })
})

describe('a merge queue', () => {
  test('has a commit built that left it and comes back', async () => {
    scene.codehost.files.set(tip, 'script: make')
    await receive(mergeGroupOf(scene.repository))
    await work()
    await receive(mergeGroupOf(scene.repository, { action: 'destroyed', reason: 'dequeued' }))
    await receive(mergeGroupOf(scene.repository))
    await work()
    await finish('passed', 2)
    expect(lastStatus(tip)).toBe('success: The build passed')
    expect(lastStatus(tip, 'push')).toBe('success: The build passed')
  })

  test('has the result of another group of a commit, though one has left it', async () => {
    scene.codehost.files.set(tip, 'script: make')
    const left = mergeGroupOf(scene.repository)
    await receive(left)
    await work()
    await receive({ ...left, ref: left.ref.replace('pr-7', 'pr-8') })
    await work()
    await finish('passed', 2)
    await receive({ ...left, action: 'destroyed', reason: 'dequeued' })
    await work()
    expect(lastStatus(tip)).toBe('success: The build passed')
    expect(lastStatus(tip, 'push')).toBe('success: The build passed')
  })

  test('learns that a commit has lost its build file, because it may wait for a status', async () => {
    scene.codehost.commits.set(tip, commitOf(tip, 'Merge'))
    scene.codehost.files.set(main.sha, 'script: make')
    await receive(mergeGroupOf(scene.repository))
    await work()
    expect(await reasons()).toEqual(['no_build_file'])
    expect(lastStatus(tip)).toMatch(/^error: No build: no build configuration file/)
    expect(lastStatus(tip, 'push')).toMatch(/^error: No build: no build configuration file/)
  })

  test('has no commit built that left it before it was heard of', async () => {
    const left = mergeGroupOf(scene.repository, { action: 'destroyed', reason: 'dequeued' })
    await receive(left)
    expect(await receive(mergeGroupOf(scene.repository))).toBe(
      'ignored: duplicate of the event that created request 1 for this commit, which has left the queue',
    )
    await work()
    expect(await reasons()).toEqual(['left_merge_queue'])
    expect(await db.selectFrom('builds').select('id').execute()).toEqual([])
  })

  test('has a commit built that is requested again after it had left before it was heard of', async () => {
    scene.codehost.files.set(tip, 'script: make')
    await receive(mergeGroupOf(scene.repository, { action: 'destroyed', reason: 'dequeued' }))
    await receive(mergeGroupOf(scene.repository))
    await receive(mergeGroupOf(scene.repository))
    await work()
    expect(await reasons()).toEqual(['left_merge_queue', 'accepted'])
    expect(lastStatus(tip, 'push')).toBe('pending: Build queued')
  })

  test('has a commit built that is the head of its pull request as well', async () => {
    shows(tip)
    scene.codehost.files.set(tip, 'script: make')
    await tell(tip, { action: 'opened' })
    await work()
    await receive(mergeGroupOf(scene.repository))
    await work()
    expect(lastStatus(tip, 'push')).toBe('pending: Build queued')
  })

  test('gets no result of pushes for what is only not built as a pull request', async () => {
    scene.codehost.files.set(tip, 'if: type = push\nscript: make')
    await receive(mergeGroupOf(scene.repository))
    await work()
    expect(lastStatus(tip)).toMatch(/^success: No build: condition did not match/)
    expect(lastStatus(tip, 'push')).toMatch(
      /^error: No build for the merge queue: condition did not match/,
    )
  })
})

describe('a commit that several requests are about', () => {
  const asFile = (pull: { merge_commit_sha: string | null }, file: string) =>
    scene.codehost.files.set(pull.merge_commit_sha ?? '', file)

  /** Another pull request of the same head, and what it is about. */
  function shownToo(file: string, base = easy) {
    const merge = 'f'.repeat(40)
    const pull = putPull(scene.codehost, { head: first, merge, base }, 8)
    scene.codehost.commits.set(merge, commitOf(merge, 'Merge', [base.sha, first]))
    asFile(pull, file)
  }

  test.each(['refs/tags/v1', 'refs/heads/scratch'])(
    'keeps the failure of a push when it is pushed to %s, which is not built',
    async (ref) => {
      scene.codehost.files.set(tip, onlyMain)
      await receive(pushTo(scene.repository))
      await work()
      await finish('failed', 1)
      await receive(pushTo(scene.repository, { ref }))
      await work()
      expect((await reasons()).at(-1)).toBe('branch_excluded')
      expect(lastStatus(tip, 'push')).toMatch(/^failure: (branch main: )?The build failed$/)
    },
  )

  test('is not passed by a request that is not built while another one is under way', async () => {
    scene.codehost.files.set(tip, onlyMain)
    await receive(pushTo(scene.repository))
    await receive(pushTo(scene.repository, { ref: 'refs/tags/v1' }))
    await work()
    expect(lastStatus(tip, 'push')).toBe('pending: Build queued')
  })

  test('keeps the error of a condition that cannot be read', async () => {
    asFile(shows(first), faulty)
    await tell(first, { action: 'opened' })
    await work()
    shownToo(onlyMain)
    await tell(first, { action: 'opened', number: 8, base: easy })
    await work()
    expect(await reasons()).toEqual(['condition', 'branch_excluded'])
    expect(lastStatus(first)).toMatch(
      /^error: #7 into main: No build: condition cannot be evaluated/,
    )
  })

  test('keeps its result when a stranger opens a pull request of it, which waits', async () => {
    shows(first)
    await tell(first, { action: 'opened' })
    await work()
    await finish('passed', 1)
    shownToo('script: make', main)
    await tell(first, { action: 'opened', number: 8, ...fork(first) })
    await work()
    expect(await reasons()).toEqual(['accepted', 'accepted'])
    expect(lastStatus(first)).toBe('success: The build passed')
  })

  test('shows that it is not built for one, whatever a stranger’s pull request of it does', async () => {
    asFile(shows(first), onlyMain.replace('main', 'other'))
    await tell(first, { action: 'opened' })
    await work()
    const skipped = lastStatus(first)
    expect(skipped).toMatch(/^success: No build: base branch not included: main matches no entry/)
    shownToo('script: make')
    const theirs = { number: 8, base: easy }
    await tell(first, { action: 'opened', ...theirs, ...fork(first) })
    await work()
    expect(lastStatus(first)).toBe(skipped)
    await tell(second, { ...theirs, ...fork(second) })
    await work()
    expect(lastStatus(first)).toBe(skipped)
  })

  test.each([
    ['a file that cannot be used', 'script: [make', 'The build file cannot be used'],
    [
      'a condition that cannot be read',
      faulty,
      'The condition (if) cannot be read, which counts as false',
    ],
  ])('keeps the failing check of %s', async (_what, file, title) => {
    asFile(shows(first), file)
    await tell(first, { action: 'opened' })
    await work()
    expect(lastCheck()?.conclusion).toBe('failure')
    shownToo('script: make\nlanguage: ruby')
    await tell(first, { action: 'opened', number: 8, base: easy })
    await work()
    expect(lastCheck()).toMatchObject({
      external_id: '1',
      conclusion: 'failure',
      title: `#7 into main: ${title}`,
    })
  })

  test('has a check of its own again where the other pull request is closed, or has another base', async () => {
    asFile(shows(first), faulty)
    await tell(first, { action: 'opened' })
    await work()
    await tell(first, { action: 'closed', state: 'closed' })
    shownToo('script: make\nlanguage: ruby')
    await tell(first, { action: 'opened', number: 8, base: easy })
    await work()
    expect(lastCheck()).toMatchObject({ conclusion: 'neutral', title: '#8 into easy: No findings' })
  })

  test('shows what came of the newest base, whatever ends later', async () => {
    shows(first, easy)
    await tell(first, { action: 'opened', base: easy })
    await work()
    asFile(shows(first), faulty)
    await retarget(first, main)
    await work()
    await finish('passed', 1)
    expect(lastStatus(first)).toMatch(/^error: No build: condition cannot be evaluated/)
  })

  test('has no success of another base while the merge into the new one is awaited, or if there is no file', async () => {
    shows(first, easy)
    await tell(first, { action: 'opened', base: easy })
    await work()
    await finish('passed', 1)
    shows(first, main, { mergeable: null })
    await retarget(first, main)
    await work()
    expect(lastStatus(first)).toBe('pending: Waiting for the code host to create the merge commit')
    const { merge_commit_sha } = shows(first)
    scene.codehost.files.delete(merge_commit_sha ?? '')
    await pass(61)
    await work()
    expect((await reasons()).at(-1)).toBe('no_build_file')
    expect(lastStatus(first)).toBe('error: not tested against main')
  })

  /** The pull request goes from `easy` to `main`, while the code host shows this merge commit. */
  async function leavesEasy(merge_commit_sha: string | null) {
    await tell(first, { action: 'opened', base: easy })
    shows(first, main, { merge_commit_sha })
    await retarget(first, main)
    await work()
  }

  test('is never built as merged into what only the base before has', async () => {
    const untold = { sha: 'ed'.repeat(20), ref: 'easy' }
    const { merge_commit_sha } = shows(first, untold)
    scene.codehost.commits.set(main.sha, commitOf(main.sha, 'Base'))
    scene.codehost.tips = new Map([['refs/heads/main', main.sha]])
    await leavesEasy(merge_commit_sha)
    await pass(3600)
    await work()
    expect(await reasons()).toEqual([null, null])
    shows(first)
    await work()
    const built = await db.selectFrom('commits').select(['sha', 'branch']).execute()
    expect(new Set(built.map(({ branch }) => branch))).toEqual(new Set(['main']))
    expect(built.map(({ sha }) => sha)).not.toContain(merge_commit_sha)
  })

  test('is never built as merged into what both bases have, where only the one before was merged', async () => {
    const { merge_commit_sha } = shows(first, easy)
    // The new base has all of the former one, and more.
    scene.codehost.commits.set(easy.sha, commitOf(easy.sha, 'Base'))
    scene.codehost.commits.set(main.sha, commitOf(main.sha, 'Later', [easy.sha]))
    scene.codehost.tips = new Map([['refs/heads/main', main.sha]])
    await leavesEasy(merge_commit_sha)
    await pass(3600)
    await work()
    expect(await reasons()).toEqual([null, null])
    shows(first)
    await work()
    const built = await db.selectFrom('commits').select('sha').execute()
    expect(built.map(({ sha }) => sha)).not.toContain(merge_commit_sha)
  })

  test('is built as merged into its base, which the code host shows as it was before', async () => {
    const moved = { sha: 'ad'.repeat(20), ref: 'main' }
    const { merge_commit_sha } = shows(first, moved)
    scene.codehost.commits.set(moved.sha, commitOf(moved.sha, 'Later', [main.sha]))
    scene.codehost.tips = new Map([['refs/heads/main', moved.sha]])
    await leavesEasy(merge_commit_sha)
    expect((await reasons()).at(-1)).toBe('accepted')
    const built = await db.selectFrom('commits').select('sha').execute()
    expect(built.at(-1)?.sha).toBe(merge_commit_sha)
  })

  test('is not built as merged into a base that it was not merged into', async () => {
    const { merge_commit_sha } = shows(first, easy)
    await leavesEasy(merge_commit_sha)
    expect(await reasons()).toEqual([null, null])
    shows(first)
    await work()
    const built = await db.selectFrom('commits').select(['sha', 'branch']).execute()
    expect(new Set(built.map(({ branch }) => branch))).toEqual(new Set(['main']))
    expect(built.map(({ sha }) => sha)).not.toContain(merge_commit_sha)
  })

  test('of a merge queue gets no status if statuses of skipped builds are turned off', async () => {
    scene.ctx.config = { ...scene.ctx.config, statusForSkipped: false }
    scene.codehost.files.set(tip, 'script: make\nbranches:\n  only: [dev]')
    await receive(mergeGroupOf(scene.repository))
    await work()
    expect(await reasons()).toEqual(['branch_excluded'])
    for (const kind of ['push', 'pr']) expect(lastStatus(tip, kind)).toBeUndefined()
    expect(lastCheck()).toMatchObject({ conclusion: 'skipped' })
  })
})

describe('of two pull requests of one head, one that is not built', () => {
  /** The first is built; the other is of a stranger's fork. */
  beforeEach(async () => {
    shows(first)
    await tell(first, { action: 'opened' })
    await work()
    await finish('passed', 1)
  })

  const passed = 'success: The build passed'
  const theirs = (head: string) => ({ number: 8, ...fork(head) })

  function showsOther(head: string, given: Parameters<typeof putPull>[1] | object = {}) {
    const merge = `8${head.slice(0, 4)}`.padEnd(40, 'f')
    putPull(scene.codehost, { head, merge, base: main, ...given }, 8)
    scene.codehost.commits.set(merge, commitOf(merge, 'Merge', [main.sha, head]))
  }

  test('since no one approved it before it moved on leaves the other its result', async () => {
    showsOther(first)
    await tell(first, { action: 'opened', ...theirs(first) })
    await work()
    expect(lastStatus(first)).toBe(passed)
    showsOther(second)
    await tell(second, theirs(second))
    await work()
    expect(await reasons()).toEqual(['accepted', 'accepted', 'accepted'])
    expect(lastStatus(first)).toBe(passed)
  })

  test('because it now has another head leaves the other its result', async () => {
    showsOther(second)
    await tell(first, { action: 'opened', ...theirs(first) })
    await tell(second, theirs(second))
    await work()
    expect(await reasons()).toEqual(['accepted', 'head_moved', 'accepted'])
    expect(lastStatus(first)).toBe(passed)
  })

  test.each([
    ['conflicts', { mergeable: false }],
    ['is closed', { state: 'closed' as const }],
  ])(
    'since it waits for its merge commit and then %s leaves the other its result',
    async (_why, then) => {
      showsOther(first, { mergeable: null })
      await tell(first, { action: 'opened', ...theirs(first) })
      for (let tries = 0; tries < 5; tries++) await work()
      expect(lastStatus(first)).toBe(passed)
      showsOther(first, then)
      await work()
      expect(await reasons()).toEqual(['accepted', 'no_merge_commit'])
      expect(lastStatus(first)).toBe(passed)
    },
  )
})

describe('a commit whose', () => {
  const group = (number: number): MergeGroupEvent => {
    const event = mergeGroupOf(scene.repository)
    return { ...event, ref: event.ref.replace('pr-7', `pr-${number}`) }
  }

  test('second group leaves the queue has the result of the first one again', async () => {
    scene.codehost.files.set(tip, 'script: make')
    await receive(group(7))
    await work()
    await finish('passed', 1)
    await receive(group(8))
    await work()
    expect(lastStatus(tip)).toBe('pending: merge queue of main: Build queued')
    await receive({ ...group(8), action: 'destroyed', reason: 'dequeued' })
    await work()
    expect([lastStatus(tip), lastStatus(tip, 'push')]).toEqual([
      'success: The build passed',
      'success: The build passed',
    ])
  })

  test('group is left out has the result of its own push once it is merged', async () => {
    scene.codehost.files.set(tip, 'if: type = push\nscript: make')
    await receive(pushTo(scene.repository))
    await work()
    await finish('passed', 1)
    await receive(group(7))
    await work()
    expect(await reasons()).toEqual(['accepted', 'condition'])
    expect(lastStatus(tip, 'push')).toMatch(/^error: merge queue of main: No build for the merge/)
    await receive({ ...group(7), action: 'destroyed', reason: 'merged' })
    await work()
    expect(lastStatus(tip, 'push')).toBe('success: The build passed')
  })

  test('branch comes back to it has the result of the newest push, whichever build ends last', async () => {
    const other = 'c3'.repeat(20)
    for (const sha of [tip, other]) {
      scene.codehost.files.set(sha, 'script: make')
      scene.codehost.commits.set(sha, commitOf(sha, 'Change'))
    }
    await receive(pushTo(scene.repository, { before: other, after: tip }))
    await work()
    await receive(pushTo(scene.repository, { before: tip, after: other }))
    await work()
    await pass(700)
    await receive(pushTo(scene.repository, { before: other, after: tip }))
    await work()
    await finish('failed', 3)
    await finish('passed', 1)
    expect(lastStatus(tip, 'push')).toBe('failure: The build failed')
  })

  test('branch goes back to it within minutes is built again', async () => {
    for (const [before, after] of [
      [second, first],
      [first, second],
      [second, first],
    ] as const) {
      scene.codehost.files.set(after, 'script: make')
      await receive(pushTo(scene.repository, { before, after }))
      await work()
    }
    expect(await reasons()).toEqual(['accepted', 'accepted', 'accepted'])
    await finish('passed', 3)
    expect(lastStatus(first, 'push')).toBe('success: The build passed')
  })

  test('branch was pushed to it is built once although the push is heard of twice', async () => {
    scene.codehost.files.set(first, 'script: make')
    const push = pushTo(scene.repository, { before: second, after: first })
    await receive(push)
    expect(await receive(push)).toBe('ignored: duplicate of the push that created request 1')
  })

  test('pull request waits is not silenced by a request that was rejected without a word', async () => {
    shows(first, main, { mergeable: null })
    await tell(first, { action: 'opened' })
    for (let tries = 0; tries < 5; tries++) await work()
    await tell(first, { action: 'closed', state: 'closed' })
    await tell(first, { action: 'reopened' })
    await db.updateTable('repositories').set({ active: false }).execute()
    await acceptRequest(scene.ctx, 2)
    scene.ctx.pass(1)
    await db.updateTable('repositories').set({ active: true }).execute()
    shows(first)
    await work()
    await finish('passed', 1)
    expect(await reasons()).toEqual(['accepted', 'repository_inactive'])
    expect(lastStatus(first)).toBe('success: The build passed')
  })
})
