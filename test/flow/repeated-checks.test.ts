// "Re-run" of a check, or of all checks of a commit, at the code host.
import { describe, expect, test } from 'vitest'
import { CodehostError } from '../../src/codehost/codehost.ts'
import { pushTo, tip } from '../support/events.ts'
import { commitOf } from '../support/memory-codehost.ts'
import {
  first,
  headOf,
  lastCheck,
  lastStatus,
  main,
  receive,
  repeat,
  scene,
  shows,
  tell,
  useScene,
  work,
} from './heads-scene.ts'

await useScene()

async function push(file: string): Promise<void> {
  scene.codehost.files.set(tip, file)
  scene.codehost.commits.set(tip, commitOf(tip, 'Say hello'))
  await receive(pushTo(scene.repository))
  await work()
}

const checks = () => scene.codehost.runs.filter(({ name }) => name === 'service/config').length

/** The two ways of requesting checks again. */
const ways = [
  ['service/config', () => lastCheck() ?? null],
  ['a suite', () => null],
] as const

describe.each(ways)('a repeated request for %s', (_what, check) => {
  test.each([
    ['was left out', 'script: make\nbranches: { only: [other] }', 'skipped', 'success'],
    ['has a faulty condition', 'script: make\nif: (type = push', 'failure', 'error'],
  ])('of a commit that %s posts the check again', async (_why, file, conclusion, state) => {
    await push(file)
    expect(checks()).toBe(1)
    const posted = lastCheck()
    expect(posted).toMatchObject({ conclusion })
    expect(await repeat(tip, check())).toBe(
      `noted: the statuses and checks of ${tip} are posted again`,
    )
    expect(checks()).toBe(2)
    expect(lastCheck()).toEqual(posted)
    expect(lastStatus(tip, 'push')).toMatch(new RegExp(`^${state}: No build: `))
  })

  test('of a commit that waits for a maintainer posts the check again, with its button', async () => {
    const { merge_commit_sha } = shows(first)
    scene.codehost.files.set(merge_commit_sha ?? '', 'script: make\nif: type = push')
    scene.codehost.files.set(main.sha, 'script: make')
    await tell(first, { action: 'opened', head: headOf(first, 4711) })
    await work()
    await repeat(first, check())
    expect(checks()).toBe(2)
    expect(lastCheck()).toMatchObject({ conclusion: 'action_required', actions: [{}] })
    expect(lastStatus(first)).toMatch(/^pending: Waiting for a maintainer/)
  })

  test('of a commit whose file could not be fetched fetches the file again', async () => {
    const { file } = scene.codehost
    scene.codehost.file = () =>
      Promise.reject(new CodehostError('451 Repository access blocked', { kind: 'refused' }))
    await push('script: make')
    expect(lastCheck()).toMatchObject({ conclusion: 'failure' })
    expect(lastStatus(tip, 'push')).toMatch(/^error: The build file could not be fetched/)
    scene.codehost.file = file
    expect(await repeat(tip, check())).toBe('noted: build 1 was restarted')
    expect(lastCheck()).toMatchObject({ conclusion: 'neutral', title: 'No findings' })
    expect(lastStatus(tip, 'push')).toBe('pending: Build queued')
  })
})
