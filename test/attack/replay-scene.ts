import { afterAll } from 'vitest'
import { syncInstallation } from '../../src/flow/repositories/sync-installation.ts'
import { openDoor } from '../bot/door.ts'
import { appCodehost } from '../codehost/app/app-codehost.ts'
import { startCodehost } from '../support/codehost/codehost.ts'
import type { Account, Installation, Repository } from '../support/codehost/tables.ts'
import { type TestContext, testContext } from '../support/context.ts'
import { testDatabase } from '../support/database.ts'
import { factories } from '../support/factories.ts'

/**
 * A code host whose webhooks do not arrive: each is captured, and delivered when and as often as a
 * test requests, each time under a new number.
 */
export async function replayScene() {
  const db = await testDatabase()
  const host = await startCodehost({ webhookUrl: 'http://127.0.0.1:1/' })
  afterAll(() => host.stop())
  let count = 0
  const unique = (name: string) => `${name}-${(count += 1)}`

  /** The webhooks of these events that are sent during a change at the code host. */
  async function allCaptured(events: readonly string[], act: () => Promise<unknown>) {
    const before = host.deliveries.length
    await act()
    const found = events.map((event) =>
      host.deliveries.slice(before).find((each) => each.event === event),
    )
    return found.map((each, index) => {
      if (!each) throw new Error(`no ${events[index]} was sent`)
      return each.request.payload
    })
  }

  return {
    ...{ db, host, make: factories(db), unique, allCaptured },
    /** The endpoints of a service with this code host. */
    async open() {
      const ctx = testContext(db, { codehost: appCodehost(host) })
      return { ctx, deliver: await openDoor(db, ctx) }
    },
    async captured(event: string, act: () => Promise<unknown>): Promise<Record<string, unknown>> {
      const [payload = {}] = await allCaptured([event], act)
      return payload
    },
    installationOf(owner: Account): Installation {
      const found = host.tables.installations.find(({ account }) => account === owner)
      if (!found) throw new Error('there is no installation')
      return found
    },
    /** A repository that the service has looked up. */
    async knownRepository(ctx: TestContext, owner = unique('owner')): Promise<Repository> {
      const repository = await host.addRepository({ owner, name: unique('hello') })
      await syncInstallation(ctx, this.installationOf(repository.owner).id)
      return repository
    },
    /** The row of a repository. */
    rowOf: ({ id }: Repository) =>
      db
        .selectFrom('repositories')
        .selectAll()
        .where('codehost_id', '=', id)
        .executeTakeFirstOrThrow(),
    /** A user of the code host who is known to the service. */
    async knownUser(login = unique('anna')) {
      const account = host.addUser({ login })
      const known = { provider: 'codehost' as const, codehost_id: account.id, login }
      return db.insertInto('users').values(known).returningAll().executeTakeFirstOrThrow()
    },
  }
}
