import { beforeEach, expect, test } from 'vitest'
import { announceBuild } from '../../src/flow/builds/announce-build.ts'
import { publishOutbox } from '../../src/flow/statuses/publish-outbox.ts'
import { transact } from '../../src/flow/transact.ts'
import { createServer } from '../../src/http/server.ts'
import { openNotifier } from '../../src/notify/notifier.ts'
import { findBuild } from '../../src/store/builds/builds.ts'
import { type TestContext, testContext } from '../support/context.ts'
import { testDatabase } from '../support/database.ts'
import { factories } from '../support/factories.ts'
import { capturedLog } from '../support/log.ts'
import { commitOf, type MemoryCodehost, memoryCodehost } from '../support/memory-codehost.ts'
import { type MemoryNotifier, memoryNotifier } from '../support/memory-notifier.ts'
import { secretsScene } from './secrets-scene.ts'

const db = await testDatabase()
const make = factories(db)

let codehost: MemoryCodehost
let notifier: MemoryNotifier
let ctx: TestContext
let server: Awaited<ReturnType<typeof createServer>>

beforeEach(async () => {
  codehost = memoryCodehost()
  notifier = memoryNotifier()
  const base = testContext(db, { codehost })
  const mail = { smtpUrl: 'smtp://mail.example.org', mailFrom: 'ci@example.org' }
  ctx = { ...base, notifier, config: { ...base.config, ...mail } }
  server = await createServer(ctx)
})

const sceneOf = (given = {}) => secretsScene({ db, make, ctx, codehost }, server, given)

/** Announces that a build has failed, and publishes what follows. */
async function fail({ build_id }: { build_id: number }): Promise<void> {
  const build = await findBuild(db, build_id)
  if (!build) throw new Error('there is no build')
  await transact(ctx, (tx) => announceBuild(tx, { ...build, state: 'failed' }))
  for (let published = 0; published < ctx.enqueued.length; published += 1) {
    const { name, payload, options } = ctx.enqueued[published] ?? {}
    // Notifications to be retried are left waiting.
    if (name !== 'notification.publish' || options?.delay !== undefined) continue
    await publishOutbox(ctx, (payload as { stream: string }).stream)
  }
}

const urls = () => notifier.posted.map(({ url }) => url)
const rows = () => db.selectFrom('notifications').selectAll().orderBy('id').execute()

const withTargets = (webhook: string, others = '') =>
  `script: make\nnotifications:\n  webhooks:\n    - secure: "${webhook}"\n${others}`

test('a target encrypted with the key of the repository is notified, but never shown', async () => {
  const scene = await sceneOf()
  const webhook = await scene.encrypted('https://anna:pass@hooks.example.org/token-1?key=2')
  const room = await scene.encrypted('acme:token-3#builds')
  const mails = await scene.encrypted('anna@example.org, ben@example.org')
  const others = `  slack:\n    rooms:\n      - secure: "${room}"\n  email:\n    - secure: "${mails}"\n`
  await fail(await scene.build(withTargets(webhook, others), 'push'))
  expect(urls()).toEqual([
    'https://anna:pass@hooks.example.org/token-1?key=2',
    'https://acme.slack.com/services/hooks/incoming-webhook?token=token-3',
  ])
  expect(notifier.mailed.map(({ to }) => to)).toEqual(['anna@example.org', 'ben@example.org'])
  const stored = await rows()
  expect(stored.map(({ target, state }) => ({ target, state }))).toEqual([
    { target: '[secure]', state: 'sent' },
    { target: '[secure]', state: 'sent' },
    { target: '[secure]', state: 'sent' },
    { target: '[secure]', state: 'sent' },
  ])
  for (const secret of ['pass', 'token-', 'key=', 'anna@', 'ben@', 'hooks.', 'acme', '#builds']) {
    expect(JSON.stringify(stored)).not.toContain(secret)
    expect(notifier.posted[0]?.body).not.toContain(secret)
  }
})

test('a target encrypted with the key of another repository is not notified, and the log reports it', async () => {
  const scene = await sceneOf()
  const other = await sceneOf({ name: 'other' })
  await scene.encrypted('so that there is a key')
  await fail(await scene.build(withTargets(await other.encrypted('https://a.example/')), 'push'))
  expect(urls()).toEqual([])
  expect(await rows()).toMatchObject([
    {
      target: '[secure]',
      state: 'skipped',
      message: 'The address is encrypted, but not with the key of this repository.',
    },
  ])
})

test('a fork decrypts no targets of its own file, only those of the base branch', async () => {
  const scene = await sceneOf()
  const own = await scene.encrypted('https://base.example/')
  const copied = await scene.encrypted('https://elsewhere.example/')
  await fail(await scene.build(withTargets(own), 'push'))
  await fail(await scene.build(withTargets(copied), 'fork'))
  expect(urls()).toEqual(['https://base.example/', 'https://base.example/'])
})

test("a target encrypted in an imported file is decrypted with the key of the file's repository", async () => {
  const scene = await sceneOf()
  const shared = await sceneOf({ name: 'shared' })
  const sha = 'd'.repeat(40)
  const webhook = await shared.encrypted('https://shared.example/')
  codehost.commits.set('main', commitOf(sha, 'Share'))
  codehost.files.set(`octavia/shared:told.yml@${sha}`, withTargets(webhook))
  const file = 'script: make\nimport: octavia/shared:told.yml\n'
  await fail(await scene.build(file, 'push'))
  expect(urls()).toEqual(['https://shared.example/'])
})

test.each([
  [
    'does not respond',
    'http://127.0.0.1:1/token',
    /^the target cannot be reached \(ECONNREFUSED\)$/,
  ],
  ['is unknown', 'http://secret-host.invalid/token', /^the target has no address/],
  ['must not be called', 'http://10.9.8.7/token', /^the target has an address that is not public/],
])('an encrypted address that %s is not named, stored or logged', async (_, address, message) => {
  const written = capturedLog()
  const resolve = () => Promise.reject(new Error('queryA ENOTFOUND secret-host.invalid'))
  const { post } = openNotifier({ allowed: ['127.0.0.1'], smtpUrl: undefined, resolve })
  ctx = { ...ctx, notifier: { ...notifier, post }, log: written.log }
  const scene = await sceneOf()
  await fail(await scene.build(withTargets(await scene.encrypted(address)), 'push'))
  const stored = await rows()
  expect(stored).toMatchObject([{ target: '[secure]', message: expect.stringMatching(message) }])
  const outbox = await db.selectFrom('outbox').selectAll().execute()
  const { hostname } = new URL(address)
  for (const text of [written.text(), JSON.stringify(stored), JSON.stringify(outbox)]) {
    expect(text).not.toContain(hostname)
  }
  expect(written.text()).toContain('notification was not sent')
})

test('a build of a fork is reported to targets that the base branch encrypts in an imported file', async () => {
  const scene = await sceneOf()
  const shared = await sceneOf({ name: 'shared' })
  const sha = 'd'.repeat(40)
  const webhook = await shared.encrypted('https://shared.example/')
  codehost.commits.set('main', commitOf(sha, 'Share'))
  codehost.files.set(`octavia/shared:told.yml@${sha}`, withTargets(webhook))
  await fail(await scene.build('script: make\nimport: octavia/shared:told.yml\n', 'push'))
  await fail(await scene.build('script: make\n', 'fork'))
  expect(urls()).toEqual(['https://shared.example/', 'https://shared.example/'])
})
