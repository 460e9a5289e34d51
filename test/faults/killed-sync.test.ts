import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest'
import { logInAt } from '../attack/people-in-play.ts'
import { appSettings, eventually } from '../support/app-story.ts'
import { startCodehost } from '../support/codehost/codehost.ts'
import { ownDatabase } from '../support/database.ts'
import { type ServiceProcess, startProcess, urlOf } from '../support/service-process.ts'

const { db, connection } = await ownDatabase()
const host = await startCodehost()
const publicUrl = 'http://ci.example.org'

let dataDir: string
let running: ServiceProcess[]

beforeEach(() => {
  dataDir = mkdtempSync(path.join(tmpdir(), 'build-service-sync-'))
  running = []
})

afterEach(async () => {
  await Promise.all(running.map((each) => each.stop()))
  rmSync(dataDir, { recursive: true, force: true })
})

afterAll(() => host.stop())

async function start(): Promise<ServiceProcess> {
  const service = await startProcess({
    ...{ DATA_DIR: dataDir, DATABASE_URL: urlOf(connection), RUNNER_SLOTS: '1' },
    ...{ PUBLIC_URL: publicUrl, ...appSettings(host) },
  })
  running.push(service)
  host.setWebhookUrl(`${service.url}/webhooks/codehost`)
  return service
}

const anna = () =>
  db
    .selectFrom('users')
    .select(['is_syncing', 'synced_at'])
    .where('login', '=', 'anna')
    .executeTakeFirst()

async function rights(): Promise<string[]> {
  const rows = await db
    .selectFrom('permissions')
    .innerJoin('repositories', 'repositories.id', 'repository_id')
    .innerJoin('users', 'users.id', 'user_id')
    .select(['repositories.name', 'push'])
    .where('login', '=', 'anna')
    .orderBy('repositories.name')
    .execute()
  return rows.map(({ name, push }) => `${name}: ${push ? 'push' : 'pull'}`)
}

const names = ['a', 'b', 'c', 'd', 'e', 'f']

test('the sync of a login continues where it was after its service is killed', async () => {
  const member = { collaborators: { anna: 'write' }, private: true } as const
  host.addUser({ login: 'anna' })
  for (const name of names) await host.addRepository({ owner: 'acme', name, ...member })
  host.limitPages(2)
  const doomed = await start()

  let release = () => {}
  const gone = new Promise<void>((resolve) => (release = resolve))
  const pages = /^GET \/user\/installations\/\d+\/repositories/
  const isSecond = /^GET \/user\/installations\/\d+\/repositories.*[?&]page=2/
  host.failNext({ kind: 'late', until: gone }, isSecond)
  await logInAt({ localUrl: doomed.url, url: publicUrl }, host, 'anna')
  const asked = () => host.calls.map(({ call }) => call).filter((call) => pages.test(call))
  await eventually(async () => expect(await rights()).toEqual(['a: push', 'b: push']))
  expect(await anna()).toEqual({ is_syncing: true, synced_at: null })
  doomed.child.kill('SIGKILL')
  await doomed.gone
  release()
  const before = asked().length

  await start()
  await eventually(async () => {
    expect(await anna()).toEqual({ is_syncing: false, synced_at: expect.any(Date) })
  }, 60)
  expect(await rights()).toEqual(names.map((name) => `${name}: push`))
  const pageOf = (call: string) => /[?&]page=(\d)/.exec(call)?.[1] ?? '1'
  expect(asked().slice(before).map(pageOf)).toEqual(['2', '3'])
}, 180_000)
