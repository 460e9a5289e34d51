// Statuses and checks that the code host does not accept, and where users learn of that.
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { cancelBuild } from '../../src/flow/builds/cancel-build.ts'
import { eventually, toldOf } from '../support/app-story.ts'
import type { Repository } from '../support/codehost/tables.ts'
import { factories } from '../support/factories.ts'
import { emptyEverything } from '../support/local-story.ts'
import { watchedApp } from '../support/watched-app.ts'

const app = await watchedApp({ BUILD_CHECK: 'true' })
const { db, host, installed, settled, passes, posts, pageOf, pageOfBuild, doctor } = app
const make = factories(db)

beforeEach(async () => {
  await emptyEverything(db)
  host.calls.length = 0
})

const files = { '.service.yml': 'scirpt: make' }
const status = /^POST .*\/statuses\//
const check = /^(?:POST|PATCH) .*\/check-runs\b/
const invalid = { kind: 'status', status: 422 } as const

/** Fills one context of a commit to its limit. */
function fill(repository: Repository, sha: string): void {
  const [newest] = host.statuses(repository, sha)
  if (!newest) throw new Error('the commit shows no status')
  for (let count = 1; count < 1000; count += 1) host.tables.statuses.push({ ...newest })
}

async function cancel(): Promise<void> {
  const { id } = await db.selectFrom('builds').select('id').executeTakeFirstOrThrow()
  const by = { user: await make.user('canceler'), token_id: null, address: '127.0.0.1' }
  await cancelBuild(app.running.service.ctx, by, id)
}

describe('a status that the code host rejects as invalid', () => {
  test.each([409, 422])('with %i is retried three times within ten minutes', async (code) => {
    onTestFinished(host.failWhile({ kind: 'status', status: code }, status))
    const repository = await installed()
    const sha = await host.commit(repository, { files })
    await settled()
    const seconds = [31, 121, 301]
    for (const [index, pause] of seconds.entries()) {
      expect(posts('statuses')).toBe(index + 1)
      await passes(pause)
      await eventually(() => expect(posts('statuses')).toBe(index + 2))
      await settled()
    }
    expect(seconds.reduce((sum, each) => sum + each)).toBeLessThan(600)
    await passes(3600)
    expect(posts('statuses')).toBe(4)
    expect(toldOf(host, repository, sha)).toEqual([])
    const said = new RegExp(
      'the status continuous-integration/service/push was given up, so the code host does not show it: ' +
        `the code host responded with ${code}[^(]*\\. What to do: fix the reported problem, then restart`,
    )
    expect(await pageOfBuild(repository)).toMatch(said)
    expect(await pageOf(repository)).toMatch(
      /a status or check of .* will not be posted to the code host: .*What to do: fix/,
    )
  })

  test('is retried three times, no matter how often it failed before for another reason', async () => {
    const failing = host.failWhile({ kind: 'status', status: 500 }, status)
    const repository = await installed()
    const sha = await host.commit(repository, { files })
    await settled()
    for (let tries = 0; tries < 4; tries += 1) {
      await passes(60)
      await settled()
    }
    failing()
    const before = posts('statuses')
    expect(before).toBeGreaterThan(3)
    host.failNext({ kind: 'status', status: 409 }, status)
    await passes(301)
    await eventually(() => expect(posts('statuses')).toBe(before + 1))
    await settled()
    await passes(31)
    await eventually(() => expect(toldOf(host, repository, sha)).toEqual(['pending: Build queued']))
  })

  test('is given up even if the error differs each time', async () => {
    for (const code of [409, 422, 409, 422]) {
      host.failNext({ kind: 'status', status: code }, status)
    }
    const repository = await installed()
    await host.commit(repository, { files })
    await settled()
    for (const [index, pause] of [31, 121, 301].entries()) {
      await passes(pause)
      await eventually(() => expect(posts('statuses')).toBe(index + 2))
      await settled()
    }
    await passes(3600)
    await settled()
    expect(posts('statuses')).toBe(4)
    expect(await pageOfBuild(repository)).toContain('was given up')
  })

  test('is posted if a retry succeeds', async () => {
    host.failNext({ kind: 'status', status: 409 }, status)
    const repository = await installed()
    const sha = await host.commit(repository, { files })
    await settled()
    await passes(31)
    await eventually(() => expect(toldOf(host, repository, sha)).toEqual(['pending: Build queued']))
    await settled()
    expect(await pageOfBuild(repository)).not.toContain('What to do')
  })

  test('because the commit has a thousand statuses is not retried', async () => {
    const repository = await installed()
    const sha = await host.commit(repository, { files })
    await settled()
    fill(repository, sha)
    host.calls.length = 0
    await cancel()
    await settled()
    for (const pause of [31, 121, 301]) await passes(pause)
    await settled()
    expect(posts('statuses')).toBe(1)
    expect(host.statuses(repository, sha)).toHaveLength(1000)
    const said =
      /reached the maximum number of statuses.* What to do: push another commit, because the code host accepts no more/
    expect(await pageOfBuild(repository)).toMatch(said)
    expect(await pageOf(repository)).toMatch(said)
    expect(await doctor()).toMatch(/maximum number of statuses.* push another commit, because/)
  })
})

describe('a check that the code host rejects as invalid', () => {
  test('twice is given up, and named on the page of its build', async () => {
    onTestFinished(host.failWhile(invalid, check))
    const repository = await installed()
    await host.commit(repository, { files })
    await settled()
    const { length } = host.calls.filter(({ call }) => check.test(call))
    expect(length).toBe(4)
    await passes(3600)
    expect(posts('check-runs')).toBe(4)
    const html = await pageOfBuild(repository)
    for (const name of ['service/config', 'service - Branch']) {
      expect(html).toContain(`the check ${name} was given up, so the code host does not show it`)
    }
    expect(await pageOf(repository)).toContain('2 statuses or checks of ')
  })
})

test('a missing permission is named until it is granted', async () => {
  const { statuses: _statuses, checks: _checks, ...granted } = host.app.permissions
  const repository = await installed(granted)
  const sha = await host.commit(repository, { files })
  await settled()
  // A token that is a minute old is considered valid.
  vi.useFakeTimers({ toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
  const later = (seconds: number, check: () => Promise<void>) =>
    eventually(async () => {
      vi.setSystemTime(Date.now() + 61_000)
      await passes(seconds)
      await settled()
      await check()
    })

  const remedy =
    'accept the new permissions of the app in the settings of its installation at the code host'
  const reports = [
    ['the status continuous-integration/service/push', 'statuses: write'],
    ['the check service/config', 'checks: write'],
    ['the check service - Branch', 'checks: write'],
  ]
  await later(301, async () => {
    const told = await pageOfBuild(repository)
    for (const [name, permission] of reports) {
      expect(told).toMatch(
        new RegExp(
          `${name} could not be posted to the code host so far: [^.]* the app lacks the permission ` +
            `${permission}\\. What to do: ${remedy}; it is posted as soon as that is done`,
        ),
      )
    }
  })
  expect(await pageOf(repository)).toContain(`What to do: ${remedy}; it is posted as soon`)
  expect(await doctor()).toContain(remedy)

  await passes(7 * 24 * 3600)
  await later(301, async () => {
    const told = await pageOfBuild(repository)
    for (const [name] of reports) expect(told).toContain(`${name} was given up, `)
    expect(told).toContain(`What to do: ${remedy}, then restart the build or push again`)
  })
  expect(await pageOf(repository)).toContain(`${remedy}, then restart the build or push again`)
  expect(await doctor()).toContain(`${remedy}, then restart the build or push again`)

  const installation = host.tables.installations.find(({ account }) => account === repository.owner)
  if (installation) await host.acceptPermissions(installation)
  await cancel()
  await eventually(() =>
    expect(toldOf(host, repository, sha)).toEqual(['error: The build was canceled']),
  )
  await settled()
  expect(await pageOfBuild(repository)).not.toContain('the status continuous-integration')
})
