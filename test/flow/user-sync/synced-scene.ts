import { afterAll, beforeEach } from 'vitest'
import type { User } from '../../../src/domain/owner.ts'
import { requestUserSync } from '../../../src/flow/people/request-user-sync.ts'
import { syncUser } from '../../../src/flow/people/sync-user.ts'
import { storeGrant } from '../../../src/flow/tokens/store-grant.ts'
import type { Database } from '../../../src/store/tables.ts'
import { findCodehostToken } from '../../../src/store/tokens/codehost-tokens.ts'
import { appCodehost } from '../../codehost/app/app-codehost.ts'
import { startCodehost } from '../../support/codehost/codehost.ts'
import { type TestContext, testContext } from '../../support/context.ts'
import { factories } from '../../support/factories.ts'

/** A user of a code host, recreated for each test, who logged in here a while ago. */
export async function syncedScene(db: Database) {
  const make = factories(db)
  let ctx: TestContext = testContext(db)
  const now = () => ctx.now()
  const host = await startCodehost({ now })
  afterAll(() => host.stop())
  let anna: User
  let count = 0

  beforeEach(async () => {
    ctx = testContext(db)
    Object.assign(ctx.codehosts, { codehost: appCodehost(host, now) })
    host.limitRate(5000)
    const login = `anna-${(count += 1)}`
    const account = host.addUser({ login })
    const made = await make.user(login)
    anna = { ...made, codehost_id: account.id }
    await db
      .updateTable('users')
      .set({ codehost_id: account.id, first_logged_in_at: now() })
      .where('id', '=', anna.id)
      .execute()
    await logIn()
    ctx.pass(120)
    host.calls.length = 0
  })

  async function logIn(): Promise<void> {
    const token = host.userToken(anna.login)
    const made = host.tables.tokens.find((each) => each.token === token)
    if (made?.kind !== 'user') throw new Error('there is no such token')
    const { refresh_token, expires_at } = made
    await storeGrant(ctx, anna.id, { token, issued_at: now(), expires_at, refresh_token })
  }

  return {
    host,
    make,
    logIn,
    get ctx() {
      return ctx
    },
    get anna() {
      return anna
    },
    /** An organization with this many private repositories to which the user can push. */
    async organization(repositories = 1): Promise<string> {
      const owner = `org-${(count += 1)}`
      host.addOrganization({ login: owner, members: { [anna.login]: 'member' } })
      for (let number = 0; number < repositories; number += 1) {
        const collaborators = { [anna.login]: 'write' as const }
        await host.addRepository({ owner, name: `r-${number}`, private: true, collaborators })
      }
      return owner
    },
    /** Syncs the user, from the request to the end. */
    async sync(): Promise<void> {
      await requestUserSync(ctx, anna, { user: anna, token_id: null, address: '127.0.0.1' })
      await syncUser(ctx, anna.id)
    },
    hasToken: async () => (await findCodehostToken(db, anna.id)) !== undefined,
    /** How many of the user's rights and memberships are stored, and when the user was synced. */
    async kept() {
      const rights = db.selectFrom('permissions').where('user_id', '=', anna.id)
      const memberships = db.selectFrom('memberships').where('user_id', '=', anna.id)
      const user = db.selectFrom('users').select('synced_at').where('id', '=', anna.id)
      return {
        rights: (await rights.select('repository_id').execute()).length,
        memberships: (await memberships.select('organization_id').execute()).length,
        ...(await user.executeTakeFirstOrThrow()),
      }
    },
  }
}
