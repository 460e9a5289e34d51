import { beforeAll, describe, expect, test } from 'vitest'
import type { User } from '../../../src/domain/owner.ts'
import { followAccount } from '../../../src/flow/events/follow-account.ts'
import { receiveEvent } from '../../../src/flow/events/receive-event.ts'
import { createServer } from '../../../src/http/server.ts'
import { testContext } from '../../support/context.ts'
import { ownDatabase } from '../../support/database.ts'
import { pushTo } from '../../support/events.ts'
import { factories } from '../../support/factories.ts'
import { caller } from '../door.ts'

const { db } = await ownDatabase()
const make = factories(db)
const ctx = testContext(db)
const call = caller(await createServer(ctx))

let member: User & { token: string }

// `hello` was renamed by a push, `secret` too, and `back` has its first name again.
beforeAll(async () => {
  member = await make.user('member')
  const hello = await make.repository({ name: 'hello' })
  await make.job({ build: await make.build({ repository: hello }), number: '1.1' })
  await receiveEvent(ctx, pushTo({ ...hello, name: 'hello two' }))

  const secret = await make.repository({ name: 'secret', private: true })
  await make.permission(member, secret)
  await receiveEvent(ctx, pushTo({ ...secret, name: 'revealing-name' }))

  const back = await make.repository({ name: 'back' })
  await receiveEvent(ctx, pushTo({ ...back, name: 'forth' }))
  await receiveEvent(ctx, pushTo({ ...back, name: 'back' }))

  await make.repository({ name: 'engine', owner_name: 'ada' })
  const { owner_id } = await make.repository({ name: 'loom', owner_name: 'ada' })
  const { codehost_id } = await db
    .selectFrom('users')
    .selectAll()
    .where('id', '=', owner_id)
    .executeTakeFirstOrThrow()
  await followAccount(ctx, {
    type: 'account',
    delivery_id: null,
    sender: { codehost_id: null, login: 'ada' },
    account: { codehost_id: codehost_id ?? 0, login: 'lovelace', type: 'User' },
    former_login: 'ada',
  })
})

async function open(path: string, user?: { token: string }) {
  const authorization = user ? { authorization: `token ${user.token}` } : {}
  const { statusCode, headers, body } = await call(`GET ${path}`, {
    accept: 'text/html',
    ...authorization,
  })
  return { status: statusCode, to: headers.location, body }
}

describe('a page of a repository that was renamed', () => {
  test.each([
    ['/octavia/hello', '/octavia/hello%20two'],
    ['/Octavia/HELLO?page=2', '/octavia/hello%20two?page=2'],
    ['/octavia/hello/builds/1', '/octavia/hello%20two/builds/1'],
    ['/octavia/hello/jobs/1', '/octavia/hello%20two/jobs/1'],
    ['/ada/engine', '/lovelace/engine'],
    ['/ada/loom', '/lovelace/loom'],
    ['/octavia/forth', '/octavia/back'],
  ])('at %s redirects to %s', async (path, target) => {
    expect(await open(path)).toMatchObject({ status: 302, to: target })
    expect((await open(target)).status).toBe(200)
  })

  test('hides its new name from users who cannot see it', async () => {
    const hidden = await open('/octavia/secret')
    expect(hidden).toMatchObject({ status: 404, to: undefined })
    expect(hidden.body).not.toContain('revealing')
    expect(await open('/octavia/secret', member)).toMatchObject({
      status: 302,
      to: '/octavia/revealing-name',
    })
  })

  test('returns to its first name when the repository does', async () => {
    expect((await open('/octavia/back')).status).toBe(200)
    expect((await open('/octavia/back/builds/99')).status).toBe(404)
  })

  test('shows another repository that has the name now', async () => {
    await make.repository({ name: 'hello' })
    expect((await open('/octavia/hello')).status).toBe(200)
  })
})
