import { beforeEach, describe, expect, test } from 'vitest'
import { CodehostError } from '../../src/codehost/codehost.ts'
import type { Build } from '../../src/domain/build.ts'
import type { InstallationEvent } from '../../src/domain/event.ts'
import { isFinished } from '../../src/domain/job/job.ts'
import { announceBuild } from '../../src/flow/builds/announce-build.ts'
import { followInstallation } from '../../src/flow/events/follow-installation.ts'
import { publishOutbox } from '../../src/flow/statuses/publish-outbox.ts'
import { transact } from '../../src/flow/transact.ts'
import { sweep } from '../../src/flow/upkeep/sweep.ts'
import type { Payloads } from '../../src/queue/queues.ts'
import { noticeText, reportNotices } from '../../src/service/report-notices.ts'
import { updateBuild } from '../../src/store/builds/builds.ts'
import { findCommit } from '../../src/store/commits/commits.ts'
import { announce } from '../../src/store/outbox/outbox.ts'
import { findRepository, updateRepository } from '../../src/store/repositories/repositories.ts'
import { rawConfigsOfRequest, storeRawConfigs } from '../../src/store/requests/raw-configs.ts'
import { insertMessages } from '../../src/store/requests/request-messages.ts'
import { age } from '../support/age.ts'
import { noon, type TestContext, testContext } from '../support/context.ts'
import { testDatabase } from '../support/database.ts'
import { factories } from '../support/factories.ts'
import { type MemoryCodehost, memoryCodehost } from '../support/memory-codehost.ts'

const db = await testDatabase()
const make = factories(db)

let codehost: MemoryCodehost
let ctx: TestContext
let build: Build
let stream: string

beforeEach(async () => {
  codehost = memoryCodehost()
  ctx = testContext(db, { codehost })
  build = await make.build()
  stream = await announced(build)
})

/** Announces the state of a build; returns the stream of its status. */
async function announced(build: Build): Promise<string> {
  const { id, state } = build
  await updateBuild(db, id, { state, finished_at: isFinished({ state }) ? noon : null })
  await transact(ctx, (tx) => announceBuild(tx, build))
  const streams = ctx.enqueued
    .splice(0)
    .filter(({ name }) => name === 'outbox.publish')
    .map(({ payload }) => (payload as Payloads['outbox.publish']).stream)
  return streams.find((each) => each.startsWith('status:')) ?? ''
}

const became = (state: Build['state']) => announced({ ...build, state })
const states = () => codehost.posted.map(({ status }) => status.state)
const unpublished = async () => {
  const rows = db.selectFrom('outbox').select('id').where('stream', '=', stream)
  return (await rows.where('published_at', 'is', null).execute()).length
}

describe('statuses', () => {
  test('show the state of the build, and link to its page', async () => {
    await publishOutbox(ctx, stream)
    const { sha } = await db.selectFrom('commits').selectAll().executeTakeFirstOrThrow()
    expect(codehost.posted).toEqual([
      {
        sha,
        status: {
          state: 'pending',
          context: 'continuous-integration/service/push',
          description: 'Build queued',
          target_url: 'https://ci.example.org/octavia/hello/builds/1',
        },
      },
    ])
  })

  test('of one commit arrive in order, each once', async () => {
    await publishOutbox(ctx, stream)
    await became('started')
    await publishOutbox(ctx, stream)
    await became('passed')
    await Promise.all([publishOutbox(ctx, stream), publishOutbox(ctx, stream)])
    expect(states()).toEqual(['pending', 'pending', 'success'])
    expect(await unpublished()).toBe(0)
  })

  test('wait for an unreachable code host, and are then posted with the current state', async () => {
    await became('passed')
    codehost.failure = new CodehostError('it answered 503', { kind: 'away' })
    await publishOutbox(ctx, stream)
    expect(ctx.enqueued).toEqual([
      { name: 'outbox.publish', payload: { stream }, options: { delay: 1000 } },
    ])

    codehost.failure = undefined
    await age(db, -60)
    await publishOutbox(ctx, stream)
    expect(states()).toEqual([])
    await age(db, 61)
    await publishOutbox(ctx, stream)
    expect(states()).toEqual(['success'])
  })

  test('wait as long as the code host requests', async () => {
    codehost.failure = new CodehostError('slow down', { kind: 'limited', retryAfter: 77 })
    await publishOutbox(ctx, stream)
    expect(ctx.enqueued[0]?.options).toEqual({ delay: 77_000 })
  })

  test('are not posted again if only the response was lost', async () => {
    codehost.postStatus = async (_repository, sha, status) => {
      codehost.posted.push({ sha, status })
      if (codehost.posted.length === 1) throw new CodehostError('timeout', { kind: 'away' })
    }
    await publishOutbox(ctx, stream)
    await age(db, 1)
    await publishOutbox(ctx, stream)
    expect(states()).toEqual(['pending'])
    expect(await unpublished()).toBe(0)
  })

  test('are not posted again if the service crashed before it recorded them', async () => {
    await publishOutbox(ctx, stream)
    await db.updateTable('outbox').set({ published_at: null }).execute()
    await publishOutbox(ctx, stream)
    expect(states()).toEqual(['pending'])
    expect(await unpublished()).toBe(0)
  })

  test('that can never be posted do not hold up later ones', async () => {
    await became('passed')
    codehost.failure = new CodehostError('no such commit', { kind: 'invalid' })
    for (let tries = 0; tries < 8; tries += 1) {
      await publishOutbox(ctx, stream)
      await age(db, 300)
    }
    expect(
      codehost.calls.filter((name) => name === 'postStatus' || name === 'statuses'),
    ).toHaveLength(8)
    expect(await unpublished()).toBe(0)
    const errors = db.selectFrom('outbox').select('error').where('stream', '=', stream)
    expect(await errors.execute()).toEqual([
      { error: 'no such commit' },
      { error: 'no such commit' },
    ])
  })
})

/** The event to which `unsuspend` and `new_permissions_accepted` are translated. */
function installed(codehost_id: number): InstallationEvent {
  const account = { codehost_id: 1, login: 'octavia', type: 'User' } as const
  const granted = { repository_selection: 'all', permissions: {}, events: [] } as const
  return {
    type: 'installation',
    action: 'put',
    delivery_id: null,
    sender: { codehost_id: null, login: 'octavia' },
    installation: { codehost_id, account, ...granted, events: [], suspended: false },
    added: [],
    removed: [],
  }
}

describe('a status that is refused', () => {
  const hour = 60 * 60
  const refused = new CodehostError('it responded with 403', { kind: 'refused' })

  async function refuse() {
    codehost.failure = refused
    await publishOutbox(ctx, stream)
    codehost.calls.length = 0
    ctx.enqueued.length = 0
  }

  async function passes(seconds: number) {
    await age(db, seconds)
    await sweep(ctx)
    const due = ctx.enqueued.splice(0).filter(({ name }) => name === 'outbox.publish')
    if (due.length > 0) await publishOutbox(ctx, stream)
  }

  test('is kept, and retried every hour, in its order', async () => {
    await refuse()
    await passes(hour - 60)
    expect(codehost.calls).toEqual([])
    await passes(61)
    expect(codehost.calls).toEqual(['statuses'])
    codehost.failure = undefined
    await passes(hour + 1)
    expect(states()).toEqual(['pending'])
    expect(await unpublished()).toBe(0)
  })

  test('holds up later statuses, but not for the rest of the hour', async () => {
    await refuse()
    codehost.failure = undefined
    await became('passed')
    await publishOutbox(ctx, stream)
    expect(states()).toEqual(['success'])
  })

  test('is given up after seven days', async () => {
    await refuse()
    await passes(7 * 24 * hour - 60)
    expect(await unpublished()).toBe(1)
    await passes(hour + 1)
    expect(await db.selectFrom('outbox').selectAll().execute()).toMatchObject([
      { published_at: expect.any(Date), error: 'it responded with 403' },
    ])
  })

  test('is retried as soon as the installation changes', async () => {
    const repository = await findRepository(db, { id: build.repository_id })
    if (!repository) throw new Error('there is no repository')
    const installation = await make.installation(repository)
    await updateRepository(db, repository.id, { installation_id: installation.id })
    await refuse()
    await followInstallation(ctx, installed(installation.codehost_id))
    expect(ctx.enqueued.map(({ payload }) => payload)).toContainEqual({ stream })
    codehost.failure = undefined
    await publishOutbox(ctx, stream)
    expect(states()).toEqual(['pending'])
  })

  test('is shown on the page of its repository', async () => {
    expect(await reportNotices(db, { id: build.repository_id })).toEqual([])
    await refuse()
    const notices = await reportNotices(db, { id: build.repository_id })
    expect(notices.map(noticeText)).toEqual([
      expect.stringMatching(
        /^a status or check could not be posted .* since .*Z: it responded with 403. What to do: check in the settings of the app/,
      ),
    ])
    expect(await reportNotices(db, { id: build.repository_id + 1 })).toEqual([])
  })

  test('permanently is shown for a day, or until a newer status was posted', async () => {
    const said = 'This SHA and context has reached the maximum number of statuses'
    codehost.failure = new CodehostError(said, { kind: 'invalid' })
    await publishOutbox(ctx, stream)
    const notices = async () =>
      (await reportNotices(db, { id: build.repository_id })).map(noticeText)
    expect(await notices()).toEqual([
      expect.stringMatching(
        /^a status or check of .*Z will not be posted .*: This SHA and context .* What/,
      ),
    ])
    await age(db, 25 * hour)
    expect(await notices()).toEqual([])
    await age(db, -25 * hour)
    codehost.failure = undefined
    await became('passed')
    await publishOutbox(ctx, stream)
    expect(await notices()).toEqual([])
  })
})

test("a fork's pull request that waits shows the reason", async () => {
  const waiting = await make.pullBuild({ waits_for_approval: true }, { from_fork: true })
  await publishOutbox(ctx, await announced(waiting))
  expect(codehost.posted).toMatchObject([
    {
      status: {
        state: 'pending',
        context: 'continuous-integration/service/pr',
        description: 'Waiting for a maintainer to approve this commit',
      },
    },
  ])
})

test('a commit that was skipped on purpose gets a success with the reason', async () => {
  const repository = await make.repository()
  const commit = await make.commit(repository)
  const request = await make.request({
    repository,
    result: 'rejected',
    reason: 'skip_command',
    message: 'skipped by commit message',
    commit_id: commit.id,
  })
  await announce(db, [
    {
      kind: 'status',
      stream: 'status:x',
      payload: { repository_id: request.repository_id, sha: commit.sha, kind: 'push' },
    },
  ])
  await publishOutbox(ctx, 'status:x')
  expect(codehost.posted).toMatchObject([
    {
      sha: commit.sha,
      status: { state: 'success', description: 'No build: skipped by commit message' },
    },
  ])
})

describe('the check of the build file', () => {
  async function checked() {
    const { repository_id, commit_id } = build
    const sha = (await findCommit(db, commit_id))?.sha ?? ''
    const payload = { repository_id, sha }
    await announce(db, [{ kind: 'check:config', stream: 'check:x', payload }])
    const raw = { source: 'octavia/hello:.service.yml@main', sha: null, merge_mode: null }
    const found = await rawConfigsOfRequest(db, build.request_id)
    if (found.length === 0) {
      const request = { id: build.request_id, repository_id }
      await storeRawConfigs(db, request, [{ ...raw, text: 'script: make\n' }])
    }
    await publishOutbox(ctx, 'check:x')
    return codehost.runs[0]
  }

  test('shows each finding at its line', async () => {
    await insertMessages(db, build.request_id, [
      {
        level: 'warn',
        key: ['scirpt'],
        code: 'unknown_key',
        args: { key: 'scirpt' },
        text: 'unknown key "scirpt"',
        src: '.service.yml',
        line: 3,
        column: 1,
      },
    ])
    expect(await checked()).toMatchObject({
      name: 'service/config',
      conclusion: 'neutral',
      title: '1 finding',
      annotations: [
        {
          path: '.service.yml',
          start_line: 3,
          end_line: 3,
          level: 'warning',
          title: 'unknown_key',
          message: 'unknown key "scirpt"',
        },
      ],
    })
  })

  test('does not block merging if there are no findings', async () => {
    expect(await checked()).toMatchObject({
      conclusion: 'neutral',
      title: 'No findings',
      annotations: [],
      summary: 'No problems were found in the build file.',
    })
  })

  test('shows advice on the build file, with fixes', async () => {
    const text =
      'scirpt: make\nbranches:\n  only: main\ndeploy:\n  provider: script\n  script: make release\n  on:\n    tags: true\n'
    const raw = { source: 'octavia/hello:.service.yml@main', sha: null, text, merge_mode: null }
    const { repository_id } = build
    await storeRawConfigs(db, { id: build.request_id, repository_id }, [raw])
    await insertMessages(db, build.request_id, [
      {
        level: 'warn',
        key: [],
        code: 'find_key',
        args: {},
        text: 'no key "scirpt"',
        src: '.service.yml',
        line: 1,
        column: 1,
      },
      {
        level: 'info',
        key: [],
        code: 'default',
        args: {},
        text: 'no "os"',
        src: '.service.yml',
        line: null,
        column: null,
      },
    ])
    expect(await checked()).toMatchObject({
      summary: expect.stringMatching(
        /^2 findings and \d+ notes?:\n\n- \*\*warn\*\* \.service\.yml:1 no key "scirpt"\n- \*\*warn\*\* \.service\.yml:3 tags are/,
      ),
      annotations: [
        {
          start_line: 1,
          title: 'find_key',
          level: 'warning',
          message: expect.stringMatching(/^no key "scirpt"\n\nSuggestion: .*lint --fix/),
        },
        { start_line: 3, title: 'only_stops_tags', level: 'warning' },
        { start_line: 4, title: 'no_effect_in_service', level: 'notice' },
      ],
    })
  })

  describe('with linter settings of the project', () => {
    async function checkedWith(text: string, settings?: string) {
      const commit = await findCommit(db, build.commit_id)
      if (settings !== undefined) {
        codehost.files.set(`octavia/hello:.service-lint.yml@${commit?.sha}`, settings)
      }
      const raw = { source: 'octavia/hello:.service.yml@main', sha: null, text, merge_mode: null }
      const { repository_id } = build
      await storeRawConfigs(db, { id: build.request_id, repository_id }, [raw])
      const found = { level: 'warn' as const, key: [], code: 'find_key', args: {}, text: 'no key' }
      const place = { src: '.service.yml', line: 1, column: 1 }
      await insertMessages(db, build.request_id, [{ ...found, ...place }])
      const run = await checked()
      return run?.annotations.map(({ path, start_line, title, level }) => {
        return [path, start_line, title, level]
      })
    }

    const text = 'scirpt: npm test; npm run report\nlanguage: ruby\n'
    const advice = ['.service.yml', 1, 'failure_swallowed', 'warning']
    const message = ['.service.yml', 1, 'find_key', 'warning']

    test('reports everything by default', async () => {
      expect(await checkedWith(text)).toEqual([message, advice])
    })

    test('leaves out a message that a comment ignores', async () => {
      const commented = text.replace('\n', ' # lint-ignore find_key: ours\n')
      expect(await checkedWith(commented)).toEqual([advice])
    })

    test('applies levels and ignored rules', async () => {
      const settings = 'rules:\n  failure_swallowed: off\n  find_key: error\n'
      expect(await checkedWith(text, settings)).toEqual([
        ['.service.yml', 1, 'find_key', 'failure'],
      ])
    })

    test('shows an error in the settings at its line, and ignores them', async () => {
      const settings = 'rules:\n  find_key: off\n  nope: off\n'
      expect(await checkedWith(text, settings)).toEqual([
        ['.service-lint.yml', 3, 'lint_settings', 'failure'],
        message,
        advice,
      ])
    })
  })

  test('fails if the build file cannot be used', async () => {
    await db.updateTable('builds').set({ config_error: 'parse' }).execute()
    expect(await checked()).toMatchObject({ conclusion: 'failure' })
  })
})
