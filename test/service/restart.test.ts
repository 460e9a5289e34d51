import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { appSettings, atRest, eventually, isPassed, toldOf } from '../support/app-story.ts'
import { startCodehost } from '../support/codehost/codehost.ts'
import { ownDatabase } from '../support/database.ts'
import { type ServiceProcess, startProcess, urlOf } from '../support/service-process.ts'

const { db, connection } = await ownDatabase()
const dataDir = mkdtempSync(path.join(tmpdir(), 'build-service-restart-'))
const host = await startCodehost()
const running: ServiceProcess[] = []

afterAll(async () => {
  await Promise.all(running.map((each) => each.stop()))
  await host.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

async function start(): Promise<ServiceProcess> {
  const env = { DATA_DIR: dataDir, DATABASE_URL: urlOf(connection), LOG_LEVEL: 'silent' }
  const started = await startProcess({ ...env, ...appSettings(host), RUNNER_SLOTS: '1' })
  running.push(started)
  host.setWebhookUrl(`${started.url}/webhooks/codehost`)
  return started
}

test('pending statuses are posted in order after a crash and a restart', async () => {
  const first = await start()
  const repository = await host.addRepository({ name: 'hello' })
  const heal = host.failWhile({ kind: 'status', status: 500 }, /\/(statuses|check-runs)/)
  const sha = await host.commit(repository, {
    files: { '.service.yml': 'language: generic\nscript: "true"' },
  })
  await eventually(async () =>
    expect(await db.selectFrom('builds').select('state').execute()).toEqual([{ state: 'passed' }]),
  )
  first.child.kill('SIGKILL')
  await first.gone

  const second = await start()
  expect(toldOf(host, repository, sha)).toEqual([])
  await second.stop()
  heal()
  // The pauses grow with each refusal: on a busy machine, to more than a test can wait for.
  await db.updateTable('outbox').set({ next_attempt_at: null }).execute()
  await start()
  await eventually(() => expect(toldOf(host, repository, sha)).toSatisfy(isPassed), 50)
  await atRest(db)
  expect(toldOf(host, repository, sha)).toSatisfy(isPassed)
  expect(host.checkRuns(repository, sha)).toMatchObject([{ conclusion: 'neutral' }])
}, 90_000)
