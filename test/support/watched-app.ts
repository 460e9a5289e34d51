import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect } from 'vitest'
import { readConfig } from '../../src/config/config.ts'
import { sweep } from '../../src/flow/upkeep/sweep.ts'
import { type Service, startService } from '../../src/service/start.ts'
import { databaseNow } from '../../src/store/sql/age.ts'
import { textIn } from '../http/pages/reading.ts'
import { age } from './age.ts'
import { appSettings, eventually } from './app-story.ts'
import { startCodehost } from './codehost/codehost.ts'
import { type Repository, slugOf } from './codehost/tables.ts'
import { command } from './command.ts'
import { testLog } from './context.ts'
import { ownDatabase } from './database.ts'
import { urlOf } from './service-process.ts'

/**
 * A service that is the app of a code host, and what is seen of it there and on its own pages. It has no
 * runner: builds wait, until a test ends them.
 */
export async function watchedApp(settings: Record<string, string> = {}) {
  const { db, connection } = await ownDatabase()
  const dataDir = mkdtempSync(path.join(tmpdir(), 'build-service-watched-'))
  const host = await startCodehost()
  const env = {
    ...{ DATA_DIR: dataDir, DATABASE_URL: urlOf(connection), PORT: '0' },
    ...{ ROLE: 'web,worker', MASTER_KEY: 'a'.repeat(64), ...appSettings(host), ...settings },
  }
  const running = {} as { service: Service }
  let count = 0

  beforeAll(async () => {
    running.service = await startService(readConfig(env), { log: testLog })
    host.setWebhookUrl(`${running.service.localUrl}/webhooks/codehost`)
  })

  afterAll(async () => {
    await running.service.stop()
    // The answers that go wrong are not as the code host describes its own.
    await host.stop({ beyondDescription: true })
    rmSync(dataDir, { recursive: true, force: true })
  })

  const page = async (at: string) => {
    const { localUrl } = running.service
    const answer = await fetch(`${localUrl}${at}`, { headers: { accept: 'text/html' } })
    return textIn(await answer.text())
  }

  return {
    db,
    host,
    running,

    /** A repository that the service knows of, whose installation may have less than the app asks for. */
    async installed(granted?: Readonly<Record<string, 'read' | 'write'>>): Promise<Repository> {
      const repository = await host.addRepository({ owner: `owner-${(count += 1)}` })
      const installation = host.tables.installations.find(
        ({ account }) => account === repository.owner,
      )
      if (installation && granted) installation.permissions = granted
      await eventually(async () => {
        const known = await db.selectFrom('repositories').select('codehost_id').execute()
        expect(known).toContainEqual({ codehost_id: repository.id })
      })
      return repository
    },

    /** Waits until nothing is left to be decided, and every report was tried. */
    settled: () =>
      eventually(async () => {
        const unread = await db
          .selectFrom('deliveries')
          .select('event')
          .where('state', '=', 'received')
          .execute()
        const undecided = await db
          .selectFrom('requests')
          .select('id')
          .where('state', '<>', 'finished')
          .execute()
        const untried = await db
          .selectFrom('outbox')
          .select('id')
          .where('published_at', 'is', null)
          .where((eb) =>
            eb.or([eb('next_attempt_at', 'is', null), eb('next_attempt_at', '<=', databaseNow)]),
          )
          .execute()
        expect([unread, undecided, untried]).toEqual([[], [], []])
      }, 60),

    /** Has so much time go by, and does what is due then. */
    async passes(seconds: number): Promise<void> {
      await age(db, seconds)
      await sweep(running.service.ctx, 0)
    },

    /** The calls that post to a commit's statuses or checks, so far. */
    posts: (kind: 'statuses' | 'check-runs') =>
      host.calls.filter(({ call }) => new RegExp(`^(?:POST|PATCH) .*/${kind}\\b`).test(call))
        .length,

    pageOf: (repository: Repository) => page(`/${slugOf(repository)}`),

    async pageOfBuild(repository: Repository): Promise<string> {
      const build = await db
        .selectFrom('builds')
        .innerJoin('repositories', 'repositories.id', 'builds.repository_id')
        .select('builds.id')
        .where('repositories.codehost_id', '=', repository.id)
        .orderBy('builds.id', 'desc')
        .executeTakeFirstOrThrow()
      return page(`/${slugOf(repository)}/builds/${build.id}`)
    },

    /** What the command reports of statuses and checks. */
    async doctor(): Promise<string> {
      const { stdout } = await command(['doctor'], { env })
      return stdout.replaceAll(/\s+/g, ' ')
    },

    /** What came of the newest webhook of this kind. */
    outcome: (event: string) => outcomeOf(db, event),
  }
}

async function outcomeOf(db: Service['ctx']['db'], event: string): Promise<string> {
  let outcome: string | null | undefined
  await eventually(async () => {
    const newest = await db
      .selectFrom('deliveries')
      .select('outcome')
      .where('event', '=', event)
      .orderBy('id', 'desc')
      .executeTakeFirst()
    outcome = newest?.outcome
    expect(outcome).toBeTruthy()
  })
  return outcome ?? ''
}
