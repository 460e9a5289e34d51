import { beforeAll, describe, expect, test } from 'vitest'
import type { User } from '../../../src/domain/owner.ts'
import { createServer } from '../../../src/http/server.ts'
import { testContext } from '../../support/context.ts'
import { ownDatabase } from '../../support/database.ts'
import { factories } from '../../support/factories.ts'
import { caller } from '../door.ts'

// The client for JavaScript that was written for the observed API sends every parameter as JSON, also with
// GET, and the token of its login likewise.

const { db } = await ownDatabase()
const make = factories(db)
const call = caller(await createServer(testContext(db)))

const v2 = { accept: 'application/vnd.service.2.1+json', 'content-type': 'application/json' }
let alice: User & { token: string }

beforeAll(async () => {
  alice = await make.user('alice')
  const web = await make.repository({ owner_name: 'acme', name: 'web' })
  const secret = await make.repository({ owner_name: 'acme', name: 'secret', private: true })
  await make.permission(alice, secret, 'pull')
  await make.build({ repository: web })
  await make.build({ repository: secret })
})

describe('a GET of V2.1 with a body', () => {
  test('takes parameters from it', async () => {
    const inBody = await call('GET /builds', v2, { slug: 'acme/web' })
    expect(inBody.statusCode).toBe(200)
    expect(inBody.json()).toMatchObject({ builds: [{ id: 1 }] })
    expect(inBody.body).toBe((await call('GET /builds?slug=acme%2Fweb', v2)).body)
  })

  test('takes the token from it', async () => {
    const answer = await call('GET /users/', v2, { access_token: alice.token })
    expect(answer.json()).toMatchObject({ user: { login: 'alice' } })
    const wrong = await call('GET /users/', v2, { access_token: 'none' })
    expect([wrong.statusCode, wrong.body]).toEqual([403, 'access denied'])
  })

  test('is answered for the body, even if the response without it is known', async () => {
    const known = await call('GET /repos/acme/web', v2)
    const etag = { ...v2, 'if-none-match': String(known.headers.etag) }
    const statuses: number[] = []
    for (const payload of [undefined, undefined, { access_token: 'none' }]) {
      statuses.push((await call('GET /repos/acme/web', etag, payload)).statusCode)
    }
    expect(statuses).toEqual([304, 304, 403])
    const seen = await call('GET /repos/acme/secret', v2, { access_token: alice.token })
    expect(seen.statusCode).toBe(200)
    const tagged = { ...v2, 'if-none-match': String(seen.headers.etag) }
    for (const payload of [
      { access_token: alice.token },
      { access_token: alice.token },
      undefined,
    ]) {
      statuses.push((await call('GET /repos/acme/secret', tagged, payload)).statusCode)
    }
    expect(statuses.slice(3)).toEqual([304, 304, 404])
  })

  test('is refused if the body cannot be read', async () => {
    const answer = await call('GET /builds?slug=acme%2Fweb', v2, '{"slug":')
    expect([answer.statusCode, answer.json()]).toEqual([
      400,
      { error: 'Failed to parse body as JSON' },
    ])
  })
})

test('a body of HEAD, and of GET in V3, has no effect', async () => {
  const token = { access_token: alice.token }
  expect((await call('HEAD /repos/acme/secret', v2, token)).statusCode).toBe(404)
  const v3 = { 'service-api-version': '3', 'content-type': 'application/json' }
  expect((await call('GET /repo/acme%2Fsecret', v3, token)).statusCode).toBe(404)
  expect((await call('GET /repo/acme%2Fweb', v3, '{')).statusCode).toBe(200)
})
