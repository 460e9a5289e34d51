import { readdirSync } from 'node:fs'
import { beforeAll, expect, test } from 'vitest'
import { putUser } from '../../src/store/people/users.ts'
import { command, scratchFolder } from '../support/command.ts'
import { ownDatabase } from '../support/database.ts'
import { factories } from '../support/factories.ts'
import { urlOf } from '../support/service-process.ts'

const { db, connection } = await ownDatabase()
const make = factories(db)

beforeAll(async () => {
  await make.user('mallory')
  await make.user('root')
  await putUser(db, { provider: 'local', codehost_id: 1, login: 'local' })
  await make.repository({ name: 'hello' })
})

function run(...args: string[]) {
  const env = {
    ...{ DATA_DIR: scratchFolder(), DATABASE_URL: urlOf(connection), MASTER_KEY: 'a'.repeat(64) },
    ADMINS: 'codehost:root',
  }
  return command(args, { env })
}

const records = () =>
  db
    .selectFrom('audit_records')
    .select(['actor', 'actor_id', 'action', 'subject_type', 'details'])
    .orderBy('id')
    .execute()

const byOperator = { actor: 'operator', actor_id: null }

test('build-service block and unblock change a user once and leave audit records', async () => {
  expect((await run('block')).stdout).toBe('no one is blocked\n')
  expect((await run('block', 'Mallory')).stdout).toBe('mallory is blocked\n')
  expect((await run('block', 'mallory')).stdout).toBe('mallory is blocked already\n')
  expect((await run('block')).stdout).toMatch(/^mallory {2}since \S+Z\n$/)
  expect((await run('unblock', 'mallory')).stdout).toBe('mallory is no longer blocked\n')
  expect(await records()).toMatchObject([
    { ...byOperator, action: 'block', subject_type: 'user' },
    { ...byOperator, action: 'unblock', details: { address: 'command line', token_id: null } },
  ])
})

test('build-service token leaves an audit record, and accepts users of either kind', async () => {
  const issued = await run('token', '--user', 'codehost:Mallory', '--name', 'nightly')
  expect(issued).toMatchObject({ code: 0, stdout: expect.stringMatching(/^bsvc_\w{32}\n$/) })
  const newest = await db.selectFrom('tokens').selectAll().orderBy('id', 'desc').limit(1).execute()
  const mallory = await db.selectFrom('users').selectAll().where('login', '=', 'mallory').execute()
  expect(newest).toMatchObject([{ user_id: mallory[0]?.id, name: 'nightly' }])
  const issues = (await records()).filter(({ action }) => action === 'issue_token')
  expect(issues).toMatchObject([
    {
      ...{ ...byOperator, action: 'issue_token', subject_type: 'user' },
      details: { changed: { by: 'command', name: 'nightly' }, address: 'command line' },
    },
  ])
})

test('a login without a provider is accepted only if no other provider has it', async () => {
  await make.user('local')
  const own = await make.owner('local', 'local')
  await run('token')
  const [last] = await db.selectFrom('tokens').selectAll().orderBy('id', 'desc').execute()
  expect(last?.user_id).toBe(own.id)
  await make.owner('mallory', 'local')
  const two = await run('token', '--user', 'mallory')
  expect([two.code, two.stderr]).toEqual([2, expect.stringContaining('say codehost:mallory or')])
  expect((await run('block', 'local:mallory')).stdout).toBe('mallory is blocked\n')
  expect((await run('unblock', 'codehost:mallory')).stdout).toBe('mallory is not blocked\n')
  await db
    .deleteFrom('users')
    .where('provider', '=', 'local')
    .where('login', '=', 'mallory')
    .execute()
})

test('build-service broadcast shows a message, and leaves an audit record', async () => {
  const until = `${new Date(Date.now() + 13 * 24 * 3600 * 1000).toISOString().slice(0, 16)}Z`
  const sent = await run('broadcast', 'We move', '--for', 'octavia/hello', '--until', until)
  expect(sent).toMatchObject({ code: 0, stdout: 'broadcast 1 is shown to octavia/hello\n' })
  expect((await run('broadcast', 'Hello')).stdout).toBe('broadcast 2 is shown to everyone\n')
  expect(await db.selectFrom('broadcasts').selectAll().orderBy('id').execute()).toMatchObject([
    {
      ...{ message: 'We move', category: 'announcement', expires_at: new Date(until) },
      ...{ recipient_type: 'Repository', recipient_id: 1 },
    },
    { message: 'Hello', recipient_type: null, recipient_id: null, expires_at: null },
  ])
  expect((await records()).slice(-2)).toMatchObject([
    { ...byOperator, action: 'create', subject_type: 'broadcast' },
    { ...byOperator, action: 'create', subject_type: 'broadcast' },
  ])
})

test.each([
  [['block', 'root'], 'an administrator cannot be blocked'],
  [['block', 'local:local'], 'the user local cannot be blocked: it represents everyone who uses'],
  [['block', 'nobody'], 'there is no user nobody'],
  [['token', '--user', 'local:nobody'], 'there is no user local:nobody'],
  [['broadcast', ' '], 'the message is empty'],
  [['broadcast', 'a', '--for', 'none'], 'no user, organization or repository none is known here'],
  [['broadcast', 'a', '--until', '2001-01-01'], '--until is in the past'],
  [['broadcast', 'a', '--until', '2999-01-01'], '--until is more than 14 days ahead'],
  [['broadcast', 'a', '--until', 'soon'], 'It must be a day or a time'],
  [['catch-up'], 'no app is set up'],
])('%j is refused, and changes nothing', async (args, message) => {
  const before = await records()
  const { code, stdout, stderr } = await run(...args)
  expect([code, stdout]).toEqual([2, ''])
  expect(stderr).toContain(message)
  expect(await records()).toEqual(before)
})

test.each([
  ...[['block'], ['block', 'root'], ['unblock', 'root'], ['token'], ['broadcast', 'Hello']],
  ...[['deliveries'], ['catch-up'], ['rotate-keys'], ['encrypted', '-r', 'acme/web']],
  ...[
    ['encrypt', '-r', 'acme/web', 'A=1'],
    ['explain', '12'],
  ],
])('%s creates no data in a folder that no service has used', async (...args) => {
  const folder = scratchFolder()
  const { code, stdout, stderr } = await command(args, { env: { DATA_DIR: folder } })
  expect([code, stdout]).toEqual([78, ''])
  expect(stderr).toContain(`the folder ${folder} holds no database of a service: set DATA_DIR`)
  expect(readdirSync(folder)).toEqual([])
})
