import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readConfig } from '../../src/config/config.ts'
import { type Service, startService } from '../../src/service/start.ts'
import { appSettings, atRest, eventually } from '../support/app-story.ts'
import { startCodehost } from '../support/codehost/codehost.ts'
import { testLog } from '../support/context.ts'
import { ownDatabase } from '../support/database.ts'
import { urlOf } from '../support/service-process.ts'

// Jobs that really run and fail, and what each door then says of the cause.

const { db, connection } = await ownDatabase()
const dataDir = mkdtempSync(path.join(tmpdir(), 'build-service-why-it-failed-'))
const host = await startCodehost()
const config = readConfig({
  ...{ DATA_DIR: dataDir, DATABASE_URL: urlOf(connection), PORT: '0', RUNNER_SLOTS: '1' },
  ...appSettings(host),
})

let service: Service
beforeAll(async () => {
  service = await startService(config, { log: testLog })
  host.setWebhookUrl(`${service.localUrl}/webhooks/codehost`)
})

afterAll(async () => {
  await service.stop()
  await host.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

type Repository = Awaited<ReturnType<typeof host.addRepository>>

/** Pushes files, waits for the build, and returns its last job and the status of the commit. */
async function built(repository: Repository, files: Record<string, string>) {
  const sha = await host.commit(repository, { files })
  await eventually(async () => {
    const builds = await db
      .selectFrom('builds')
      .innerJoin('commits', 'commits.id', 'builds.commit_id')
      .where('commits.sha', '=', sha)
      .select('builds.finished_at')
      .execute()
    expect(builds).toEqual([{ finished_at: expect.any(Date) as Date }])
  })
  await atRest(db)
  const job = await db
    .selectFrom('jobs')
    .innerJoin('commits', 'commits.id', 'jobs.commit_id')
    .where('commits.sha', '=', sha)
    .select(['jobs.id', 'jobs.number', 'jobs.state', 'jobs.build_id'])
    .orderBy('jobs.id', 'desc')
    .executeTakeFirstOrThrow()
  const status = host
    .statuses(repository, sha)
    .find(({ context }) => context.endsWith('/push'))?.description
  return { job, status }
}

async function v3<T>(where: string): Promise<T> {
  const answer = await fetch(`${service.localUrl}/v3${where}`)
  expect(answer.status).toBe(200)
  return (await answer.json()) as T
}

async function known(name: string): Promise<Repository> {
  const repository = await host.addRepository({ owner: 'octavia', name })
  await eventually(async () => {
    const found = await db.selectFrom('repositories').select('codehost_id').execute()
    expect(found).toContainEqual({ codehost_id: repository.id })
  })
  return repository
}

const check = (line: string) => ({
  '.service.yml': 'language: generic\nscript: sh check.sh\n',
  'check.sh': `echo "started at $(date +%s)"\necho "ERROR: printed by every run"\n${line}\n`,
})

test(
  'a failed job names its new lines: in the API, and in the status',
  { timeout: 120_000 },
  async () => {
    const repository = await known('why')
    const green = await built(repository, check('echo "all 12 rows are fine"'))
    expect(green).toMatchObject({ job: { state: 'passed' }, status: 'The build passed' })
    const red = await built(repository, check('echo "row 7: name is missing" >&2; exit 3'))
    expect(red.job.state).toBe('failed')

    expect(await v3(`/job/${red.job.id}/failure`)).toMatchObject({
      '@type': 'failure',
      attempt: 1,
      basis: 'new',
      command: 'sh check.sh',
      phase: 'script',
      exit_code: 3,
      lines: [
        {
          text: 'row 7: name is missing',
          before: [expect.stringContaining('started at'), 'ERROR: printed by every run'],
        },
      ],
      compared: [{ job_id: green.job.id, number: green.job.number }],
    })
    expect(red.status).toMatch(/^Failed in \d+ s: "sh check\.sh": row 7: name is missing$/)
    const page = async (where: string) => {
      const headers = { accept: 'text/html' }
      return (await fetch(`${service.localUrl}/octavia/why/${where}`, { headers })).text()
    }
    const shown = '<span class="text">row 7: name is missing</span>'
    expect(await page(`builds/${red.job.build_id}`)).toContain(shown)
    expect(await page(`jobs/${red.job.id}`)).toContain(shown)
    expect(await page(`builds/${green.job.build_id}`)).not.toContain('exited with')

    expect(await v3(`/job/${green.job.id}/failure`)).toMatchObject({ basis: null, lines: [] })
  },
)

test('without a green run it guesses', { timeout: 120_000 }, async () => {
  const repository = await known('guess')
  const { job } = await built(repository, check('echo "cat: x: No such file or directory"; exit 1'))
  const failure = await v3<{ lines: { text: string }[] }>(`/job/${job.id}/failure`)
  expect(failure).toMatchObject({ basis: 'guess', kind: 'missing', compared: [] })
  expect(failure.lines.map(({ text }) => text)).toContain('cat: x: No such file or directory')
})
