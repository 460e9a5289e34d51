import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Job } from '../../src/domain/job/job.ts'
import type { Repository } from '../../src/domain/repository.ts'
import { appendLog } from '../../src/flow/jobs/logs.ts'
import { json } from '../../src/store/tables.ts'
import { ownDatabase } from '../support/database.ts'
import { factories } from '../support/factories.ts'
import { app, type Client, connect, type Served, serve, signed } from './scene.ts'

const database = await ownDatabase()
const { db } = database
const make = factories(db)
let service: Served
let member: Awaited<ReturnType<typeof make.user>>
let stranger: Awaited<ReturnType<typeof make.user>>
let narrow = ''
let safe: Repository
let open: Repository
let hidden: Job
let shown: Job
/** A job from the time when its repository, which is public now, was private. */
let former: Job

beforeAll(async () => {
  service = await serve(database)
  member = await make.user('member')
  stranger = await make.user('stranger')
  narrow = await make.token(member, ['public'])
  safe = await make.repository({ name: 'safe', private: true })
  open = await make.repository({ name: 'open' })
  await make.permission(member, safe)
  await make.permission(member, open)
  const jobOf = async (repository: Repository, isPrivate: boolean) =>
    make.job({ build: await make.build({ repository, private: isPrivate }), state: 'started' })
  hidden = await jobOf(safe, true)
  shown = await jobOf(open, false)
  former = await jobOf(open, true)
})
afterAll(() => service.close())

const hmac = (text: string, secret = app.secret) =>
  createHmac('sha256', secret).update(text).digest('hex')

/** The signature of another connection of the member. */
async function ofAnother(channel: string): Promise<string> {
  const other = await connect(service)
  return (await signed(service, other.id, [channel], member.token))[channel] ?? ''
}

interface Way {
  channel: () => string
  auth?: (client: Client) => Promise<string | undefined> | string | undefined
}

const privateJob = () => `private-job-${hidden.id}`
const privateRepo = () => `private-repo-${safe.id}`

const ways: Record<string, Way> = {
  'without a signature': { channel: privateJob },
  'the repository without a signature': { channel: privateRepo },
  'another user’s channel without a signature': { channel: () => `private-user-${member.id}` },
  'by the public name': { channel: () => `job-${hidden.id}` },
  'the repository by the public name': { channel: () => `repo-${safe.id}` },
  'the user by the public name': { channel: () => `user-${member.id}` },
  'a job of private times by the public name': { channel: () => `job-${former.id}` },
  'an empty signature': { channel: privateJob, auth: () => '' },
  'the key alone': { channel: privateJob, auth: () => app.key },
  'the key and a colon': { channel: privateJob, auth: () => `${app.key}:` },
  zeros: { channel: privateJob, auth: () => `${app.key}:${'0'.repeat(64)}` },
  'an unkeyed hash': {
    channel: privateJob,
    auth: ({ id }) => `${app.key}:${hmac(`${id}:${privateJob()}`, '')}`,
  },
  'the key as the secret': {
    channel: privateJob,
    auth: ({ id }) => `${app.key}:${hmac(`${id}:${privateJob()}`, app.key)}`,
  },
  'another key': { channel: privateJob, auth: ({ id }) => `x:${hmac(`${id}:${privateJob()}`)}` },
  'no key': { channel: privateJob, auth: ({ id }) => `:${hmac(`${id}:${privateJob()}`)}` },
  'a signature in capitals': {
    channel: privateJob,
    auth: ({ id }) => `${app.key}:${hmac(`${id}:${privateJob()}`).toUpperCase()}`,
  },
  'a longer signature': {
    channel: privateJob,
    auth: ({ id }) => `${app.key}:${hmac(`${id}:${privateJob()}`)}0`,
  },
  'the signature of a member’s other connection': {
    channel: privateJob,
    auth: () => ofAnother(privateJob()),
  },
  'the signature of a public channel': {
    channel: privateJob,
    auth: async ({ id }) => (await signed(service, id, [`job-${hidden.id}`]))[`job-${hidden.id}`],
  },
  'the signature of a visible job': {
    channel: privateJob,
    auth: async ({ id }) =>
      (await signed(service, id, [`private-job-${shown.id}`]))[`private-job-${shown.id}`],
  },
  'a signature requested without a login': {
    channel: privateJob,
    auth: async ({ id }) => (await signed(service, id, [privateJob()]))[privateJob()],
  },
  'a signature requested by a stranger': {
    channel: privateJob,
    auth: async ({ id }) =>
      (await signed(service, id, [privateJob()], stranger.token))[privateJob()],
  },
  'a signature requested with a token for public records': {
    channel: privateJob,
    auth: async ({ id }) => (await signed(service, id, [privateJob()], narrow))[privateJob()],
  },
  'a signature for the repository, requested by a stranger': {
    channel: privateRepo,
    auth: async ({ id }) =>
      (await signed(service, id, [privateRepo()], stranger.token))[privateRepo()],
  },
  "a signature for the member's channel, requested by a stranger": {
    channel: () => `private-user-${member.id}`,
    auth: async ({ id }) =>
      (await signed(service, id, [`private-user-${member.id}`], stranger.token))[
        `private-user-${member.id}`
      ],
  },
  'a signature for a longer id, requested by a stranger': {
    channel: () => `private-user-${member.id}`,
    auth: async ({ id }) =>
      (await signed(service, id, [`private-user-${stranger.id}-${member.id}`], stranger.token))[
        `private-user-${stranger.id}-${member.id}`
      ],
  },
  'a signature for a job of a formerly private build, requested by a stranger': {
    channel: () => `private-job-${former.id}`,
    auth: async ({ id }) =>
      (await signed(service, id, [`private-job-${former.id}`], stranger.token))[
        `private-job-${former.id}`
      ],
  },
  'a signature whose socket id holds a channel': {
    channel: privateJob,
    auth: async ({ id }) =>
      (await signed(service, `${id}:private`, [`job-${hidden.id}`]))[`job-${hidden.id}`],
  },
  'a channel that holds a socket id': {
    channel: privateJob,
    auth: async ({ id }) => {
      const name = `x:${id}:${privateJob()}`
      return (await signed(service, id, [name]))[name]
    },
  },
  'leading zeros': { channel: () => `job-0${hidden.id}` },
  'spaces around the name': { channel: () => ` job-${hidden.id} ` },
  capitals: { channel: () => `PRIVATE-JOB-${hidden.id}` },
  'a presence channel': { channel: () => `presence-job-${hidden.id}` },
  'a cache channel': { channel: () => `private-cache-job-${hidden.id}` },
  'an encrypted channel': { channel: () => `private-encrypted-job-${hidden.id}` },
  'a NUL at the end': { channel: () => `job-${hidden.id}\0` },
  'a line break': { channel: () => `job-${hidden.id}\n` },
  'a list of channels': { channel: () => `job-${shown.id},job-${hidden.id}` },
  'a pattern': { channel: () => 'job-*' },
  'the common channel': { channel: () => 'common' },
}

let number = 0
const append = ({ id, attempt }: Job, content: string) =>
  appendLog(service.ctx, { job_id: id, attempt }, [
    { number: (number += 1), content, final: false },
  ])

describe('no events of hidden records reach a client with', () => {
  test.each(Object.entries(ways))('%s', async (_what, { channel, auth }) => {
    const attacker = await connect(service)
    const allowed = await connect(service)
    const channels = [privateJob(), `private-job-${former.id}`]
    const signatures = await signed(service, allowed.id, channels, member.token)
    for (const each of channels) await allowed.subscribe(each, signatures[each])
    await attacker.subscribe(channel(), await auth?.(attacker))
    await append(former, 'secret\n')
    await append(hidden, 'secret\n')
    await allowed.next('job:log')
    await allowed.next('job:log')
    attacker.send({ event: 'pusher:ping', data: {} })
    await attacker.next('pusher:pong')
    expect(JSON.stringify(attacker.seen)).not.toContain('secret')
  })
})

/** A connection of the member that listens on a private channel of the repository. */
async function listening(channel: string, token = member.token): Promise<Client> {
  const client = await connect(service)
  const signatures = await signed(service, client.id, [channel], token)
  const { event } = await client.subscribe(channel, signatures[channel])
  expect(event).toBe('pusher_internal:subscription_succeeded')
  return client
}

describe('a subscription ends', () => {
  test('with the role of its user, while those of others continue', async () => {
    const leaving = await make.user()
    await make.permission(leaving, safe)
    const gone = await listening(privateJob(), leaving.token)
    const kept = await listening(privateJob())
    await db.deleteFrom('permissions').where('user_id', '=', leaving.id).execute()
    expect(await gone.next('pusher:subscription_error')).toMatchObject({ channel: privateJob() })
    await append(hidden, 'later\n')
    await kept.next('job:log')
    expect(JSON.stringify(gone.seen)).not.toContain('later')
    // The signature is of this connection, and would be valid again.
    expect(await gone.closed).toBe(4200)
  })

  test('immediately if the role has ended before it begins', async () => {
    const leaving = await make.user()
    await make.permission(leaving, safe)
    const client = await connect(service)
    const signatures = await signed(service, client.id, [privateJob()], leaving.token)
    await db.deleteFrom('permissions').where('user_id', '=', leaving.id).execute()
    await client.subscribe(privateJob(), signatures[privateJob()])
    expect(await client.next('pusher:subscription_error')).toMatchObject({ channel: privateJob() })
    expect(await client.closed).toBe(4200)
  })

  test('when the log of its job is restricted to users with push access', async () => {
    const repository = await make.repository({ name: 'restricted' })
    const job = await make.job({ build: await make.build({ repository }), state: 'started' })
    const pusher = await make.user()
    await make.permission(pusher, repository, 'push')
    const reader = await make.user()
    await make.permission(reader, repository)
    const own = `private-job-${job.id}`
    const anyone = await connect(service)
    await anyone.subscribe(`job-${job.id}`)
    const reading = await listening(own, reader.token)
    const pushing = await listening(own, pusher.token)
    await db
      .insertInto('repository_settings')
      .values({ repository_id: repository.id, values: json({ job_log_access_based_limit: true }) })
      .execute()
    expect(await reading.next('pusher:subscription_error')).toMatchObject({ channel: own })
    await append(job, 'restricted\n')
    await pushing.next('job:log')
    expect(JSON.stringify([anyone.seen, reading.seen])).not.toContain('restricted')
    expect(await signed(service, anyone.id, [own], reader.token)).toEqual({})
  })

  test('with the token that signed it', async () => {
    const token = await make.token(member, ['public', 'private'])
    const client = await listening(privateRepo(), token)
    await db
      .updateTable('tokens')
      .set({ revoked_at: new Date() })
      .where(
        'id',
        '=',
        db.selectFrom('tokens').select(({ fn }) => fn.max('id').as('id')),
      )
      .execute()
    expect(await client.next('pusher:subscription_error')).toMatchObject({ channel: privateRepo() })
  })

  test('on the public channels when its repository becomes private', async () => {
    const repository = await make.repository({ name: 'turning' })
    const job = await make.job({ build: await make.build({ repository }), state: 'started' })
    const client = await connect(service)
    for (const channel of [`job-${job.id}`, `repo-${repository.id}`, 'news']) {
      await client.subscribe(channel)
    }
    await append(job, 'public\n')
    await client.next('job:log')
    await db
      .updateTable('repositories')
      .set({ private: true })
      .where('id', '=', repository.id)
      .execute()
    await append(job, 'secret\n')
    await client.next('pusher:subscription_error')
    await client.next('pusher:subscription_error')
    expect(JSON.stringify(client.seen)).not.toContain('secret')
  })
})

test('if the installation is closed, no events reach the public channels', async () => {
  const closed = await serve(database, { change: ({ site }) => void (site.publicMode = false) })
  const client = await connect(closed)
  const own = await connect(closed)
  const channel = `private-job-${shown.id}`
  await client.subscribe(`job-${shown.id}`)
  expect(await signed(closed, client.id, [channel], stranger.token)).toEqual({})
  await own.subscribe(channel, (await signed(closed, own.id, [channel], member.token))[channel])
  await append(shown, 'text\n')
  await own.next('job:log')
  expect(client.seen.filter(({ event }) => event === 'job:log')).toEqual([])
  await closed.close()
})

test('if every caller must log in, clients without a login receive no events', async () => {
  const closed = await serve(database, {
    change: ({ site }) => void (site.forceAuthentication = true),
  })
  const client = await connect(closed)
  const own = await connect(closed)
  const channel = `private-job-${shown.id}`
  await client.subscribe(`job-${shown.id}`)
  expect(await signed(closed, client.id, [channel])).toEqual({})
  await own.subscribe(channel, (await signed(closed, own.id, [channel], stranger.token))[channel])
  await append(shown, 'text\n')
  await own.next('job:log')
  expect(client.seen.filter(({ event }) => event === 'job:log')).toEqual([])
  await closed.close()
})
