import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import type { User } from '../../src/domain/owner.ts'
import { storeGrant } from '../../src/flow/tokens/store-grant.ts'
import { dropUserToken, userToken as heldToken } from '../../src/flow/tokens/user-token.ts'
import { appCodehost } from '../codehost/app/app-codehost.ts'
import { startCodehost } from '../support/codehost/codehost.ts'
import { testContext } from '../support/context.ts'
import { testDatabase } from '../support/database.ts'
import { factories } from '../support/factories.ts'

const db = await testDatabase()
const make = factories(db)
const ctx = testContext(db)
const host = await startCodehost({ now: () => ctx.now() })
Object.assign(ctx.codehosts, { codehost: appCodehost(host, () => ctx.now()) })
afterAll(() => host.stop())

const hour = 60 * 60

const userToken = async (...asked: Parameters<typeof heldToken>) =>
  (await heldToken(...asked))?.token

let anna: User
let first: string
beforeEach(async () => {
  anna = await make.user('anna')
  first = host.userToken('anna')
  await storeGrant(ctx, anna.id, grantOf(first))
  host.calls.length = 0
})

/** A token as it came from the code host. */
function grantOf(text: string) {
  const token = host.tables.tokens.find((each) => each.token === text)
  if (token?.kind !== 'user') throw new Error('there is no such token')
  const { refresh_token, expires_at } = token
  return { token: text, issued_at: ctx.now(), refresh_token, expires_at }
}

const refreshes = () => host.calls.filter(({ call }) => call.startsWith('POST /login/oauth'))

describe('the token of a user', () => {
  test('is the stored token while that is valid', async () => {
    ctx.pass(7 * hour)
    expect(await userToken(ctx, anna.id)).toBe(first)
    expect(host.calls).toEqual([])
  })

  test('is undefined for a user who has not logged in', async () => {
    expect(await userToken(ctx, (await make.user()).id)).toBeUndefined()
  })

  test('is refreshed before it ends, and kept', async () => {
    ctx.pass(8 * hour - 60)
    const second = await userToken(ctx, anna.id)
    expect(second).toMatch(/^ghu_/)
    expect(second).not.toBe(first)
    expect(await userToken(ctx, anna.id)).toBe(second)
    expect(refreshes()).toHaveLength(1)
    ctx.pass(8 * hour)
    const third = await userToken(ctx, anna.id)
    expect([first, second, undefined]).not.toContain(third)
  })

  test('is refreshed by only one of several callers, because a refresh token works once', async () => {
    ctx.pass(9 * hour)
    const asked = await Promise.allSettled([1, 2, 3, 4].map(() => userToken(ctx, anna.id)))
    expect(refreshes()).toHaveLength(1)
    const now = await userToken(ctx, anna.id)
    const got = asked.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
    const reasons = asked.flatMap((each): unknown[] =>
      each.status === 'rejected' ? [each.reason] : [],
    )
    expect(new Set(got)).toEqual(new Set([now]))
    expect(reasons).toEqual(reasons.map(() => expect.objectContaining({ kind: 'away' }) as unknown))
  })

  test('is dropped if the code host refuses to refresh it', async () => {
    ctx.pass(9 * hour)
    host.tables.tokens = host.tables.tokens.filter(({ token }) => token !== first)
    expect(await userToken(ctx, anna.id)).toBeUndefined()
    expect(await db.selectFrom('codehost_tokens').selectAll().execute()).toEqual([])
  })

  test('stays while the code host is down', async () => {
    ctx.pass(9 * hour)
    host.failNext({ kind: 'status', status: 503 }, /^POST \/login/)
    await expect(userToken(ctx, anna.id)).rejects.toMatchObject({ kind: 'away' })
    expect(await userToken(ctx, anna.id)).toMatch(/^ghu_/)
  })

  test('is not part of the error of a failed refresh', async () => {
    ctx.pass(9 * hour)
    host.failNext({ kind: 'status', status: 503 }, /^POST \/login/)
    const error: unknown = await userToken(ctx, anna.id).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(Error)
    expect((error as Error).cause).toBeUndefined()
    expect((error as Error).message).not.toMatch(/gh[ur]_/)
  })

  test('is dropped if it was refused, but its replacement stays', async () => {
    const later = host.userToken('anna')
    await storeGrant(ctx, anna.id, grantOf(later))
    await dropUserToken(ctx, anna.id, first)
    expect(await userToken(ctx, anna.id)).toBe(later)
    await dropUserToken(ctx, anna.id, later)
    expect(await userToken(ctx, anna.id)).toBeUndefined()
  })
})
