import { describe, expect, test } from 'vitest'
import { testSealer } from '../../support/context.ts'
import { ownDatabase } from '../../support/database.ts'
import { openIntake, push, secrets, taken } from './intake.ts'

const { db } = await ownDatabase()
const { deliver, enqueued, stored } = await openIntake(db)

const row = {
  id: 1,
  guid: 'guid-1',
  provider: 'codehost',
  event: 'push',
  action: null,
  state: 'received',
  sealed: false,
  repository_codehost_id: 82,
  installation_codehost_id: 7,
}

describe('a webhook', () => {
  test.each(['/webhooks/codehost', '/webhooks/codehost/', '/api/github/webhooks'])(
    'to %s is stored with the same bytes, and enqueued',
    async (path) => {
      const bytes = Buffer.from(
        `{"repository": {"id":82,"private":false} ,"installation":{"id":7}}`,
      )
      expect(await deliver(bytes, { path })).toEqual(taken)
      expect(await stored()).toEqual([{ ...row, body: bytes }])
      expect(enqueued).toEqual([1])
    },
  )

  test('of a local repository has its own secret', async () => {
    const path = '/webhooks/local'
    expect(await deliver(push, { path })).toMatchObject({ status: 401 })
    expect(await deliver(push, { path, secret: secrets.local })).toEqual(taken)
    expect(await stored()).toMatchObject([{ provider: 'local' }])
  })

  test('as the form that repository hooks send is stored as its JSON', async () => {
    const json = JSON.stringify({ ...push, ref: 'refs/heads/größe&x=1+1' })
    const form = Buffer.from(new URLSearchParams({ other: 'x', payload: json }).toString())
    const headers = { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' }
    expect(await deliver(form, { headers })).toEqual(taken)
    expect(await stored()).toEqual([{ ...row, body: Buffer.from(json) }])
  })

  test.each(['text/plain', 'weird', '', 'application/json; charset="', undefined])(
    'labelled %j is read as JSON',
    async (type) => {
      expect(await deliver(push, { headers: { 'content-type': type } })).toEqual(taken)
      expect(await stored()).toHaveLength(1)
    },
  )

  test('stores its action, and no values that are missing', async () => {
    const headers = { 'x-github-event': 'pull_request' }
    await deliver({ action: 'opened', number: 7 }, { headers })
    expect(await stored()).toMatchObject([
      {
        event: 'pull_request',
        action: 'opened',
        sealed: true,
        repository_codehost_id: null,
        installation_codehost_id: null,
      },
    ])
  })

  test.each([
    { action: 'a\u0000b', repository: { id: 1.5 }, installation: { id: 'x' } },
    { action: 7, repository: { id: 1e300 }, installation: [] },
    { action: { a: 1 }, repository: 'x', installation: null },
    JSON.parse('{"__proto__": {"action": "x"}, "constructor": 1}') as object,
  ])('with odd values is accepted: %j', async (body) => {
    expect(await deliver(body)).toEqual(taken)
    expect(await stored()).toMatchObject([
      { repository_codehost_id: null, installation_codehost_id: null },
    ])
  })

  test.each(['ping', 'star', 'check_run', 'constructor'])(
    'of an event without a handler is accepted but not stored: %s',
    async (event) => {
      expect(await deliver(push, { headers: { 'x-github-event': event } })).toEqual(taken)
      expect(await stored()).toEqual([])
      expect(enqueued).toEqual([])
    },
  )

  test.each(['push', 'pull_request', 'create', 'delete'])('of %s is stored', async (event) => {
    await deliver(push, { headers: { 'x-github-event': event } })
    expect(await stored()).toMatchObject([{ event }])
  })
})

describe('the webhook of a private repository', () => {
  test.each([
    { ...push, repository: { id: 82, private: true } },
    // When in doubt.
    { ...push, repository: { id: 82 } },
  ])('is sealed before it is stored: %j', async (body) => {
    await deliver({ ...body, ref: 'refs/heads/treasure' })
    const [delivery] = await stored()
    expect(delivery).toMatchObject({ sealed: true, repository_codehost_id: 82 })
    const bytes = delivery?.body ?? Buffer.alloc(0)
    expect(bytes.includes('treasure')).toBe(false)

    const opened = testSealer.open({ type: 'delivery', id: 'guid-1' }, bytes)
    expect(JSON.parse(opened.toString())).toEqual({ ...body, ref: 'refs/heads/treasure' })
    expect(() => testSealer.open({ type: 'delivery', id: 'guid-2' }, bytes)).toThrow(
      'unable to authenticate',
    )
  })
})
