import { createHmac } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { createServer } from '../../../src/http/server.ts'
import { testContext } from '../../support/context.ts'
import { ownDatabase } from '../../support/database.ts'
import { factories } from '../../support/factories.ts'
import { watchStatements } from '../../support/statements.ts'
import { caller } from '../door.ts'

const { db } = await ownDatabase()
const make = factories(db)
const ctx = testContext(db)
const call = caller(await createServer(ctx))
const tokens: Record<string, string> = {}
let memberId = 0

// Repository and job 1 are public, 2 private; of 3 only the repository is public. 4 is deleted.
beforeAll(async () => {
  const member = await make.user('member')
  memberId = member.id
  tokens.member = member.token
  tokens.narrow = await make.token(member, ['public'])
  tokens.other = (await make.user('other')).token
  for (const [name, inPrivate, made] of [
    ['open', false, false],
    ['safe', true, true],
    ['opened', false, true],
    ['gone', false, false],
  ] as const) {
    const repository = await make.repository({ name, private: inPrivate })
    await make.job({ build: await make.build({ repository, private: made }) })
    await make.permission(member, repository)
  }
  await db.updateTable('repositories').set({ deleted_at: new Date() }).where('id', '=', 4).execute()
})

const signed = (channel: string, socket = '123.456') => {
  const digest = createHmac('sha256', 'streaming-secret').update(`${socket}:${channel}`)
  return `278d425bdf160c739803:${digest.digest('hex')}`
}

const all = (...channels: string[]) => ({
  channels: Object.fromEntries(channels.map((channel) => [channel, signed(channel)])),
})

async function ask(who: string, channels: readonly string[], ...socket: unknown[]) {
  const [socket_id] = socket.length > 0 ? socket : ['123.456']
  const token = tokens[who]
  const answer = await call(
    'POST /streaming/auth',
    {
      'content-type': 'application/json',
      ...(token === undefined ? {} : { authorization: `token ${token}` }),
    },
    JSON.stringify({ socket_id, channels }),
  )
  return [answer.statusCode, answer.json<unknown>()]
}

const asked = [1, 2, 3, 4, 9].flatMap((id) => [`private-repo-${id}`, `private-job-${id}`])

describe('POST /streaming/auth signs', () => {
  test.each([
    ['member', ['repo-1', 'job-1', 'repo-2', 'job-2', 'repo-3', 'job-3']],
    ['narrow', ['repo-1', 'job-1', 'repo-3']],
    ['other', ['repo-1', 'job-1', 'repo-3']],
    ['no one', ['repo-1', 'job-1', 'repo-3']],
  ])('for %s the channels that they can see', async (who, seen) => {
    expect(await ask(who, asked)).toEqual([200, all(...seen.map((name) => `private-${name}`))])
  })

  test('the channels of the user, and of no other', async () => {
    const own = `private-user-${memberId}`
    const names = [own, `${own}-x`, `${own}0`, `private-user-${memberId + 1}`, 'private-user-0']
    expect(await ask('member', names)).toEqual([200, all(own, `${own}-x`)])
    for (const who of ['narrow', 'other', 'no one']) {
      const channels = who === 'other' ? all(`private-user-${memberId + 1}`) : all()
      expect(await ask(who, names)).toEqual([200, channels])
    }
  })

  test('public channels, and none with a malformed name', async () => {
    const odd = [
      'private-',
      'private-x-1',
      'private-job-1x',
      'private-job-01234567890123456789',
      'private-job--1',
      'private-repo-1-x',
      'job 1',
      'job-1:x',
      'private-job-1\0',
      '',
    ]
    expect(await ask('member', ['job-1', 'repo-2', ...odd])).toEqual([200, all('job-1', 'repo-2')])
  })

  test('for the given connection', async () => {
    expect(await ask('no one', ['job-1'], '9.9')).toEqual([
      200,
      { channels: { 'job-1': signed('job-1', '9.9') } },
    ])
  })

  test.each([undefined, null, '', 7, ['1'], 'a:private-job-2', 'a b', 'x'.repeat(101)])(
    'nothing for the connection %j',
    async (socket) => {
      expect(await ask('member', ['job-1'], socket)).toEqual([
        400,
        { error: 'socket_id must be the id of a connection to the streaming service' },
      ])
    },
  )

  test('channels in a form, as the official client sends them', async () => {
    const { statusCode, body } = await call(
      'POST /streaming/auth',
      {
        'content-type': 'application/x-www-form-urlencoded',
        authorization: `token ${tokens.member}`,
      },
      `channels%5B%5D=private-user-${memberId}&channels%5B%5D=private-job-2&socket_id=123.456`,
    )
    expect([statusCode, JSON.parse(body)]).toEqual([
      200,
      all(`private-user-${memberId}`, 'private-job-2'),
    ])
  })

  test('nothing with an invalid token', async () => {
    const answer = await call('POST /streaming/auth?socket_id=1.1', { authorization: 'token no' })
    expect([answer.statusCode, answer.body]).toEqual([403, 'access denied'])
  })

  test('many channels with as many statements as a few', async () => {
    const counted = async (count: number) => {
      const statements = watchStatements()
      const names = Array.from({ length: count }, (_, id) => [
        `private-repo-${id}`,
        `private-job-${id}`,
      ])
      await ask('member', names.flat())
      return statements.length
    }
    expect([await counted(2), await counted(500)]).toEqual([3, 3])
  })
})

test('while the installation is closed, public channels need a role too', async () => {
  const closed = testContext(db)
  closed.site.publicMode = false
  const server = caller(await createServer(closed))
  const answer = await server(
    'POST /streaming/auth?socket_id=123.456&channels=private-job-1,private-repo-1',
  )
  expect([answer.statusCode, answer.json()]).toEqual([200, { channels: {} }])
})
