import { beforeAll, describe, expect, test } from 'vitest'
import { createServer } from '../../../src/http/server.ts'
import { insertMessages } from '../../../src/store/requests/request-messages.ts'
import { testContext } from '../../support/context.ts'
import { ownDatabase } from '../../support/database.ts'
import { factories } from '../../support/factories.ts'
import { callerOf, forms, missing } from './roles.ts'
import { wholePage } from './whole-page.ts'

const { db } = await ownDatabase()
const make = factories(db)
const server = await createServer(testContext(db))
let call: Awaited<ReturnType<typeof callerOf>>

// Requests 1 of repository 1, with two messages, 2 of it, with none, and 3 of repository 2.
beforeAll(async () => {
  call = await callerOf(server, db)
  const [web, safe] = await db.selectFrom('repositories').selectAll().orderBy('id').execute()
  if (!web || !safe) throw new Error('there are no repositories')
  for (const repository of [web, web, safe]) await make.request({ repository })
  const found = { key: ['git'], args: { key: 'depht' }, src: '.service.yml', column: 1 }
  await insertMessages(db, 1, [
    { ...found, level: 'info', code: 'default', text: 'a default', line: null },
    { ...found, level: 'warn', code: 'unknown_key', text: 'unknown key', line: 2 },
  ])
})

const shown = {
  '@type': 'message',
  '@representation': 'standard',
  '@permissions': { read: true, write: false },
  key: 'git',
  args: { key: 'depht' },
  src: '.service.yml',
}
const found = { ...shown, id: 2, level: 'warn', code: 'unknown_key', line: 2 }
const byDefault = { ...shown, id: 1, level: 'info', code: 'default', line: null }

describe('messages', () => {
  test.each(forms)('are a page at %s, the most severe first', async (form) => {
    const path = `${form}/request/1/messages`
    expect(await call('no one', `GET ${path}`)).toEqual([
      200,
      { '@type': 'messages', ...wholePage(path, 2), messages: [found, byDefault] },
    ])
  })

  test('have pages', async () => {
    expect(await call('no one', 'GET /repo/1/request/1/messages?limit=1&offset=1')).toMatchObject([
      200,
      { '@pagination': { count: 2, is_last: true }, messages: [byDefault] },
    ])
    expect(await call('no one', 'GET /repo/1/request/2/messages')).toMatchObject([
      200,
      { messages: [] },
    ])
  })

  test('are minimal in their request, and in full if they are included', async () => {
    expect(await call('no one', 'GET /repo/1/request/1')).toMatchObject([
      200,
      { messages: [found, byDefault].map((each) => ({ ...each, '@representation': 'minimal' })) },
    ])
    expect(await call('no one', 'GET /repo/1/request/1?include=request.messages')).toMatchObject([
      200,
      { messages: [found, byDefault] },
    ])
  })

  test('are hidden with their request', async () => {
    const of = (id: number) => `GET /repo/1/request/${id}/messages`
    expect(await call('reader', 'GET /repo/2/request/3/messages')).toMatchObject([200, {}])
    expect(await call('other', 'GET /repo/2/request/3/messages')).toEqual(missing('repository'))
    expect(await call('no one', of(3))).toEqual(missing('request'))
    expect(await call('no one', of(99))).toEqual(missing('request'))
  })
})
