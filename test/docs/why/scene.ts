import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect } from 'vitest'
import { readConfig } from '../../../src/config/config.ts'
import { type Service, startService } from '../../../src/service/start.ts'
import type { Database } from '../../../src/store/tables.ts'
import { appSettings, atRest, eventually } from '../../support/app-story.ts'
import { type FakeCodehost, startCodehost } from '../../support/codehost/codehost.ts'
import type { Pull, Repository } from '../../support/codehost/tables.ts'
import { testLog } from '../../support/context.ts'
import { emptyEverything } from '../../support/local-story.ts'

/** A repository of its own for one situation, and what can be done there. */
export interface Scene {
  db: Database
  host: FakeCodehost
  repository: Repository
  /** Pushes a build file to `main`, or elsewhere. */
  push(file: string, given?: { branch?: string; message?: string }): Promise<string>
  /** Does something that no webhook tells of. */
  quietly<T>(act: () => Promise<T>): Promise<T>
  /** Opens a pull request into `main` of the branch `topic`, which has this build file. */
  pull(file: string, given?: { message?: string; draft?: boolean }): Promise<Pull>
  /** Waits until nothing is left to be done. */
  rest(): Promise<void>
}

/** A service that decides but runs nothing, at a code host of its own. */
export async function openScenes(
  db: Database,
  databaseUrl: string,
  settings: Record<string, string> = {},
) {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'build-service-why-'))
  const host = await startCodehost()
  const config = readConfig({
    ...{ DATA_DIR: dataDir, DATABASE_URL: databaseUrl, PORT: '0' },
    ...appSettings(host),
    ...settings,
  })
  const service: Service = await startService(
    { ...config, roles: ['web', 'worker'] },
    { log: testLog },
  )
  host.setWebhookUrl(`${service.localUrl}/webhooks/codehost`)
  let count = 0

  return {
    service,

    /** A new repository of a service that knows of nothing else. */
    async next(): Promise<Scene> {
      // What the service does by the clock may hold a lock just then.
      await eventually(() => emptyEverything(db))
      const owner = `octavia-${(count += 1)}`
      const repository = await host.addRepository({ owner, files: { readme: 'Hello' } })
      await eventually(async () => {
        const known = await db.selectFrom('repositories').select('codehost_id').execute()
        expect(known).toContainEqual({ codehost_id: repository.id })
      })
      await atRest(db)
      await db.deleteFrom('deliveries').execute()
      return sceneOf(db, host, repository, `${service.localUrl}/webhooks/codehost`)
    },

    async stop() {
      await service.stop()
      await host.stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

function sceneOf(
  db: Database,
  host: FakeCodehost,
  repository: Repository,
  webhookUrl: string,
): Scene {
  const filesOf = (file: string) => ({ '.service.yml': file })
  let quiet = 0
  async function quietly<T>(act: () => Promise<T>): Promise<T> {
    quiet += 1
    host.setWebhookUrl(undefined)
    try {
      return await act()
    } finally {
      quiet -= 1
      if (quiet === 0) host.setWebhookUrl(webhookUrl)
    }
  }
  return {
    db,
    host,
    repository,
    quietly,
    push: (file, given = {}) => host.commit(repository, { files: filesOf(file), ...given }),
    async pull(file, { message, draft = false } = {}) {
      const greeting = { greeting: 'Hello', ...filesOf(file) }
      const said = message === undefined ? {} : { message }
      await quietly(() => host.commit(repository, { branch: 'topic', files: greeting, ...said }))
      return host.openPull(repository, { head: 'topic', draft })
    },
    async rest() {
      await atRest(db)
      await eventually(() => allAreScheduled(db))
    },
  }
}

/** Sees that each job is queued, or knows why it is not. */
async function allAreScheduled(db: Database): Promise<void> {
  const jobs = await db.selectFrom('jobs').select('checks').where('state', '=', 'created').execute()
  expect(jobs.filter(({ checks }) => checks.length === 0)).toEqual([])
}
