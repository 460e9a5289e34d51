import { createVerify } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Build } from '../../src/domain/build.ts'
import type { Repository } from '../../src/domain/repository.ts'
import { announceBuild } from '../../src/flow/builds/announce-build.ts'
import { resendNotification } from '../../src/flow/notifications/send-notification.ts'
import { publishOutbox } from '../../src/flow/statuses/publish-outbox.ts'
import { transact } from '../../src/flow/transact.ts'
import { tidy } from '../../src/flow/upkeep/sweep.ts'
import { createServer } from '../../src/http/server.ts'
import { NotifyError } from '../../src/notify/notify-error.ts'
import { insertUnsubscriptions } from '../../src/store/notifications/unsubscriptions.ts'
import { setBuildEmailsOf } from '../../src/store/people/users.ts'
import { json } from '../../src/store/tables.ts'
import { age } from '../support/age.ts'
import { v2Client } from '../support/client.ts'
import { type TestContext, testContext } from '../support/context.ts'
import { testDatabase } from '../support/database.ts'
import { factories } from '../support/factories.ts'
import { memoryCodehost } from '../support/memory-codehost.ts'
import { type MemoryNotifier, memoryNotifier } from '../support/memory-notifier.ts'
import { writtenStreams } from '../support/written-streams.ts'

const db = await testDatabase()
const make = factories(db)

let notifier: MemoryNotifier
let ctx: TestContext
let repository: Repository

beforeEach(async () => {
  notifier = memoryNotifier()
  const base = testContext(db, { codehost: memoryCodehost() })
  const mail = { smtpUrl: 'smtp://mail.example.org', mailFrom: 'ci@example.org' }
  ctx = { ...base, notifier, config: { ...base.config, ...mail } }
  repository = await make.repository()
})

const built = (notifications: object, given: Partial<Build> = {}) => {
  const { config: _config, notifications: _notifications, ...rest } = given
  return make.build({ repository, state: 'passed', notifications: json(notifications), ...rest })
}

/** Announces the state of a build, and publishes what follows until nothing is due. */
async function told(build: Build, state = build.state): Promise<void> {
  await transact(ctx, (tx) => announceBuild(tx, { ...build, state }))
  await publishAll()
}

async function publishAll(): Promise<void> {
  for (;;) {
    const entry = ctx.enqueued.find(({ name }) => name === 'notification.publish')
    if (!entry) return
    ctx.enqueued.splice(ctx.enqueued.indexOf(entry), 1)
    if (entry.options?.delay === undefined) {
      await publishOutbox(ctx, (entry.payload as { stream: string }).stream)
    }
  }
}

const rows = () => db.selectFrom('notifications').selectAll().orderBy('id').execute()
const payloads = () =>
  notifier.posted.map(
    ({ body }) => JSON.parse(new URLSearchParams(body).get('payload') ?? '') as object,
  )

describe('a webhook', () => {
  const webhooks = [{ urls: ['https://hooks.example.org/a?key=sesame'] }]

  test('contains the build, its commit and its jobs, and is signed with the key in /config', async () => {
    const build = await built({ webhooks }, { previous_state: 'failed', duration: 7 })
    await make.job({
      build,
      state: 'passed',
      number: '1.1',
      config: json({ deploy: { secure: 'x' } }),
    })
    await told(build)
    const [
      { url, headers, body, trusted } = {
        url: '',
        headers: {} as Record<string, string>,
        body: '',
        trusted: true,
      },
    ] = notifier.posted
    expect({ url, trusted }).toEqual({
      url: 'https://hooks.example.org/a?key=sesame',
      trusted: false,
    })
    const payload = new URLSearchParams(body).get('payload') ?? ''
    const [row] = await rows()
    expect(headers).toMatchObject({
      'content-type': 'application/x-www-form-urlencoded',
      'user-agent': 'build-service',
      'service-repo-slug': 'octavia/hello',
      'service-delivery': row?.guid,
    })
    const { body: config } = await v2Client(await createServer(ctx))('GET /config')
    const key = (config as { config: { notifications: { webhook: { public_key: string } } } })
      .config.notifications.webhook.public_key
    for (const [header, algorithm] of [
      ['signature', 'RSA-SHA1'],
      ['signature-256', 'RSA-SHA256'],
    ] as const) {
      const verify = createVerify(algorithm).update(payload)
      expect(verify.verify(key, headers[header] ?? '', 'base64')).toBe(true)
      const other = createVerify(algorithm).update(`${payload} `)
      expect(other.verify(key, headers[header] ?? '', 'base64')).toBe(false)
    }
    const commit = await db.selectFrom('commits').selectAll().executeTakeFirstOrThrow()
    expect(JSON.parse(payload)).toEqual({
      id: build.id,
      number: '1',
      config: {},
      type: 'push',
      state: 'passed',
      status: 0,
      result: 0,
      status_message: 'Fixed',
      result_message: 'Fixed',
      started_at: null,
      finished_at: '2026-01-02T12:00:00Z',
      duration: 7,
      build_url: `https://ci.example.org/octavia/hello/builds/${build.id}`,
      commit_id: commit.id,
      commit: commit.sha,
      base_commit: null,
      head_commit: null,
      branch: 'main',
      message: 'Say hello',
      compare_url: 'https://codehost.example/octavia/hello/compare/abc...def',
      committed_at: '2026-01-02T12:00:00Z',
      author_name: 'Octavia',
      author_email: 'octavia@example.org',
      committer_name: 'Octavia',
      committer_email: 'octavia@example.org',
      pull_request: false,
      pull_request_number: null,
      pull_request_title: null,
      tag: null,
      repository: {
        id: repository.id,
        name: 'hello',
        owner_name: 'octavia',
        url: 'https://ci.example.org/octavia/hello',
      },
      matrix: [
        {
          id: expect.any(Number),
          repository_id: repository.id,
          parent_id: build.id,
          number: '1.1',
          state: 'passed',
          config: {},
          status: 0,
          result: 0,
          commit: commit.sha,
          branch: 'main',
          message: 'Say hello',
          compare_url: 'https://codehost.example/octavia/hello/compare/abc...def',
          committed_at: '2026-01-02T12:00:00Z',
          author_name: 'Octavia',
          author_email: 'octavia@example.org',
          committer_name: 'Octavia',
          committer_email: 'octavia@example.org',
          started_at: null,
          finished_at: '2026-01-02T12:00:00Z',
          allow_failure: false,
        },
      ],
      delivery: { id: row?.guid, sent_at: '2026-01-02T12:00:00Z' },
    })
    expect(row).toMatchObject({
      kind: 'webhook',
      event: 'passed',
      target: 'https://hooks.example.org/a',
      state: 'sent',
      attempts: 1,
      response_status: 200,
      message: null,
    })
  })

  test('is stored so that only the master key can decrypt it', async () => {
    await told(await built({ webhooks }))
    const [row] = await rows()
    expect(JSON.stringify(row)).not.toContain('sesame')
    const stored = await db.selectFrom('signing_key').selectAll().executeTakeFirstOrThrow()
    expect(stored.sealed_private_key).not.toContain('PRIVATE')
  })

  test('about a start is sent if the file requests it, before that about the end', async () => {
    const build = await built({ webhooks: [{ urls: ['https://a.example/'], on_start: 'always' }] })
    await transact(ctx, (tx) => announceBuild(tx, { ...build, state: 'started' }))
    await told(build)
    expect(payloads()).toMatchObject([
      { state: 'started', status: null, status_message: 'Pending' },
      { state: 'passed', status: 0, status_message: 'Passed' },
    ])
  })

  test("is also sent to the operator's address, even to a private one", async () => {
    Object.assign(ctx.config, { notificationUrl: 'http://10.0.0.1/all' })
    await told(await built({ webhooks }))
    await told(await built({ email: [{ enabled: false }] }))
    expect(notifier.posted.map(({ url, trusted }) => ({ url, trusted }))).toEqual([
      { url: 'https://hooks.example.org/a?key=sesame', trusted: false },
      { url: 'http://10.0.0.1/all', trusted: true },
    ])
  })

  test('to an encrypted address is not sent, and the reason is stored', async () => {
    await told(await built({ webhooks: [{ urls: [{ secure: 'abc' }] }] }))
    expect(notifier.posted).toEqual([])
    expect(await rows()).toMatchObject([
      {
        target: '[secure]',
        state: 'skipped',
        message: 'The address is encrypted, but not with the key of this repository.',
        attempts: 0,
      },
    ])
  })

  test('that is disabled, or not requested for this result, is not sent', async () => {
    await told(await built({ webhooks: [{ enabled: false, urls: ['https://a.example/'] }] }))
    await told(await built({ webhooks: [{ urls: ['https://a.example/'], on_success: 'never' }] }))
    expect(await rows()).toEqual([])
  })

  test('is sent once to an address that is named twice, and to at most fifty addresses', async () => {
    const urls = Array.from({ length: 60 }, (_each, index) => `https://a.example/${index}`)
    const webhooks = [{ urls: ['https://a.example/0', ...urls].join(', ') }]
    await told(await built({ webhooks, email: [{ enabled: false }] }))
    expect(notifier.posted).toHaveLength(49)
    expect((await rows()).at(-1)).toMatchObject({
      state: 'skipped',
      message: 'The build file names 61 targets; the first 50 are notified.',
    })
  })
})

describe('a target that fails', () => {
  const away = new NotifyError('a.example responded with 503', { temporary: true, status: 503 })
  let build: Build

  beforeEach(async () => {
    build = await built({ webhooks: [{ urls: ['https://a.example/'] }] })
  })

  async function passes(seconds: number): Promise<void> {
    await age(db, seconds)
    const [{ stream } = { stream: null }] = await rows()
    await publishOutbox(ctx, stream ?? '')
  }

  test('is retried five times, with growing pauses, under the same id', async () => {
    notifier.failure = away
    await told(build)
    for (const pause of [5, 30, 120, 600]) {
      expect(await rows()).toMatchObject([{ state: 'waiting' }])
      await passes(pause)
    }
    expect(await rows()).toMatchObject([{ state: 'waiting', attempts: 5, response_status: 503 }])
    await passes(1800)
    expect(await rows()).toMatchObject([
      { state: 'failed', attempts: 6, message: 'a.example responded with 503' },
    ])
    notifier.failure = undefined
    await passes(10_000)
    expect(notifier.posted).toEqual([])
  })

  test('gets the missed notifications in order, each once', async () => {
    notifier.failure = away
    await told(build)
    const second = await built({ webhooks: [{ urls: ['https://a.example/'] }] })
    await told(second)
    expect(notifier.posted).toEqual([])
    notifier.failure = undefined
    await passes(5)
    expect(payloads()).toMatchObject([{ id: build.id }, { id: second.id }])
    await passes(3600)
    expect(notifier.posted).toHaveLength(2)
  })

  test('does not hold back other targets', async () => {
    const post = notifier.post
    notifier.post = async (message) => {
      if (message.url === 'https://a.example/') throw away
      return post(message)
    }
    await told(await built({ webhooks: [{ urls: ['https://a.example/', 'https://b.example/'] }] }))
    expect(notifier.posted.map(({ url }) => url)).toEqual(['https://b.example/'])
  })

  test('because the stored content cannot be decrypted does not hold up later notifications', async () => {
    notifier.failure = away
    await told(build)
    await db.updateTable('notifications').set({ sealed_content: 'AAAA' }).execute()
    notifier.failure = undefined
    const second = await built({ webhooks: [{ urls: ['https://a.example/'] }] })
    await told(second)
    for (const pause of [5, 30, 120, 600]) await passes(pause)
    expect(notifier.posted).toEqual([])
    await passes(1800)
    expect(await rows()).toMatchObject([
      { state: 'failed', attempts: 6, message: 'the service could not make the message' },
      { state: 'sent' },
    ])
    expect(payloads()).toMatchObject([{ id: second.id }])
  })

  test('permanently is not retried', async () => {
    notifier.failure = new NotifyError('a.example responded with 404', {
      temporary: false,
      status: 404,
    })
    await told(build)
    expect(await rows()).toMatchObject([{ state: 'failed', attempts: 1, response_status: 404 }])
    expect(
      await db
        .selectFrom('outbox')
        .select('id')
        .where('published_at', 'is', null)
        .where('kind', 'in', ['notify:build', 'notify:send'])
        .execute(),
    ).toEqual([])
  })

  test('for a long time delays each later notification by one attempt only', async () => {
    notifier.failure = away
    await told(build)
    await told(await built({ webhooks: [{ urls: ['https://a.example/'] }] }))
    await passes(2 * 60 * 60)
    // The first notification did not wait for an earlier one that failed, so the service itself may
    // be the cause.
    expect(await rows()).toMatchObject([
      { state: 'waiting', attempts: 2 },
      { state: 'waiting', attempts: 0 },
    ])
    for (const pause of [30, 120, 600, 1800]) await passes(pause)
    expect(await rows()).toMatchObject([
      { state: 'failed', attempts: 6 },
      { state: 'failed', attempts: 1 },
    ])
  })

  test('gets all its attempts even if workers were killed during some', async () => {
    notifier.failure = away
    await told(build)
    await db.updateTable('outbox').set({ attempts: 5 }).where('kind', '=', 'notify:send').execute()
    await passes(5)
    expect(await rows()).toMatchObject([{ state: 'waiting', attempts: 2 }])
  })

  test('gets the same number of attempts when the notification is resent', async () => {
    notifier.failure = away
    await told(build)
    for (const pause of [5, 30, 120, 600, 1800]) await passes(pause)
    const [failed] = await rows()
    if (!failed) throw new Error('there is no notification')
    const user = await make.user()
    const actor = { user, token_id: null, address: '127.0.0.1' }
    await resendNotification(ctx, failed, actor)
    await publishAll()
    for (const pause of [5, 30, 120, 600]) await passes(pause)
    expect(await rows()).toMatchObject([{ state: 'waiting', attempts: 11 }])
    notifier.failure = undefined
    await passes(1800)
    expect(await rows()).toMatchObject([{ state: 'sent', attempts: 12 }])
  })

  test('is not reported as a failed status', async () => {
    notifier.failure = away
    await told(build)
    for (const pause of [5, 30, 120, 600, 1800]) await passes(pause)
    const { reportNotices } = await import('../../src/service/report-notices.ts')
    await db
      .updateTable('outbox')
      .set({ published_at: new Date() })
      .where('kind', 'in', ['status', 'check:config'])
      .execute()
    expect(await reportNotices(db, repository)).toEqual([])
  })
})

test('an announcement that crashes its process is given up after some attempts', async () => {
  const build = await built({ webhooks: [{ urls: ['https://a.example/'] }] })
  await transact(ctx, (tx) => announceBuild(tx, build))
  await db.updateTable('outbox').set({ attempts: 9 }).where('kind', '=', 'notify:build').execute()
  await publishAll()
  expect(notifier.posted).toEqual([])
  const row = await db
    .selectFrom('outbox')
    .select(['published_at', 'error'])
    .where('kind', '=', 'notify:build')
    .executeTakeFirstOrThrow()
  expect(row.published_at).not.toBeNull()
  expect(row.error).toMatch(/^every attempt to determine the recipients failed/)
})

test('a service that crashes between two steps notifies each target once', async () => {
  const build = await built({ webhooks: [{ urls: ['https://a.example/', 'https://b.example/'] }] })
  await told(build)
  await db.updateTable('outbox').set({ published_at: null }).execute()
  for (const stream of await writtenStreams(db)) {
    await publishOutbox(ctx, stream)
  }
  await publishAll()
  expect(notifier.posted).toHaveLength(2)
  expect(await rows()).toHaveLength(2)
})

describe('a message for a chat', () => {
  const body = () =>
    JSON.parse(notifier.posted[0]?.body ?? '{}') as { attachments: { text: string }[] }

  test('is sent to the account and the channel that the file names', async () => {
    const build = await built({ slack: [{ rooms: ['acme:t0ken#builds'] }] }, { duration: 65 })
    await told(build)
    const { sha } = await db.selectFrom('commits').selectAll().executeTakeFirstOrThrow()
    const text =
      `Build <https://ci.example.org/octavia/hello/builds/${build.id}|#1> ` +
      `(<https://codehost.example/octavia/hello/compare/abc...def|${sha.slice(0, 7)}>) of ` +
      'octavia/hello@main by Octavia passed in 1 min 5 sec'
    expect(notifier.posted[0]?.url).toBe(
      'https://acme.slack.com/services/hooks/incoming-webhook?token=t0ken',
    )
    expect(body()).toEqual({
      attachments: [{ fallback: text, text, color: 'good', mrkdwn_in: ['text'] }],
      channel: '#builds',
    })
    expect(await rows()).toMatchObject([{ kind: 'slack', target: 'acme.slack.com#builds' }])
  })

  test('can be sent to the address of an incoming webhook', async () => {
    await told(await built({ slack: [{ rooms: ['https://chat.example.org/hooks/abc#ci'] }] }))
    expect(notifier.posted[0]?.url).toBe('https://chat.example.org/hooks/abc')
    expect(body()).toMatchObject({ channel: '#ci' })
    expect(JSON.stringify(await rows())).not.toContain('hooks/abc')
  })

  test('follows its template, and mentions in a commit message are escaped', async () => {
    const commit = await make.commit(repository, {
      message: '<!channel> & <https://evil.example|look>',
    })
    const template = ['%{repository_slug}: %{commit_subject}', '%{nothing}%{result} %{message}']
    const build = await built(
      { slack: [{ rooms: ['acme:t0ken'], template }] },
      { commit_id: commit.id },
    )
    await told(build)
    expect(body().attachments[0]?.text).toBe(
      'octavia/hello: &lt;!channel&gt; &amp; &lt;https://evil.example¦look&gt;\npassed The build passed.',
    )
  })

  test('is cut if a template repeats a long message', async () => {
    const commit = await make.commit(repository, { message: '&'.repeat(60_000) })
    const rooms = Array.from({ length: 50 }, (_each, index) => `http://chat.example/${index}`)
    const template = ['%{commit_message}'.repeat(1500), '<|'.repeat(40_000)]
    await told(
      await built(
        { slack: [{ rooms, template }], email: [{ enabled: false }] },
        { commit_id: commit.id },
      ),
    )
    expect(notifier.posted).toHaveLength(50)
    for (const { body } of notifier.posted) expect(body.length).toBeLessThan(100_000)
  })

  test('loses its empty links, however many there are', async () => {
    const template = ['<|'.repeat(30_000), '<|nowhere>']
    await told(await built({ slack: [{ rooms: ['acme:t0ken'], template: template.toReversed() }] }))
    expect(body().attachments[0]?.text).toMatch(/^nowhere\n<\|<\|/)
  })

  test('to an invalid room is not sent, and the reason is stored', async () => {
    await told(await built({ slack: [{ rooms: ['nonsense'] }] }))
    expect(await rows()).toMatchObject([{ target: 'nonsense', state: 'skipped' }])
  })

  test('about a pull request is omitted if the file disables it; a webhook is sent', async () => {
    const pull = await make.pullRequest(repository, {
      number: 12,
      html_url: 'https://codehost.example/pull/12',
    })
    const notifications = {
      slack: [{ rooms: ['acme:a'], on_pull_requests: false }, { rooms: ['acme:b'] }],
      webhooks: [{ urls: ['https://a.example/'] }],
      email: [{ recipients: ['anna@example.org'] }],
    }
    await told(await built(notifications, { event_type: 'pull_request', pull_request_id: pull.id }))
    expect(notifier.posted.map(({ url }) => url)).toEqual([
      'https://a.example/',
      'https://acme.slack.com/services/hooks/incoming-webhook?token=b',
    ])
    expect(notifier.posted[1]?.body).toContain('in PR <https://codehost.example/pull/12|#12>')
    expect(notifier.mailed).toEqual([])
  })
})

describe('a mail', () => {
  test('is sent to author and committer, if they have a role on the repository', async () => {
    const author = await make.user('octavia')
    await make.user('stranger')
    await make.permission(author, repository)
    const commit = await make.commit(repository, {
      author_email: 'Octavia@Example.org',
      committer_email: 'stranger@example.org',
    })
    const build = await built(
      {},
      { commit_id: commit.id, previous_state: 'passed', state: 'failed' },
    )
    await told(build)
    expect(notifier.mailed).toHaveLength(1)
    const [mail] = notifier.mailed
    expect(mail).toMatchObject({
      from: 'ci@example.org',
      to: 'Octavia@Example.org',
      subject: `Broken: octavia/hello#1 (main - ${commit.sha.slice(0, 7)})`,
      inReplyTo: `<octavia/hello+${build.id}+failed@ci.example.org>`,
      headers: {
        'Service-Repository': 'octavia/hello',
        'Service-Result': 'failed',
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
        'List-Unsubscribe': expect.stringMatching(
          /^<https:\/\/ci\.example\.org\/unsubscribe\/[\w-]+>$/,
        ),
      },
    })
    expect(mail?.text).toContain('The build was broken. octavia/hello#1')
    expect(mail?.text).toContain(`https://ci.example.org/octavia/hello/builds/${build.id}`)
    expect(mail?.messageId).toBe(`<${(await rows())[0]?.guid}@ci.example.org>`)
  })

  test('is not sent for a build that passes after a passed one', async () => {
    await told(
      await built({ email: [{ recipients: ['anna@example.org'] }] }, { previous_state: 'passed' }),
    )
    expect(await rows()).toEqual([])
  })

  test('is sent to each address in the file, unless its owner has unsubscribed', async () => {
    const left = await make.user('left')
    await insertUnsubscriptions(db, left.id, { type: 'repository', id: repository.id })
    const never = await make.user('never')
    await setBuildEmailsOf(db, never.id, false)
    const blocked = await make.user('blocked')
    await db
      .updateTable('users')
      .set({ blocked_at: new Date() })
      .where('id', '=', blocked.id)
      .execute()
    const recipients = [
      'anna@example.org',
      'blocked@example.org',
      'left@example.org',
      'NEVER@example.org',
      'a@b.local',
      'no address',
    ]
    await told(await built({ email: [{ recipients }] }))
    expect(notifier.mailed.map(({ to }) => to)).toEqual(['anna@example.org'])
    expect(notifier.mailed[0]?.headers).not.toHaveProperty('List-Unsubscribe')
    expect(await rows()).toMatchObject([
      { target: 'anna@example.org', state: 'sent' },
      { target: 'a@b.local', state: 'skipped' },
      { target: 'no address', state: 'skipped' },
    ])
  })

  test('has an unsubscribe link for each recipient in the file, with or without a role', async () => {
    await make.user('octavia')
    await told(await built({ email: [{ recipients: ['octavia@example.org'] }] }))
    expect(notifier.mailed[0]?.headers).toHaveProperty('List-Unsubscribe')
  })

  test('is not sent to a user who has unsubscribed meanwhile', async () => {
    const octavia = await make.user('octavia')
    const actor = { user: octavia, token_id: null, address: '127.0.0.1' }
    await told(await built({ email: [{ recipients: ['octavia@example.org'] }] }))
    expect(notifier.mailed).toHaveLength(1)
    const [sent] = await rows()
    if (!sent) throw new Error('there is no notification')
    await insertUnsubscriptions(db, octavia.id, { type: 'repository', id: repository.id })
    await resendNotification(ctx, sent, actor)
    await publishAll()
    expect(notifier.mailed).toHaveLength(1)
    expect(await rows()).toMatchObject([
      { state: 'failed', message: 'this address has unsubscribed from this repository' },
    ])
  })

  test('is not sent if the file disables it, or without a mail server', async () => {
    const author = await make.user('octavia')
    await make.permission(author, repository)
    await told(await built({ email: [{ enabled: false }] }))
    Object.assign(ctx.config, { smtpUrl: undefined })
    await told(await built({}))
    expect(await rows()).toEqual([])
    const kinds = await db
      .selectFrom('outbox')
      .select('kind')
      .where('kind', 'in', ['notify:build', 'notify:send'])
      .execute()
    expect(kinds).toHaveLength(1)
  })

  test('to an address in the file stores the reason if there is no mail server', async () => {
    Object.assign(ctx.config, { smtpUrl: undefined })
    await told(await built({ email: [{ recipients: ['anna@example.org'] }] }))
    expect(notifier.mailed).toEqual([])
    expect(await rows()).toMatchObject([
      {
        kind: 'email',
        target: 'anna@example.org',
        state: 'skipped',
        message: 'This service sends no mail: it has no mail server (SMTP_URL).',
      },
    ])
  })
})

test('notifications are kept for thirty days', async () => {
  await told(await built({ webhooks: [{ urls: ['https://a.example/'] }] }))
  await age(db, 29 * 24 * 60 * 60)
  await tidy(ctx)
  expect(await rows()).toHaveLength(1)
  await age(db, 2 * 24 * 60 * 60)
  await tidy(ctx)
  expect(await rows()).toEqual([])
})
