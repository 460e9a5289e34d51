import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readConfig } from '../../src/config/config.ts'
import { type Service, startService } from '../../src/service/start.ts'
import { appSettings, atRest, eventually } from '../support/app-story.ts'
import { startCodehost } from '../support/codehost/codehost.ts'
import { testLog } from '../support/context.ts'
import { ownDatabase } from '../support/database.ts'
import { factories } from '../support/factories.ts'
import { urlOf } from '../support/service-process.ts'

// Jobs that really run and fail, and the cause that each part of the service then shows.

const { db, connection } = await ownDatabase()
const dataDir = mkdtempSync(path.join(tmpdir(), 'build-service-why-it-failed-'))
const host = await startCodehost()
// Jobs do not see the data folder.
const programs = mkdtempSync(path.join(tmpdir(), 'build-service-programs-'))
const config = readConfig({
  ...{ DATA_DIR: dataDir, DATABASE_URL: urlOf(connection), PORT: '0', RUNNER_SLOTS: '1' },
  ...{ RUNNER_PATH: programs, RUNNER_READ_ONLY: programs, BUILD_CHECK: 'true' },
  ...appSettings(host),
})

/** The server that jobs query for their result: something outside of their commits. */
const world = { answer: 'good' }
const outsideWorld = createServer((socket) => socket.end(`${world.answer}\n`))

function installCompiler(version: string): void {
  const program = path.join(programs, 'gcc')
  writeFileSync(program, `#!/bin/sh\necho "gcc (test) ${version}"\n`)
  chmodSync(program, 0o755)
}

let service: Service
beforeAll(async () => {
  // Readable for the user that jobs run as.
  chmodSync(programs, 0o755)
  installCompiler('12.1')
  await new Promise<void>((resolve) => outsideWorld.listen(0, '127.0.0.1', resolve))
  service = await startService(config, { log: testLog })
  host.setWebhookUrl(`${service.localUrl}/webhooks/codehost`)
})

afterAll(async () => {
  await service.stop()
  await host.stop()
  outsideWorld.close()
  for (const folder of [dataDir, programs]) rmSync(folder, { recursive: true, force: true })
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
  const check = host.checkRuns(repository, sha).find(({ name }) => name.endsWith(' - Branch'))
  return { job, status, check: check?.output.text }
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
  'the API and the status name the new lines of a failed job',
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

    expect(red.check).toContain(`(compared with ${green.job.number}):`)
    expect(red.check).toMatch(/^\d+: row 7: name is missing$/m)
    expect(red.check).toContain('Nothing outside the commit is known to have changed between job')

    expect(await v3(`/job/${green.job.id}/failure`)).toMatchObject({ basis: null, lines: [] })
  },
)

test(
  'the lines are a guess without a passed run to compare with',
  { timeout: 120_000 },
  async () => {
    const repository = await known('guess')
    const { job } = await built(
      repository,
      check('echo "cat: x: No such file or directory"; exit 1'),
    )
    const failure = await v3<{ lines: { text: string }[] }>(`/job/${job.id}/failure`)
    expect(failure).toMatchObject({ basis: 'guess', kind: 'missing', compared: [] })
    expect(failure.lines.map(({ text }) => text)).toContain('cat: x: No such file or directory')
  },
)

interface Told {
  outside: { text: string; same_commit: boolean; changes: unknown[] } | null
  flaky: { text: string } | null
}

test('a change outside the commit is named, and nothing else', { timeout: 240_000 }, async () => {
  const repository = await known('outside')
  const shared = await known('shared')
  const address = outsideWorld.address()
  const port = typeof address === 'object' ? address?.port : undefined
  const script = `exec 3<>/dev/tcp/127.0.0.1/${port}; read -r answer <&3; echo "it is $answer"; [[ $answer == good ]]`
  const imported = (comment: string) => ({ 'ci.yml': `# ${comment}\nenv: COLOUR=red\n` })
  await host.commit(shared, { files: imported('one') })
  const files = {
    '.service.yml': 'language: c\nimport: octavia/shared:ci.yml@main\nscript: bash check.sh\n',
    'check.sh': script,
  }
  const stored = await db
    .selectFrom('repositories')
    .where('codehost_id', '=', repository.id)
    .select('id')
    .executeTakeFirstOrThrow()
  const make = factories(db)
  const owner = await db
    .selectFrom('users')
    .selectAll()
    .where('login', '=', 'octavia')
    .executeTakeFirstOrThrow()
  await host.setRole(repository, 'octavia', 'admin')
  const token = await make.token(owner)
  const post = async (where: string, body: object = {}) => {
    const answer = await fetch(`${service.localUrl}/v3${where}`, {
      method: 'POST',
      headers: { authorization: `token ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    expect({ status: answer.status, text: await answer.text() }).toMatchObject({
      status: where.startsWith('/job') ? 202 : 201,
    })
  }
  /** Builds a commit in this world, after a change. */
  const run = async (answer: string, change: () => unknown = () => undefined) => {
    world.answer = answer
    await change()
    return built(repository, { ...files, 'notes.txt': String(Math.random()) })
  }
  const told = (id: number) => v3<Told>(`/job/${id}/failure`)
  const page = async (where: string) => {
    const headers = { accept: 'text/html' }
    return (await fetch(`${service.localUrl}/octavia/outside/${where}`, { headers })).text()
  }

  const first = await run('good')
  const red = await run('bad')
  const { outside: nothing } = await told(red.job.id)
  expect(nothing).toMatchObject({ from: { job_id: first.job.id }, same_commit: false, changes: [] })
  expect(nothing?.text).toMatch(/^Nothing outside the commit is known to have changed between/)

  // The same job again, without a known change: a proof.
  world.answer = 'good'
  await post(`/job/${red.job.id}/restart`)
  await eventually(async () => {
    const states = await db
      .selectFrom('jobs')
      .where('id', '=', red.job.id)
      .select('state')
      .execute()
    expect(states).toEqual([{ state: 'passed' }])
  })
  expect((await told(red.job.id)).outside).toMatchObject({
    ...{ result: 'passed', same_commit: true, changes: [] },
    from: { job_id: red.job.id, attempt: 1 },
    to: { job_id: red.job.id, attempt: 2 },
  })

  const changes: [string, () => unknown][] = [
    [
      'the variable SECRET of the settings was added',
      () => post(`/repo/${stored.id}/env_vars`, { name: 'SECRET', value: 'hidden-value' }),
    ],
    ['gcc --version: gcc (test) 13.2 instead of gcc (test) 12.1', () => installCompiler('13.2')],
    [
      'the imported file octavia/shared:ci.yml has another content',
      () => host.commit(shared, { files: imported('two') }),
    ],
  ]
  for (const [at, [text, change]] of changes.entries()) {
    const green = await run('good')
    const broken = await run('bad', change)
    // The first run that failed with this cause counts, and no later one.
    const all = at === 0 ? [broken, await run('bad')] : [broken]
    for (const { job } of all) {
      const { outside, flaky } = await told(job.id)
      expect(outside?.changes).toHaveLength(1)
      expect(outside?.text).toMatch(/^Changed outside the commit between job/)
      expect(outside?.text).toContain(
        `between job ${green.job.number}, which passed, and job ${broken.job.number}, which failed `,
      )
      expect(outside?.text.split(' later: ')[1]).toBe(`${text}.`)
      expect(flaky?.text).toMatch(/^Flaky: 1 of \d+ runs in 30 days failed, and passed with/)
      for (const where of [`jobs/${job.id}`, `builds/${job.build_id}`]) {
        const html = await page(where)
        expect(html).toContain(text)
        expect(html).toContain(flaky?.text)
        expect(html).not.toContain('hidden-value')
      }
    }
  }
})
