import { once } from 'node:events'
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { Build } from '../../../src/domain/build.ts'
import type { Job } from '../../../src/domain/job/job.ts'
import type { User } from '../../../src/domain/owner.ts'
import { claimJob } from '../../../src/flow/jobs/claim-job.ts'
import { resetJob } from '../../../src/flow/jobs/reset-job.ts'
import { createServer } from '../../../src/http/server.ts'
import { runJobs } from '../../../src/worker/processors/run-job.ts'
import { watchClaim } from '../../../src/worker/watch-claim.ts'
import { createFakeMachine, type FakeMachine } from '../../runner/fake-executor.ts'
import { type TestContext, testContext } from '../../support/context.ts'
import { testDatabase } from '../../support/database.ts'
import { factories } from '../../support/factories.ts'
import { memoryCodehost } from '../../support/memory-codehost.ts'
import { toolsOf } from '../../support/worker-tools.ts'
import { caller } from '../door.ts'
import { textIn } from '../pages/reading.ts'

const db = await testDatabase()
const make = factories(db)

let ctx: TestContext
let call: ReturnType<typeof caller>
let pusher: User & { token: string }
let machine: FakeMachine
let build: Build

beforeEach(async () => {
  ctx = testContext(db, { codehost: memoryCodehost() })
  call = caller(await createServer(ctx))
  pusher = await make.user('pusher')
  const repository = await make.repository()
  await make.permission(pusher, repository, 'push')
  build = await make.build({ repository })
  machine = createFakeMachine()
})

const by = () => ({ authorization: `token ${pusher.token}` })
const shown = async (job: number) => (await call(`GET /v3/job/${job}`, by())).json() as object
const page = async (path: string) =>
  textIn((await call(`GET ${path}`, { ...by(), accept: 'text/html' })).body)
const logOf = async (job: number, attempt?: number) => {
  const query = attempt === undefined ? '' : `?log.attempt=${attempt}`
  return (await call(`GET /v3/job/${job}/log.txt${query}`, by())).body
}
const attempts = async (job: number) =>
  (await call(`GET /v3/job/${job}/attempts`, by())).json<{ attempts: object[] }>().attempts

/** Runs a job that is queued on the machine of the test. */
async function run({ id }: Pick<Job, 'id'>): Promise<void> {
  await db.updateTable('jobs').set({ state: 'queued' }).where('id', '=', id).execute()
  await runJobs.process({ job_id: id }, toolsOf(ctx, machine.executor))
}

describe('the attempts of a job', () => {
  test('count 1, 2, 3 with each restart', async () => {
    const job = await make.job({ build, state: 'queued' })
    expect(await attempts(job.id)).toMatchObject([{ number: 1, state: 'queued' }])
    for (const output of ['one', 'two', 'three']) {
      if (output !== 'one') await call(`POST /v3/job/${job.id}/restart`, by())
      machine = createFakeMachine()
      machine.print(`${output}\n`)
      machine.exit(1)
      await run(job)
    }
    const failed = [1, 2, 3].map((number) => ({ number, state: 'failed' }))
    expect(await attempts(job.id)).toMatchObject(failed)
    expect(await logOf(job.id, 1)).toContain('one')
    expect(await logOf(job.id, 2)).toContain('two')
    expect(await logOf(job.id)).toContain('three')
    expect(await page(`/octavia/hello/jobs/${job.id}`)).toMatch(
      /Attempts Failed Attempt 3 .*Failed Attempt 2 .*Failed Attempt 1 /,
    )
  })

  test('that are lost stay readable, and the next attempt reports the reason in its first line', async () => {
    const job = await make.job({ build, state: 'queued' })
    machine.print('half of it\r\n')
    machine.exit({ kind: 'lost', why: 'its machine went away', running: true })
    await run(job)
    expect(await logOf(job.id)).toBe('')
    expect(await attempts(job.id)).toMatchObject([
      { number: 1, state: 'errored', lost_reason: 'its machine went away' },
      { number: 2, state: 'created', lost_reason: null },
    ])
    const lost = await logOf(job.id, 1)
    expect(lost).toContain('half of it\r\n')
    expect(lost).toMatch(/This attempt was lost: its machine went away\. The job is run again\./)
    expect(await page(`/octavia/hello/jobs/${job.id}`)).toContain(
      'Errored Attempt 1 Lost: its machine went away',
    )
    expect(await page(`/octavia/hello/jobs/${job.id}?attempt=1`)).toContain('half of it')

    machine = createFakeMachine()
    machine.print('all of it\r\n')
    machine.exit(0)
    await run(job)
    const [first] = (await logOf(job.id)).split('\r\n')
    expect(first).toBe(
      '\u001B[33;1mThis is attempt 2. Attempt 1 was lost: its machine went away.\u001B[0m',
    )
    expect(await logOf(job.id, 1)).toBe(lost)
  })

  test('are also lost if their runner was stopped, which does not count against the job', async () => {
    const job = await make.job({ build, state: 'queued' })
    machine.exit({ kind: 'lost', why: 'its machine went away', running: true })
    await run(job)
    await db.updateTable('jobs').set({ state: 'started', retry_at: null }).execute()
    const lost = { job_id: job.id, attempt: 2 }
    await resetJob(ctx, lost, { kind: 'stopped', reason: 'its runner was stopped' })
    machine = createFakeMachine()
    machine.exit(0)
    await run(job)
    expect(await logOf(job.id)).toContain(
      'This is attempt 3. Attempt 2 was lost: its runner was stopped.',
    )
  })
})

describe('the cause of a canceled job', () => {
  test('is shown for a waiting job in its log, on its page and in the API', async () => {
    const job = await make.job({ build })
    await call(`POST /v3/job/${job.id}/cancel`, by())
    expect(await logOf(job.id)).toBe(
      '\u001B[31;1mThe job never ran: it was canceled by pusher.\u001B[0m\r\n',
    )
    expect(await shown(job.id)).toMatchObject({
      state: 'canceled',
      canceled_by: { login: 'pusher' },
      cancel_reason: 'canceled by pusher',
    })
    const said = 'It was canceled by pusher.'
    expect(await page(`/octavia/hello/jobs/${job.id}`)).toContain(said)
    expect(await page(`/octavia/hello/builds/${job.build_id}`)).toContain(said)
  })

  test('is kept with the attempt when the job is restarted', async () => {
    const job = await make.job({ build })
    await call(`POST /v3/build/${job.build_id}/cancel`, by())
    await call(`POST /v3/build/${job.build_id}/restart`, by())
    expect(await shown(job.id)).toMatchObject({ canceled_by: null, cancel_reason: null })
    expect(await attempts(job.id)).toMatchObject([
      { number: 1, state: 'canceled', cancel_reason: 'canceled by pusher' },
      { number: 2, state: 'created', cancel_reason: null },
    ])
    expect(await logOf(job.id, 1)).toContain('canceled by pusher')
    expect(await logOf(job.id)).toBe('')
  })

  test('is the failed stage for jobs of later stages', async () => {
    const stages = await db
      .insertInto('stages')
      .values([
        { build_id: build.id, number: 1, name: 'test', state: 'created' },
        { build_id: build.id, number: 2, name: 'deploy', state: 'created' },
      ])
      .returning('id')
      .execute()
    const first = await make.job({ build, stage_id: stages[0]?.id ?? 0, state: 'queued' })
    const later = await make.job({ build, stage_id: stages[1]?.id ?? 0 })
    machine.exit(1)
    await run(first)
    const why = 'canceled because stage 1 (test) did not pass'
    expect(await shown(later.id)).toMatchObject({ canceled_by: null, cancel_reason: why })
    expect(await logOf(later.id)).toContain(`The job never ran: it was ${why}.`)
    expect(await page(`/octavia/hello/jobs/${later.id}`)).toContain(`It was ${why}.`)
  })

  test('is sent to the runner of a running job, for the end of its log', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    const job = await make.job({ build, state: 'queued' })
    const claimed = await claimJob(ctx, job.id, 'machine-1')
    const run = { job_id: job.id, attempt: claimed?.attempt ?? 0 }
    const claim = watchClaim(ctx, run, new AbortController().signal)
    await call(`POST /v3/job/${job.id}/cancel`, by())
    const aborted = once(claim.signal, 'abort')
    vi.advanceTimersByTime(5000)
    await aborted
    claim.close()
    expect(claim.signal.reason).toEqual({ kind: 'canceled', reason: 'canceled by pusher' })
    // Its runner writes the end of its log.
    expect(await logOf(job.id)).toBe('')
  })
})
