import { createPrivateKey, createPublicKey } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { tooManyRequests } from '../../../src/domain/errors.ts'
import { createServer } from '../../../src/http/server.ts'
import { testContext, testSealer } from '../../support/context.ts'
import { testDatabase } from '../../support/database.ts'
import { caller } from '../door.ts'
import {
  audited,
  clientOf,
  fileMissing,
  makeRoles,
  nobody,
  noLogin,
  type Role,
  wrongToken,
} from './roles.ts'

const db = await testDatabase()
const ctx = testContext(db)
const made = new Set<string>()
const counted = {
  ...ctx,
  newKeyPair: async (name: string) => {
    const pair = await ctx.newKeyPair(name)
    made.add(pair.fingerprint)
    return pair
  },
}
const server = await createServer(counted)

let call: ReturnType<typeof clientOf>
beforeEach(async () => {
  made.clear()
  call = clientOf(server, await makeRoles(db))
})

const shown = [
  200,
  {
    key: expect.stringMatching(
      /^-----BEGIN PUBLIC KEY-----\n[^-]+\n-----END PUBLIC KEY-----\n$/,
    ) as unknown,
    fingerprint: expect.stringMatching(/^[\da-f]{2}(?::[\da-f]{2}){15}$/) as unknown,
  },
] as const

const paths = ['/repos/1/key', '/repos/1/key/', '/repos/acme/web/key', '/repos/acme%2fweb/key']

describe('GET key', () => {
  test('makes the key pair on the first call of any user, and returns the same key from then on', async () => {
    const first = await call('no one', 'GET /repos/1/key')
    expect(first).toEqual(shown)
    for (const path of [...paths, '/repos/1/key.json']) {
      expect(await call('admin', `GET ${path}`)).toEqual(first)
    }
    expect(made.size).toBe(1)
    expect(await audited(db)).toEqual([])
  })

  test('makes one key pair for calls at the same time', async () => {
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => call('no one', 'GET /repos/1/key')),
    )
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
    expect(await db.selectFrom('key_pairs').select('repository_id').execute()).toHaveLength(1)
  })

  test('returns the stored key from both of two processes that make one', async () => {
    // What waits in one process is not known to the other; each begins before the other has ended.
    let meet = () => {}
    let begun = 0
    const bothBegan = new Promise<void>((resolve) => {
      meet = resolve
    })
    const newKeyPair = async () => {
      begun += 1
      const name = `process ${begun}`
      if (begun === 2) meet()
      await bothBegan
      return ctx.newKeyPair(name)
    }
    const process = async (own: typeof db) =>
      clientOf(await createServer({ ...ctx, newKeyPair, db: own }), nobody)
    const processes = [await process(db), await process(db.withoutPlugins())]
    const [one, two] = await Promise.all(processes.map((ask) => ask('no one', 'GET /repos/1/key')))
    expect(begun).toBe(2)
    expect(one).toEqual(two)
  })

  test('is refused with the time to retry while too many key pairs are made', async () => {
    const newKeyPair = () => Promise.reject(tooManyRequests(30_000))
    const busy = caller(await createServer({ ...ctx, newKeyPair }))
    const answer = await busy('GET /repos/1/key')
    expect([answer.statusCode, answer.body]).toEqual([429, 'Retry later'])
    expect(answer.headers['retry-after']).toBe('30')
    expect(await db.selectFrom('key_pairs').selectAll().execute()).toEqual([])
  })

  test('the private key is sealed for its repository', async () => {
    const [, body] = await call('no one', 'GET /repos/1/key')
    const { sealed_private_key } = await db
      .selectFrom('key_pairs')
      .selectAll()
      .executeTakeFirstOrThrow()
    const text = testSealer.openText({ type: 'key_pair', id: 1 }, sealed_private_key)
    const derived = createPublicKey(createPrivateKey(text)).export({ type: 'spki', format: 'pem' })
    expect(derived).toBe((body as { key: string }).key)
  })

  test.each<[Role, readonly unknown[], readonly unknown[]]>([
    ['admin', shown, shown],
    ['pusher', shown, shown],
    ['reader', shown, shown],
    ['other', shown, fileMissing],
    ['no one', shown, fileMissing],
    ['wrong', wrongToken, wrongToken],
  ])(
    'responds to %s according to the role, for a public and a private repository',
    async (who, open, closed) => {
      expect(await call(who, 'GET /repos/1/key')).toEqual(open)
      expect(await call(who, 'GET /repos/2/key')).toEqual(closed)
      expect(await call(who, 'GET /repos/acme/safe/key')).toEqual(closed)
    },
  )

  test('makes no key pair if the response is not acceptable', async () => {
    const answer = await caller(server)('GET /repos/1/key', { accept: 'image/png' })
    expect([answer.statusCode, made.size]).toEqual([406, 0])
  })

  test('is sent again only after the key has changed', async () => {
    const read = (known?: string) =>
      caller(server)('GET /repos/1/key', known === undefined ? {} : { 'if-none-match': known })
    expect((await read()).headers).not.toHaveProperty('etag')
    const etag = String((await read()).headers.etag)
    expect(etag).toMatch(/^"[\w-]{22}"$/)
    expect((await read(etag)).statusCode).toBe(304)
    await call('admin', 'POST /repos/1/key')
    expect((await read(etag)).statusCode).toBe(200)
  })
})

describe('POST key', () => {
  test.each(paths)('makes a new key pair at %s', async (path) => {
    const before = await call('admin', 'GET /repos/1/key')
    const renewed = await call('admin', `POST ${path}`)
    expect(renewed).toEqual(shown)
    expect(renewed).not.toEqual(before)
    expect(await call('no one', 'GET /repos/1/key')).toEqual(renewed)
  })

  test.each<[Role, readonly unknown[], readonly unknown[]]>([
    ['admin', shown, shown],
    ['pusher', fileMissing, fileMissing],
    ['reader', fileMissing, fileMissing],
    ['other', fileMissing, fileMissing],
    ['no one', noLogin, noLogin],
    ['wrong', wrongToken, wrongToken],
  ])(
    'responds to %s according to the role, for a public and a private repository',
    async (who, open, closed) => {
      expect(await call(who, 'POST /repos/1/key')).toEqual(open)
      expect(await call(who, 'POST /repos/acme/safe/key')).toEqual(closed)
      expect(made.size).toBe(who === 'admin' ? 2 : 0)
    },
  )

  test('is recorded with both fingerprints', async () => {
    const fingerprintIn = (answer: readonly [number, unknown]) =>
      (answer[1] as { fingerprint: string }).fingerprint
    const first = fingerprintIn(await call('admin', 'POST /repos/1/key'))
    const second = fingerprintIn(await call('admin', 'POST /repos/1/key'))
    const record = {
      actor: 'admin',
      action: 'renew_key_pair',
      subject: 'repository 1',
      address: '127.0.0.1',
      byToken: true,
    }
    expect(await audited(db)).toEqual([
      { ...record, changed: { from: null, to: first } },
      { ...record, changed: { from: first, to: second } },
    ])
  })
})
