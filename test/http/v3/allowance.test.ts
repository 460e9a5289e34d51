import { beforeAll, describe, expect, test } from 'vitest'
import { ownDatabase } from '../../support/database.ts'
import { factories } from '../../support/factories.ts'
import { accountCalls, allowanceOf, makeAccounts } from './accounts.ts'
import { missing } from './build-scene.ts'

const { db } = await ownDatabase()
const make = factories(db)
const { call, closed } = await accountCalls(db)

beforeAll(() => makeAccounts(db))

describe('GET /owner/{owner}/allowance', () => {
  const full = {
    ...allowanceOf(1),
    '@representation': 'standard',
    subscription_type: 1,
    public_repos: true,
    private_repos: true,
    concurrency_limit: 5,
    user_usage: false,
    pending_user_licenses: false,
    payment_changes_block_credit: false,
    payment_changes_block_captcha: false,
    credit_card_block_duration: 0,
    captcha_block_duration: 0,
  }

  test.each([
    '/owner/octavia/allowance',
    '/owner/codehost/octavia/allowance',
    '/owner/codehost_id/55/allowance',
  ])('shows the same allowance for every owner, at %s', async (path) => {
    expect(await call(`GET ${path}`)).toEqual({ status: 200, body: full })
  })

  test('reports an unknown or hidden owner as missing', async () => {
    expect(await call('GET /owner/nobody/allowance')).toEqual(missing('owner'))
    expect(await closed('GET /owner/octavia/allowance')).toEqual(missing('owner'))
  })

  test('is found for an owner whose login is the name of a provider', async () => {
    await make.user('allowance')
    await make.user('codehost')
    expect(await call('GET /owner/codehost/allowance')).toMatchObject({
      body: { '@type': 'allowance' },
    })
  })
})
