// The buttons of a commit's checks, pressed at the code host.
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { cancelBuild } from '../../src/flow/builds/cancel-build.ts'
import { setActive } from '../../src/flow/repositories/set-active.ts'
import { findRepository } from '../../src/store/repositories/repositories.ts'
import { eventually, toldOf } from '../support/app-story.ts'
import type { CheckRun, Repository } from '../support/codehost/tables.ts'
import { factories } from '../support/factories.ts'
import { emptyEverything } from '../support/local-story.ts'
import { watchedApp } from '../support/watched-app.ts'

const { db, host, running, installed, settled, posts, outcome } = await watchedApp()
const make = factories(db)

let repository: Repository
beforeEach(async () => {
  await emptyEverything(db)
  repository = await installed()
})

const configOf = (sha: string): CheckRun => {
  const run = host.checkRuns(repository, sha).find(({ name }) => name === 'service/config')
  if (!run) throw new Error('the commit has no check of its build file')
  return run
}

const builds = async () =>
  (await db.selectFrom('builds').select(['state', 'config_error']).orderBy('id').execute()).map(
    ({ state, config_error }) => config_error ?? state,
  )

/** A commit whose build file could not be fetched. */
async function unfetched(): Promise<string> {
  const stop = host.failWhile({ kind: 'status', status: 451 }, /^GET .*\/contents\//)
  const sha = await host.commit(repository, { files: { '.service.yml': 'script: make' } })
  await settled()
  stop()
  expect(await builds()).toEqual(['fetch'])
  expect(configOf(sha)).toMatchObject({
    conclusion: 'failure',
    output: { title: 'The build file could not be fetched' },
  })
  return sha
}

describe('when the build file could not be fetched', () => {
  test.each([
    ['its check', 'check_run', (sha: string) => host.rerequest(configOf(sha))],
    ['the suite', 'check_suite', (sha: string) => host.rerequestSuite(repository, sha)],
  ] as const)('"Re-run" of %s fetches the build file again', async (_what, event, press) => {
    const sha = await unfetched()
    await press(sha)
    await eventually(() =>
      expect(configOf(sha)).toMatchObject({
        conclusion: 'neutral',
        output: { title: 'No findings' },
      }),
    )
    await settled()
    expect(await builds()).toEqual(['created'])
    expect(toldOf(host, repository, sha).at(-1)).toBe('pending: Build queued')
    expect(await outcome(event)).toMatch(/^build \d+ was restarted$/)
  })
})

/** Restarts the service with other settings until the test ends. */
function withSettings(settings: { buildCheck?: boolean; statusContext?: string }): void {
  const { config } = running.service.ctx
  const { buildCheck, statusContext } = config
  Object.assign(config, settings)
  onTestFinished(() => void Object.assign(config, { buildCheck, statusContext }))
}

test('the check of a restarted build completes if its request is now left out', async () => {
  withSettings({ buildCheck: true })
  const sha = await unfetched()
  const check = () =>
    host.checkRuns(repository, sha).find(({ name }) => name === 'service - Branch')
  onTestFinished(host.failWhile({ kind: 'status', status: 500 }, /^GET .*\/contents\//))
  await host.rerequest(configOf(sha))
  await eventually(() => expect(check()).toMatchObject({ status: 'queued' }))
  const known = await findRepository(db, { provider: 'codehost', codehost_id: repository.id })
  if (!known) throw new Error('the repository is unknown')
  const by = { user: await make.user(), token_id: null, address: '127.0.0.1' }
  await setActive(running.service.ctx, by, known, false)
  await eventually(() =>
    expect(toldOf(host, repository, sha).at(-1)).toMatch(/^error: No build: repository is not/),
  )
  await eventually(() =>
    expect(check()).toMatchObject({ status: 'completed', conclusion: 'action_required' }),
  )
})

describe('when STATUS_CONTEXT has changed', () => {
  const files = { '.service.yml': 'script: make' }
  const shown = (sha: string) =>
    host
      .statuses(repository, sha)
      .map(({ context, state, description }) => `${context} ${state}: ${description}`)
      .toReversed()

  test('a status that is pending under the former context is ended under that context', async () => {
    const sha = await host.commit(repository, { files })
    await settled()
    withSettings({ statusContext: 'other' })
    const { id } = await db.selectFrom('builds').select('id').executeTakeFirstOrThrow()
    const by = { user: await make.user(), token_id: null, address: '127.0.0.1' }
    await cancelBuild(running.service.ctx, by, id)
    await settled()
    const name = 'continuous-integration/other/push'
    expect(shown(sha)).toEqual([
      'continuous-integration/service/push pending: Build queued',
      `continuous-integration/service/push error: Reported as ${name} since STATUS_CONTEXT was changed`,
      `${name} error: The build was canceled`,
    ])
  })

  test('"Re-run" posts the state of a commit under the new context', async () => {
    const sha = await host.commit(repository, { files, message: 'Greet [skip ci]' })
    await settled()
    withSettings({ statusContext: 'other' })
    await host.rerequest(configOf(sha))
    const skipped = 'success: No build: skipped by commit message: it contains [skip ci]'
    const both = ['service', 'other'].map(
      (middle) => `continuous-integration/${middle}/push ${skipped}`,
    )
    await eventually(() => expect(shown(sha)).toEqual(both))
    await settled()
    await host.rerequestSuite(repository, sha)
    await settled()
    expect(shown(sha)).toEqual(both)
  })
})

/**
 * The state in which the code host shows a check, or all checks of a suite, that was requested
 * again.
 */
function reopen(sha: string): void {
  for (const run of host.checkRuns(repository, sha)) {
    Object.assign(run, { status: 'queued', conclusion: null, completed_at: null })
  }
}

describe('when nothing had failed', () => {
  test.each([
    ['a build', 'Greet', 'neutral', ['created']],
    ['no build', 'Greet [skip ci]', 'skipped', []],
  ])('"Re-run" of the check of %s posts it again', async (_what, message, conclusion, states) => {
    const files = { '.service.yml': 'script: make' }
    const sha = await host.commit(repository, { files, message })
    await settled()
    expect(configOf(sha)).toMatchObject({ conclusion })
    const before = posts('check-runs')
    reopen(sha)
    await host.rerequest(configOf(sha))
    await eventually(() => expect(configOf(sha)).toMatchObject({ conclusion, status: 'completed' }))
    expect(posts('check-runs')).toBe(before + 1)
    expect(await builds()).toEqual(states)
    expect(await outcome('check_run')).toBe(`the statuses and checks of ${sha} are posted again`)
  })

  test('"Re-run" of a suite without a build posts the checks of the suite again', async () => {
    const files = { '.service.yml': 'script: make' }
    const sha = await host.commit(repository, { files, message: 'Greet [skip ci]' })
    await settled()
    reopen(sha)
    await host.rerequestSuite(repository, sha)
    await eventually(() =>
      expect(configOf(sha)).toMatchObject({ conclusion: 'skipped', status: 'completed' }),
    )
    expect(await builds()).toEqual([])
    expect(await outcome('check_suite')).toBe(`the statuses and checks of ${sha} are posted again`)
  })
})

test.each([
  ['that is built again', 'script: make', 'neutral', 'created', 'was restarted'],
  [
    'that cannot be built again',
    'script: [make',
    'failure',
    'errored',
    'cannot be restarted now; the statuses',
  ],
])(
  '"Re-run" of a suite %s leaves none of its checks open',
  async (_what, file, conclusion, state, outcomeSays) => {
    withSettings({ buildCheck: true })
    const sha = await host.commit(repository, { files: { '.service.yml': file } })
    await settled()
    const { id } = await db.selectFrom('builds').select('id').executeTakeFirstOrThrow()
    const by = { user: await make.user(), token_id: null, address: '127.0.0.1' }
    if (state === 'created') await cancelBuild(running.service.ctx, by, id)
    await settled()
    reopen(sha)
    await host.rerequestSuite(repository, sha)
    await eventually(() => expect(configOf(sha)).toMatchObject({ conclusion, status: 'completed' }))
    await settled()
    expect(await outcome('check_suite')).toContain(outcomeSays)
    const ofBuild = host.checkRuns(repository, sha).find(({ name }) => name === 'service - Branch')
    expect(ofBuild?.status).toBe(state === 'created' ? 'queued' : 'completed')
  },
)

test('"Approve and build" on the check of a fork\'s skipped head approves the head', async () => {
  await host.commit(repository, { files: { '.service.yml': 'script: make' } })
  const fork = await host.fork(repository, 'stranger')
  const sha = await host.commit(fork, {
    ...{ branch: 'topic', files: { topic: 'x' }, message: 'Greet [skip ci]', by: 'stranger' },
  })
  await host.openPull(repository, { head: 'topic', from: fork, by: 'stranger' })
  await eventually(() => expect(configOf(sha).conclusion).toBe('action_required'))
  expect(toldOf(host, repository, sha, 'pr').at(-1)).toMatch(/^pending: Waiting for a maintainer/)
  await host.press(configOf(sha), 'approve')
  await eventually(() => expect(configOf(sha).conclusion).toBe('skipped'))
  await eventually(() =>
    expect(toldOf(host, repository, sha, 'pr').at(-1)).toMatch(/^success: No build: skipped/),
  )
})
