import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { describe, expect, onTestFinished, test } from 'vitest'
import { reclaimJobs } from '../../src/flow/jobs/reclaim-jobs.ts'
import { age } from '../support/age.ts'
import { command, scratchFolder } from '../support/command.ts'
import { testContext } from '../support/context.ts'
import { emptyDatabase, freshDatabase } from '../support/database.ts'
import { factories } from '../support/factories.ts'
import { workTree } from '../support/git.ts'
import { startProcess } from '../support/service-process.ts'
import { backUp, fileOf, on } from './backups.ts'

const source = await freshDatabase()
const { db } = source

describe('while builds run', () => {
  const jobsPerBuild = 3
  const builds = 50

  /** Running builds, with a part of the log for each attempt of their jobs. */
  async function startBuilds(): Promise<void> {
    const make = factories(db)
    const repository = await make.repository()
    for (let number = 0; number < builds; number += 1) {
      const build = await make.build({ repository, state: 'started' })
      for (let n = 0; n < jobsPerBuild; n += 1) await make.job({ build, state: 'started' })
    }
    await db.updateTable('jobs').set({ attempt: 1, started_at: new Date() }).execute()
    await sql`
      insert into leases (job_id, attempt, runner_id, claimed_at, renewed_at)
      select id, attempt, 'runner', now(), now() from jobs
    `.execute(db)
    await sql`
      insert into log_parts (log_id, attempt, number, content) select id, 1, 1, 'x' from jobs
    `.execute(db)
    // Their table is copied between the tables of jobs and parts, which takes a while.
    await sql`update logs set content = repeat('y', 300000)`.execute(db)
  }

  /** Begins the next attempt of all jobs of one build after the other, each in one transaction. */
  async function change(isOver: () => boolean, first: number): Promise<number> {
    let changes = 0
    for (; !isOver(); changes += 1) {
      const build_id = 1 + ((first + changes) % builds)
      await db.transaction().execute(async (tx) => {
        await tx
          .updateTable('jobs')
          .set(({ eb }) => ({ attempt: eb('attempt', '+', 1) }))
          .where('build_id', '=', build_id)
          .execute()
        await sql`
          update leases set attempt = jobs.attempt from jobs where job_id = id and build_id = ${build_id}
        `.execute(tx)
        await sql`
          insert into log_parts (log_id, attempt, number, content)
          select id, attempt, 1, 'x' from jobs where build_id = ${build_id}
        `.execute(tx)
      })
    }
    return changes
  }

  test('a backup is a consistent snapshot, and its running jobs run again', async () => {
    await startBuilds()
    let isOver = false
    const changes = [0, 25].map((first) => change(() => isOver, first))
    const file = fileOf(await backUp(source).finally(() => (isOver = true)))
    for (const count of await Promise.all(changes)) expect(count).toBeGreaterThan(builds)

    const target = await emptyDatabase()
    expect(await on(target, ['restore', file])).toMatchObject({ code: 0, stderr: '' })
    const { rows } = await sql<{ attempts: number; uneven: number; jobs: number }>`
      select count(*)::int as jobs, max(attempt)::int as attempts,
        count(*) filter (where attempt <> (
          select count(*) from log_parts where log_id = jobs.id
        ) or attempt <> (
          select attempt from leases where job_id = jobs.id
        ) or attempt <> (
          select min(attempt) from jobs others where others.build_id = jobs.build_id
        ))::int as uneven
      from jobs
    `.execute(target.db)
    expect(rows).toMatchObject([{ jobs: builds * jobsPerBuild, uneven: 0 }])
    expect(rows[0]?.attempts).toBeGreaterThan(1)

    await age(target.db, 120)
    await reclaimJobs(testContext(target.db))
    const jobs = await target.db.selectFrom('jobs').select('state').distinct().execute()
    expect(jobs).toEqual([{ state: 'created' }])
    expect(await target.db.selectFrom('leases').selectAll().execute()).toEqual([])
  })
})

test('an embedded service is backed up while it serves, and continues in another folder with its key', async () => {
  const [first, second, folder] = [scratchFolder(), scratchFolder(), scratchFolder()]
  const tree = workTree()
  tree.commit('Begin', { '.service.yml': 'script: echo hello' })
  const service = await startProcess({ DATA_DIR: first, LOG_LEVEL: 'silent' })
  onTestFinished(() => service.stop())
  const run = (DATA_DIR: string, ...args: string[]) =>
    command(args, { env: { DATA_DIR, PORT: '0' } })
  await run(first, 'local', 'add', tree.folder, '--name', 'team/hello', '--build')
  const read = (url: string) =>
    fetch(`${url}/repos/team/hello/builds`).then((found) => found.text())
  await expect.poll(() => read(service.url), { timeout: 60_000 }).toContain('"passed"')
  const before = await read(service.url)

  const file = path.join(folder, 'backup.gz')
  const { code, stdout } = await run(first, 'backup', file)
  const lines = stdout.split('\n')
  expect([code, lines[0]]).toEqual([
    0,
    expect.stringMatching(/^backed up \d+ tables with \d+ rows to \/.+\/backup\.gz \(\d+ kB\)$/),
  ])
  expect(lines[1]).toBe(
    `the master key is not in the backup: keep a copy of ${path.join(first, 'master.key')} in another ` +
      'place. Without the key, no one can read the secrets of the backup, and the service does not start with its data.',
  )
  expect([readdirSync(folder), statSync(file).mode & 0o777]).toEqual([['backup.gz'], 0o600])
  const masterKey = readFileSync(path.join(first, 'master.key'), 'utf8')
  expect(gunzipSync(readFileSync(file)).includes(masterKey.trim())).toBe(false)
  expect(await read(service.url)).toBe(before)

  expect(await run(first, 'restore', file)).toMatchObject({
    code: 78,
    stderr: expect.stringContaining(`the database in the folder ${first} is not empty`),
  })
  await service.stop()

  writeFileSync(path.join(second, 'master.key'), masterKey, { mode: 0o600 })
  const restored = await run(second, 'restore', file)
  expect([restored.code, restored.stdout.split('\n').length]).toEqual([0, 2])
  const again = await startProcess({ DATA_DIR: second, LOG_LEVEL: 'silent' })
  onTestFinished(() => again.stop())
  expect(await read(again.url)).toBe(before)
}, 240_000)

describe('backup', () => {
  test('overwrites no file, and leaves no file if it fails', async () => {
    const [database, folder] = [await emptyDatabase(), scratchFolder()]
    const file = path.join(folder, 'backup.gz')
    const refused = async (name: string, message: string) => {
      const { code, stdout, stderr } = await on(database, ['backup', name])
      expect([code, stdout, stderr]).toEqual([78, '', expect.stringContaining(message)])
      expect(stderr).toMatch(/^.*: .*\n$/)
    }
    await refused(file, 'the database of DATABASE_URL was never used by build-service')
    await refused('/nowhere/backup.gz', 'the backup /nowhere/backup.gz cannot be written (ENOENT)')
    expect(readdirSync(folder)).toEqual([])
    writeFileSync(file, 'mine')
    await refused(file, `there is a file ${file} already: name another one`)
    expect(readFileSync(file, 'utf8')).toBe('mine')
    expect(existsSync('/nowhere')).toBe(false)
  })

  test('reports if the local key is not the key of the database', async () => {
    expect(await on(source, ['migrate'])).toMatchObject({ code: 0 })
    const MASTER_KEY = 'b'.repeat(64)
    const { code, stdout } = await on(source, ['backup', 'backup.gz'], { MASTER_KEY })
    expect([code, stdout]).toEqual([
      0,
      expect.stringContaining('(MASTER_KEY holds a different key)'),
    ])
  })
})
