import { beforeEach, expect, test } from 'vitest'
import { makeToken } from '../../src/flow/tokens/make-token.ts'
import { NotifyError } from '../../src/notify/notify-error.ts'
import { putPermission } from '../../src/store/people/permissions.ts'
import { runDueTasks } from '../../src/worker/schedule.ts'
import { type TestContext, testContext } from '../support/context.ts'
import { testDatabase } from '../support/database.ts'
import { factories } from '../support/factories.ts'
import { type MemoryNotifier, memoryNotifier } from '../support/memory-notifier.ts'

const db = await testDatabase()
const make = factories(db)
const day = 24 * 60 * 60 * 1000

let notifier: MemoryNotifier
let ctx: TestContext
let now: Date

beforeEach(async () => {
  notifier = memoryNotifier()
  now = new Date()
  const base = testContext(db)
  const config = { ...base.config, mailFrom: 'ci@example.org', publicUrl: 'https://ci.example.org' }
  ctx = { ...base, config, notifier, now: () => now }
})

/**
 * A token that ends after this many days; without a number, one that ends when it is unused for
 * long.
 */
async function token(days: number | null, email: string | null = 'anna@example.org') {
  const user = await make.user()
  await db.updateTable('users').set({ email }).where('id', '=', user.id).execute()
  const ends_at = days === null ? null : new Date(now.getTime() + days * day)
  const given = { name: 'laptop', scopes: ['read'] as const, ends_at }
  const actor = { user, token_id: null, address: '127.0.0.1' }
  return makeToken(ctx, { ...given, seesPrivate: true, repository_ids: null }, actor)
}

/** The mails that the schedule has sent when it runs after this many days. */
async function toldAfter(days: number): Promise<string[]> {
  now = new Date(now.getTime() + days * day)
  notifier.mailed.length = 0
  await db.deleteFrom('tasks').execute()
  await runDueTasks(ctx)
  return notifier.mailed.map(({ to, subject }) => `${to}: ${subject}`)
}

test('the user of a token gets one mail a week before the token expires', async () => {
  await token(30)
  expect(await toldAfter(22)).toEqual([])
  expect(await toldAfter(1.5)).toEqual(['anna@example.org: The access token laptop ends in 6 days'])
  const [mail] = notifier.mailed
  expect(mail?.text).toContain(
    'make another one and put it there:\nhttps://ci.example.org/profile\n',
  )
  expect(mail?.text).not.toContain('unless it is used')
  expect(mail?.text).not.toContain('bsvc_')
  expect(await toldAfter(1)).toEqual([])
})

test('a token that expires when it is unused is announced again before its next expiry', async () => {
  const { id } = await token(null)
  const { expires_at } = await db
    .selectFrom('tokens')
    .select('expires_at')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const left = ((expires_at?.getTime() ?? 0) - now.getTime()) / day
  expect(await toldAfter(left - 1.5)).toEqual([expect.stringMatching(/ends in 1 day$/)])
  expect(notifier.mailed[0]?.text).toContain(', unless it is used before.')
  await db
    .updateTable('tokens')
    .set({ expires_at: new Date(now.getTime() + 2.5 * day) })
    .execute()
  expect(await toldAfter(0)).toEqual([expect.stringMatching(/ends in 2 days$/)])
})

test('a mail that the mail server refuses temporarily is sent the next time', async () => {
  await token(30)
  notifier.failure = new NotifyError('the mail server is away', { temporary: true })
  expect(await toldAfter(25)).toEqual([])
  notifier.failure = undefined
  expect(await toldAfter(0)).toHaveLength(1)
})

test('a mail that the mail server defers does not hold up other mails', async () => {
  await token(30, 'full@example.org')
  await token(30)
  const { mail } = notifier
  notifier.mail = async (sent) => {
    if (sent.to !== 'full@example.org') return mail?.(sent)
    throw new NotifyError('the mailbox is full', { temporary: true, status: 452 })
  }
  expect(await toldAfter(25)).toEqual([expect.stringContaining('anna@example.org')])
  if (mail) notifier.mail = mail
  expect(await toldAfter(0)).toEqual([expect.stringContaining('full@example.org')])
})

test("only current administrators are notified of a repository's token", async () => {
  const { id } = await token(30)
  const { made_by_id: user_id } = await db
    .selectFrom('tokens')
    .select('made_by_id')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const { id: repository_id } = await make.repository()
  await db.updateTable('tokens').set({ repository_id }).where('id', '=', id).execute()
  expect(await toldAfter(25)).toEqual([])
  const roles = { pull: true, push: true, admin: true }
  await putPermission(db, { user_id: user_id ?? 0, repository_id, ...roles })
  expect(await toldAfter(0)).toHaveLength(1)
})

test('a token for an hour is not announced', async () => {
  await token(1 / 24)
  expect(await toldAfter(0.75 / 24)).toEqual([])
})

test('no mail is sent without an address, or about a revoked token', async () => {
  await token(30, null)
  const { id } = await token(30)
  await db.updateTable('tokens').set({ revoked_at: now }).where('id', '=', id).execute()
  expect(await toldAfter(25)).toEqual([])
})

test('a token for a few days is announced once half of its time is over', async () => {
  await token(4)
  expect(await toldAfter(1)).toEqual([])
  expect(await toldAfter(1.5)).toEqual([expect.stringMatching(/ends in 1 day$/)])
})
