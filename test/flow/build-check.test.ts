import { beforeEach, describe, expect, test } from 'vitest'
import type { Build } from '../../src/domain/build.ts'
import type { Failure } from '../../src/domain/failure/failure.ts'
import { isFinished } from '../../src/domain/job/job.ts'
import type { Repository } from '../../src/domain/repository.ts'
import { announceBuild } from '../../src/flow/builds/announce-build.ts'
import { publishOutbox } from '../../src/flow/statuses/publish-outbox.ts'
import { transact } from '../../src/flow/transact.ts'
import { updateBuild } from '../../src/store/builds/builds.ts'
import { changeSettings } from '../../src/store/repositories/settings.ts'
import { noon, type TestContext, testContext } from '../support/context.ts'
import { testDatabase } from '../support/database.ts'
import { factories } from '../support/factories.ts'
import { addRun } from '../support/job-runs.ts'
import { type MemoryCodehost, memoryCodehost } from '../support/memory-codehost.ts'
import { writtenStreams } from '../support/written-streams.ts'

const db = await testDatabase()
const make = factories(db)

let codehost: MemoryCodehost
let ctx: TestContext
let repository: Repository

beforeEach(async () => {
  codehost = memoryCodehost()
  const base = testContext(db, { codehost })
  ctx = { ...base, config: { ...base.config, buildCheck: true } }
  repository = await make.repository()
})

async function checked(build: Build, state = build.state) {
  await updateBuild(db, build.id, { state, finished_at: isFinished({ state }) ? noon : null })
  await transact(ctx, (tx) => announceBuild(tx, { ...build, state }))
  for (const stream of await writtenStreams(db)) {
    await publishOutbox(ctx, stream)
  }
  return codehost.runs.at(-1)
}

describe('the check of a build', () => {
  test('is not posted unless the operator has enabled it', async () => {
    Object.assign(ctx.config, { buildCheck: false })
    await checked(await make.build({ repository, state: 'passed' }))
    expect(codehost.runs).toEqual([])
    expect(codehost.posted).toHaveLength(1)
  })

  test('follows the build, in order', async () => {
    const build = await make.build({ repository, previous_state: 'failed' })
    await checked(build)
    await checked(build, 'started')
    await checked(build, 'passed')
    const { sha } = await db.selectFrom('commits').selectAll().executeTakeFirstOrThrow()
    const common = {
      name: 'service - Branch',
      head_sha: sha,
      external_id: String(build.id),
      details_url: `https://ci.example.org/octavia/hello/builds/${build.id}`,
      annotations: [],
    }
    expect(codehost.runs).toEqual([
      { ...common, conclusion: null, begun: false, title: 'Build queued', summary: 'Build queued' },
      {
        ...common,
        conclusion: null,
        begun: true,
        title: 'The build has started.',
        summary: 'The build has started.',
      },
      {
        ...common,
        conclusion: 'success',
        title: 'The build was fixed.',
        summary: 'The build was fixed.\n\n| Job | Name | Result |\n| --- | --- | --- |',
        started_at: '2026-01-02T12:00:00Z',
        completed_at: '2026-01-02T12:00:00Z',
      },
    ])
  })

  test('has the times of the build, not of its reports', async () => {
    const started_at = new Date(noon.getTime() - 90_000)
    const build = await make.build({ repository, started_at })
    const time = (date: Date) => date.toISOString().replace('.000Z', 'Z')
    expect(await checked(build, 'started')).toMatchObject({ started_at: time(started_at) })
    expect(await checked(build, 'failed')).toMatchObject({
      started_at: time(started_at),
      completed_at: time(noon),
    })
  })

  test('has a button to approve a build as long as the build waits for approval', async () => {
    const build = await make.build({ repository, waits_for_approval: true })
    expect(await checked(build)).toMatchObject({
      title: 'Waiting for a maintainer to approve this commit',
      actions: [{ identifier: 'approve', label: 'Approve and build' }],
    })
    await db.updateTable('builds').set({ waits_for_approval: false }).execute()
    expect(await checked({ ...build, waits_for_approval: false })).not.toHaveProperty('actions')
  })

  test('shows the jobs, and the unmodified last thirty lines of each failed job', async () => {
    const build = await make.build({ repository, state: 'failed', previous_state: 'passed' })
    const stage = await make.stage(build, 1, 'Test')
    const stage_id = stage.id
    const failed = await make.job({
      build,
      stage_id,
      number: '1.1',
      state: 'failed',
      name: 'Unit | <b>tests</b>',
    })
    await make.job({ build, stage_id, number: '1.2', state: 'passed' })
    const flaky = await make.job({
      build,
      stage_id,
      number: '1.3',
      state: 'errored',
      allow_failure: true,
    })
    const lines = Array.from({ length: 40 }, (_each, index) => `line ${index + 1}`)
    await make.log(
      failed,
      'service_fold:start:script\r\u001B[0K',
      `${lines.join('\r\n')}\r\n\u001B[31;1mred\u001B[0m ~~~ \`\`\`\` [secure]\n`,
    )
    await make.log(flaky, 'gone\n')
    const run = await checked(build)
    const url = 'https://ci.example.org/octavia/hello/jobs'
    expect(run).toMatchObject({ conclusion: 'failure', title: 'The build was broken.' })
    expect(run?.summary.split('\n').slice(2)).toEqual([
      '| Stage | Job | Name | Result |',
      '| --- | --- | --- | --- |',
      String.raw`| Test | [1.1](${url}/${failed.id}) | Unit \| \<b\>tests\</b\> | failed |`,
      `| Test | [1.2](${url}/${failed.id + 1}) |  | passed |`,
      `| Test | [1.3](${url}/${flaky.id}) |  | errored (may fail) |`,
    ])
    expect(run?.text?.split('\n')).toEqual([
      String.raw`### [1.1](${url}/${failed.id}) Unit \| \<b\>tests\</b\>`,
      '',
      '`````',
      ...lines.slice(-29),
      'red ~~~ ```` [secure]',
      '`````',
      '',
      `### [1.3](${url}/${flaky.id})`,
      '',
      '```',
      'gone',
      '```',
    ])
  })

  test('shows no lines if only users with push access can read logs', async () => {
    const build = await make.build({ repository, state: 'failed' })
    const job = await make.job({ build, state: 'failed', number: '1.1' })
    await make.log(job, 'secret path\n')
    await changeSettings(db, repository.id, { job_log_access_based_limit: true })
    const run = await checked(build)
    expect(run?.summary).toContain('| failed |')
    expect(run).not.toHaveProperty('text')
  })

  test('shows no lines of a build made while the repository was private', async () => {
    const build = await make.build({ repository, state: 'failed', private: true })
    await make.job({ build, state: 'failed' })
    const run = await checked(build)
    expect(run).toMatchObject({ conclusion: 'failure' })
    expect(run?.text).toBeUndefined()
  })

  test("names a file imported by an earlier run only if the file's repository is public", async () => {
    const shared = await make.repository({ owner_name: 'octavia', name: 'shared' })
    const build = await make.build({ repository, state: 'failed' })
    const job = await make.job({ build, state: 'failed' })
    const from = { job_id: job.id, number: '0.1', attempt: 1 }
    const gone = { kind: 'import' as const, before: null, after: null, is: 'removed' as const }
    const failure: Failure = {
      ...{ basis: 'new', kind: null, command: 'make', phase: 'script', exit_code: 2 },
      ...{ lines: [], compared: [] },
    }
    await addRun(db, job, {
      failure,
      outside: {
        ...{ from, to: from, result: 'failed', seconds: 60, same_commit: false },
        changes: [
          { ...gone, name: 'octavia/hello:own.yml' },
          { ...gone, name: 'Octavia/shared:ci.yml' },
        ],
      },
    })
    expect((await checked(build))?.text).toContain('the imported file Octavia/shared:ci.yml is')
    await db
      .updateTable('repositories')
      .set({ private: true })
      .where('id', '=', shared.id)
      .execute()
    const text = (await checked(build))?.text
    expect(text).toContain('an imported file is imported no longer')
    expect(text).not.toContain('shared')
    await db.deleteFrom('repositories').where('id', '=', shared.id).execute()
    expect((await checked(build))?.text).not.toContain('shared')
  })

  test('has a different name for a pull request', async () => {
    const build = await make.pullBuild({ repository, state: 'canceled', started_at: noon })
    expect(await checked(build)).toMatchObject({
      name: 'service - Pull Request',
      conclusion: 'cancelled',
    })
  })
})
