import { beforeEach, describe, expect, test } from 'vitest'
import { cancelBuild } from '../../src/flow/builds/cancel-build.ts'
import { mergeGroupOf, pushTo, tip } from '../support/events.ts'
import { commitOf, putPull } from '../support/memory-codehost.ts'
import {
  easy,
  faulty,
  finish,
  first,
  fork,
  lastCheck,
  lastStatus,
  main,
  newActor,
  onlyMain,
  receive,
  scene,
  second,
  tell,
  useScene,
  work,
} from './heads-scene.ts'

await useScene()

const docs = { sha: 'd0'.repeat(20), ref: 'docs' }
const put = (n: number, head: string, base: typeof main, file: string, given: object = {}) => {
  const merge = `${n}${base.ref === 'main' ? 0 : base.ref.length}${head.slice(0, 4)}`.padEnd(
    40,
    'f',
  )
  const pull = putPull(scene.codehost, { head, merge, base, ...given }, n)
  scene.codehost.commits.set(merge, commitOf(merge, 'Merge', [base.sha, head]))
  scene.codehost.files.set(merge, file)
  return pull
}
const cancel = async (id: number) => {
  await cancelBuild(scene.ctx, await newActor(), id)
  await work()
}
const stranger = async (n: number, sha: string, action = 'opened', given: object = {}) => {
  put(n, sha, main, 'script: make', given)
  await tell(sha, { action, number: n, ...fork(sha) })
  await work()
}

const deleted = (ref: string, before: string) =>
  pushTo(scene.repository, { ref, before, after: '0'.repeat(40), deleted: true, head_commit: null })
const open = async (
  n: number,
  sha: string,
  base: typeof main,
  file = 'script: make',
  given: object = {},
  from: object = {},
) => {
  put(n, sha, base, file, given)
  await tell(sha, { action: 'opened', number: n, base, ...from })
  await work()
}
const close = async (n: number, sha: string, base: typeof main, from: object = {}) => {
  put(n, sha, base, 'script: make', { state: 'closed' })
  await tell(sha, { action: 'closed', state: 'closed', number: n, base, ...from })
  await work()
}
/** A stranger opens pull request n at `first`, which is at `second` before that is looked at. */
const superseded = async (n: number) => {
  put(n, second, main, 'script: make')
  await tell(first, { action: 'opened', number: n, ...fork(first) })
  await tell(second, { number: n, ...fork(second) })
  await work()
}
const passing = 'success: The build passed'
const skipped = /^success: No build: base branch not included/

describe('a failure of one pull request stays', () => {
  beforeEach(async () => {
    await open(7, first, main)
    await open(9, first, easy)
    await finish('passed', 2)
    await finish('failed', 1)
  })
  test('when that of a stranger comes and goes', async () => {
    await stranger(8, first)
    await stranger(8, second, 'synchronize')
    expect(lastStatus(first)).toBe('failure: #7 into main: The build failed')
  })
  test('when one that passed is closed, and that of a stranger superseded', async () => {
    await close(9, first, easy)
    await superseded(8)
    expect(lastStatus(first)).toBe('failure: The build failed')
  })
})
describe('a build that is canceled is not a success', () => {
  test('by what was not built for the base before', async () => {
    await open(7, first, docs, onlyMain, {}, fork(first))
    put(7, first, main, onlyMain)
    await tell(first, { action: 'edited', retargeted: true, base: main, ...fork(first) })
    await work()
    expect(lastStatus(first)).toMatch(/^pending: Waiting for a maintainer/)
    await cancel(1)
    expect(lastStatus(first)).toBe('error: The build was canceled')
  })
  test('by another pull request of the stranger', async () => {
    await open(7, first, main, onlyMain, {}, fork(first))
    await open(8, first, docs, onlyMain, {}, fork(first))
    await cancel(1)
    expect(lastStatus(first)).toBe('error: The build was canceled')
  })
  test('in a merge queue that it has not left', async () => {
    scene.codehost.files.set(tip, onlyMain)
    await receive(mergeGroupOf(scene.repository))
    await work()
    await receive(pushTo(scene.repository, { ref: 'refs/heads/scratch' }))
    await work()
    await cancel(1)
    expect(lastStatus(tip, 'push')).toBe('error: merge queue of main: The build was canceled')
  })
})
test('a push that failed is not passed by the group that led to it', async () => {
  scene.codehost.files.set(tip, 'script: make')
  await receive(mergeGroupOf(scene.repository))
  await work()
  await receive(mergeGroupOf(scene.repository, { action: 'destroyed', reason: 'merged' }))
  await receive(pushTo(scene.repository))
  await work()
  await finish('failed', 2)
  await finish('passed', 1)
  expect(lastStatus(tip, 'push')).toBe('failure: The build failed')
})
describe('a success stays', () => {
  beforeEach(async () => {
    await open(7, first, main)
    await finish('passed', 1)
    await stranger(8, first)
  })
  test('when those of two strangers wait and move on', async () => {
    await stranger(9, first)
    await stranger(8, second, 'synchronize')
    await stranger(9, second, 'synchronize')
    expect(lastStatus(first)).toBe(passing)
  })
  test('when that of one waits and that of another is superseded', async () => {
    await superseded(9)
    expect(lastStatus(first)).toBe(passing)
  })
  test('when that of one has moved on and that of another is superseded', async () => {
    await stranger(8, second, 'synchronize')
    await superseded(9)
    expect(lastStatus(first)).toBe(passing)
  })
})
describe('a commit is not left pending, or without a word', () => {
  test('when a build is dropped while another request is undecided', async () => {
    await stranger(8, first)
    await open(7, first, main, 'script: make', { mergeable: null })
    await stranger(8, second, 'synchronize')
    put(7, first, main, 'script: make', { mergeable: false })
    await work()
    expect(lastStatus(first)).not.toMatch(/^pending/)
  })
  test('when a pull request that waits is closed', async () => {
    await open(7, first, docs, onlyMain)
    await stranger(8, first)
    await close(8, first, main, fork(first))
    expect(lastStatus(first)).toMatch(skipped)
  })
  test('when one that waited was closed before', async () => {
    await stranger(8, first)
    await close(8, first, main, fork(first))
    await open(7, first, docs, onlyMain)
    expect(lastStatus(first)).toMatch(skipped)
  })
  test('when one waits beside one that conflicts', async () => {
    await open(7, first, main, 'script: make', { mergeable: null })
    await stranger(8, first)
    put(7, first, main, 'script: make', { mergeable: false })
    await work()
    expect(lastStatus(first)).toMatch(/^error: No build: conflicts with main/)
  })
})
describe('what is skipped on purpose is shown beside another pull request', () => {
  test('that is superseded', async () => {
    await open(7, first, docs, onlyMain)
    await superseded(8)
    expect(lastStatus(first)).toMatch(skipped)
  })
  test('that waited for its merge commit and is closed', async () => {
    await open(7, first, docs, onlyMain)
    put(8, first, main, 'script: make', { mergeable: null })
    await tell(first, { action: 'opened', number: 8, ...fork(first) })
    for (let i = 0; i < 6; i++) await work()
    await close(8, first, main, fork(first))
    expect(lastStatus(first)).toMatch(skipped)
  })
  test('that moved on before', async () => {
    await stranger(8, first)
    await stranger(8, second, 'synchronize')
    await open(7, first, docs, onlyMain)
    expect(lastStatus(first)).toMatch(skipped)
  })
  test('that has a faulty condition and is closed', async () => {
    await open(8, first, main, faulty, {}, fork(first))
    await close(8, first, main, fork(first))
    await open(7, first, docs, onlyMain)
    expect(lastStatus(first)).toMatch(skipped)
  })
  test('that has a faulty condition and now has another head', async () => {
    await open(7, first, main, faulty)
    put(7, second, main, 'script: make')
    await tell(second)
    await work()
    await open(8, first, docs, onlyMain)
    expect(lastStatus(first)).toMatch(skipped)
  })
})
describe('the check of the build file', () => {
  const ruby = 'script: make\nlanguage: ruby'
  test('fails no more once the other pull request is mended by a new head', async () => {
    await open(7, first, main, 'script: [make')
    await open(8, first, easy, ruby)
    put(7, second, main, ruby)
    await tell(second)
    await work()
    const check = scene.codehost.runs.findLast(
      ({ name, head_sha }) => name === 'service/config' && head_sha === first,
    )
    expect(check).toMatchObject({ external_id: '2', conclusion: 'neutral' })
  })
  test('does not fail for one that had another head before', async () => {
    await open(7, first, main, 'script: [make')
    put(7, second, main, ruby)
    await tell(second)
    await work()
    await open(8, first, easy, ruby)
    expect(lastCheck()).toMatchObject({ head_sha: first, conclusion: 'neutral' })
  })
  test('fails no more once the other pull request is closed', async () => {
    await open(7, first, main, faulty)
    await open(8, first, easy, ruby)
    await close(7, first, main)
    expect(lastCheck()).toMatchObject({ conclusion: 'neutral' })
  })
  test('stays failed beside another pull request of the same fork', async () => {
    await open(7, first, main, faulty, {}, fork(first))
    await open(8, first, easy, ruby, {}, fork(first))
    expect(lastStatus(first)).toMatch(/^error: No build: condition cannot be evaluated/)
    expect(lastCheck()).toMatchObject({ conclusion: 'failure' })
  })
})
test('a branch that is deleted and made again at an earlier commit is built', async () => {
  for (const sha of [first, second]) scene.codehost.files.set(sha, 'script: make')
  const ref = 'refs/heads/x'
  const made = pushTo(scene.repository, { ref, before: '0'.repeat(40), after: first })
  await receive(made)
  await receive(pushTo(scene.repository, { ref, before: first, after: second }))
  await receive(deleted(ref, second))
  expect(await receive(made)).toMatch(/^request: created request 3/)
})
