import { expect, test } from 'vitest'
import { blockUser } from '../../src/flow/people/block-user.ts'
import { makeRepositoryToken } from '../../src/flow/tokens/make-token.ts'
import { useToken } from '../../src/flow/tokens/use-token.ts'
import { testContext } from '../support/context.ts'
import { testDatabase } from '../support/database.ts'
import { factories } from '../support/factories.ts'

const db = await testDatabase()
const make = factories(db)

test("a repository's token is refused while the user who created it is blocked", async () => {
  const ctx = testContext(db)
  const repository = await make.repository({ name: 'hello' })
  const eve = await make.user('eve')
  await make.permission(eve, repository, 'admin')
  const by = { user: eve, token_id: null, address: '127.0.0.1' }
  const wanted = { name: 'a', scopes: ['read', 'builds'] as const, ends_at: null }
  const { token } = await makeRepositoryToken(ctx, repository, wanted, by)
  expect((await useToken(ctx, token))?.scopes).toContain('builds')
  await blockUser(ctx, by, eve, true)
  expect(await useToken(ctx, token)).toBeUndefined()
  expect(await useToken(ctx, eve.token)).toBeUndefined()
  await blockUser(ctx, by, eve, false)
  expect((await useToken(ctx, token))?.scopes).toContain('builds')
})
