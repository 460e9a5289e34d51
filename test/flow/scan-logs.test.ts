import { beforeEach, describe, expect, test } from 'vitest'
import type { Failure } from '../../src/domain/failure/failure.ts'
import { restartJob } from '../../src/flow/jobs/restart-job.ts'
import { archiveLogs } from '../../src/flow/logs/archive-logs.ts'
import { createServer } from '../../src/http/server.ts'
import { ReadingStopped } from '../../src/reader/reader.ts'
import { insertRun } from '../../src/store/jobs/job-runs.ts'
import { findJob } from '../../src/store/jobs/jobs.ts'
import { insertParts } from '../../src/store/jobs/logs.ts'
import { caller } from '../http/door.ts'
import { age } from '../support/age.ts'
import { type TestContext, testContext } from '../support/context.ts'
import { testDatabase } from '../support/database.ts'
import { factories } from '../support/factories.ts'
import { type MemoryCodehost, memoryCodehost } from '../support/memory-codehost.ts'
import { partsOfLog } from '../support/stored-parts.ts'
import { secretsScene } from './secrets-scene.ts'

const db = await testDatabase()
const make = factories(db)

/** Assembled from pieces, so that no other search mistakes it for a real secret. */
const token = ['ghp', 'q7Ws3Kd9Vb1Nm5Xz8Lp2Rt6Yc4Hg0Jf9TuEi'].join('_')
const secret = 'hunter2-of-the-settings'
const advice = 'Anyone who saw the log before may know them: replace them.'

let codehost: MemoryCodehost
let ctx: TestContext
let call: ReturnType<typeof caller>
let id: number

beforeEach(async () => {
  codehost = memoryCodehost()
  ctx = testContext(db, { codehost })
  const server = await createServer(ctx)
  call = caller(server)
  const scene = await secretsScene({ db, make, ctx, codehost }, server)
  await scene.addVariable({ name: 'A', value: secret })
  const made = await scene.build('script: make', 'push')
  id = made.id
})

/** Stores this output for the only attempt of the job, ten minutes ago. */
async function ended(...texts: string[]) {
  await db
    .updateTable('jobs')
    .set({ state: 'failed', finished_at: new Date(), started_at: new Date() })
    .where('id', '=', id)
    .execute()
  await db.updateTable('builds').set({ state: 'failed', finished_at: new Date() }).execute()
  await db.updateTable('stages').set({ state: 'failed' }).execute()
  const job = await jobNow()
  await make.log(job, ...texts)
  await age(db, 600)
}

async function jobNow() {
  const job = await findJob(db, id)
  if (!job) throw new Error('there is no job')
  return job
}

const contents = async (attempt?: number) =>
  (await partsOfLog(db, id, attempt)).map(({ content }) => content)

async function foundSecrets(): Promise<unknown> {
  const { body } = await call(`GET /v3/job/${id}?include=job.secrets_found`)
  return (JSON.parse(body) as { secrets_found: unknown }).secrets_found
}

const audits = () =>
  db
    .selectFrom('audit_records')
    .select(['actor', 'action', 'subject_type', 'subject_id', 'details'])
    .where('action', '=', 'mask_secrets')
    .execute()

const below = (text: string) => `\r\n\u001B[33;1m${text}\u001B[0m\r\n`

describe('the log of a job that ended', () => {
  test('is masked part by part, as log, API, page and audit records report', async () => {
    const encoded = Buffer.from(secret).toString('base64')
    await ended(
      'begin\n',
      `token: ${token.slice(0, 10)}`,
      `${token.slice(10)}\nwörld ${encoded.slice(0, 12)}\n${encoded.slice(12)}\n`,
      'end\n',
    )
    await archiveLogs(ctx)

    const text =
      'After the job had ended, 2 secrets in its log were found and masked: ' +
      `GitHub token (1), secret of the job (1). ${advice}`
    const after = await contents()
    expect(after).toEqual([
      'begin\n',
      'token: [secure]',
      '\nwörld [secure]\n=\n',
      'end\n',
      below(text),
    ])
    expect(await foundSecrets()).toEqual({ 'secret of the job': 1, 'GitHub token': 1 })
    const { body } = await call(`GET /v3/job/${id}/log.txt`)
    expect(body).toBe(after.join(''))
    const page = await call(`GET /octavia/hello/jobs/${id}`, { accept: 'text/html' })
    expect(page.body).toContain(`<bdi>${text}</bdi>`)
    expect(page.body).not.toContain(token.slice(10))
    expect(await audits()).toEqual([
      {
        actor: 'service',
        action: 'mask_secrets',
        subject_type: 'job',
        subject_id: id,
        details: {
          token_id: null,
          address: 'service',
          changed: { attempts: { 1: { 'secret of the job': 1, 'GitHub token': 1 } } },
        },
      },
    ])

    await archiveLogs(ctx)
    expect(await contents()).toEqual(after)
    expect(await audits()).toHaveLength(1)
  })

  test('is unchanged if no secret is found', async () => {
    await ended('commit 0123456789012345678901234567890123456789\n', 'Done.\n')
    await archiveLogs(ctx)
    expect(await contents()).toEqual([
      'commit 0123456789012345678901234567890123456789\n',
      'Done.\n',
      '',
    ])
    expect(await foundSecrets()).toBeNull()
    expect(await audits()).toEqual([])
  })

  test('is masked in the reasons derived from it', async () => {
    await ended(`no entry for ${token}\n`)
    const failure: Failure = {
      basis: 'guess',
      kind: null,
      command: `curl "${token}"`,
      phase: 'script',
      exit_code: 1,
      lines: [{ number: 1, text: `no entry for ${token}`, before: [], after: [secret] }],
      compared: [],
    }
    const job = await jobNow()
    await db
      .updateTable('jobs')
      .set({ reason: `ended by ${token}` })
      .where('id', '=', id)
      .execute()
    const hashes = { definition: '', versions: {}, variables: {}, imports: {} }
    const inputs = { ...hashes, image: null, image_id: null, runner: 'one', event: 'push' }
    await insertRun(
      db,
      {
        job_id: id,
        attempt: job.attempt,
        repository_id: job.repository_id,
        job_key: 'key',
        branch: 'main',
        pull_request_id: null,
        sha: 'e'.repeat(40),
        state: 'failed',
        inputs,
        failure,
        cause: null,
        by_itself: true,
        outside: null,
      },
      null,
    )
    await archiveLogs(ctx)
    expect((await jobNow()).reason).toBe('ended by [secure]')
    const stored = await db.selectFrom('job_runs').select('failure').executeTakeFirstOrThrow()
    expect(stored.failure).toEqual({
      ...failure,
      command: 'curl "[secure]"',
      lines: [{ number: 1, text: 'no entry for [secure]', before: [], after: ['[secure]'] }],
    })
  })

  test('is searched in pieces, even for secrets across two pieces', async () => {
    const piece = 512 * 1024
    const filled = `${'.'.repeat(piece - 20)} ${token} ${'.'.repeat(piece - 60)} ${secret} end`
    await ended(filled)
    await archiveLogs(ctx)
    const [text = ''] = await contents()
    expect(text).toBe(filled.replace(token, '[secure]').replace(secret, '[secure]'))
    expect(await foundSecrets()).toEqual({ 'secret of the job': 1, 'GitHub token': 1 })
  })

  test('is searched for tokens if the secrets of its job cannot be opened', async () => {
    await ended(`${token} ${secret}\n`)
    await db.updateTable('env_vars').set({ sealed_value: 'broken' }).execute()
    await archiveLogs(ctx)
    expect((await contents())[0]).toBe(`[secure] ${secret}\n`)
  })

  test('is not changed while parts can arrive', async () => {
    await ended(`${token}\n`)
    await age(db, -550)
    await archiveLogs(ctx)
    expect((await contents())[0]).toBe(`${token}\n`)
  })

  test('is searched later if the service stops during the search', async () => {
    await ended(`${token}\n`)
    const stopping = { run: () => Promise.reject(new ReadingStopped()) }
    await archiveLogs({ ...ctx, reader: stopping })
    expect((await contents())[0]).toBe(`${token}\n`)
    await archiveLogs(ctx)
    expect((await contents())[0]).toBe('[secure]\n')
  })

  test('takes no further part, until the job is restarted, whose new log is searched as well', async () => {
    await ended(`${token}\n`)
    await archiveLogs(ctx)
    const late = { content: token, final: false }
    await insertParts(db, { job_id: id, attempt: 1 }, [{ ...late, number: 3 }])
    expect(await contents()).toHaveLength(2)

    const user = await make.user()
    await restartJob(ctx, { user: { ...user, name: null }, token_id: null, address: '::1' }, id)
    const { attempt } = await jobNow()
    expect(attempt).toBe(2)
    expect(await foundSecrets()).toBeNull()
    await insertParts(db, { job_id: id, attempt }, [{ ...late, number: 2 }])
    expect(await contents()).toEqual([token])
    await ended()
    await archiveLogs(ctx)
    expect((await contents())[1]).toContain('[secure]')
    expect((await contents(1))[0]).toBe('[secure]\n')
    expect(await foundSecrets()).toEqual({ 'GitHub token': 1 })
    expect(await audits()).toHaveLength(2)
  })

  test('keeps parts that arrive during the search, and is then searched again', async () => {
    await ended(`${token}\n`)
    let searches = 0
    const reader: TestContext['reader'] = {
      async run(work, input, terms) {
        searches += 1
        if (searches === 1) {
          const more = [{ number: 3, content: ` ${token}`, final: false }]
          await insertParts(db, { job_id: id, attempt: 1 }, more)
        }
        return ctx.reader.run(work, input, terms)
      },
    }
    await archiveLogs({ ...ctx, reader })
    expect((await contents()).at(-1)).toBe(` ${token}`)
    await age(db, 600)
    await archiveLogs(ctx)
    expect((await contents()).join('')).not.toContain(token)
  })
})
