import { syncUser } from '../../src/flow/people/sync-user.ts'
import { syncInstallation } from '../../src/flow/repositories/sync-installation.ts'
import { syncInstallations } from '../../src/flow/repositories/sync-installations.ts'
import type { Database } from '../../src/store/tables.ts'
import { hiddenIn, loginScene, toTarget } from './login-scene.ts'

/**
 * A service that is the app of a code host, with nothing made up: people log in by the code host's own
 * pages, repositories come from its installations, and rights from what it says to each user.
 */
export async function appScene(db: Database) {
  const scene = await loginScene(db, [])
  const { ctx, host, logIn, visitor } = scene

  return {
    ...scene,
    /** Logs someone in, and returns the token of the API that the target is posted. */
    async tokenOf(login: string): Promise<string> {
      host.signIn(login)
      const { body } = await logIn(visitor(), toTarget)
      const { token } = hiddenIn(body)
      if (token === undefined) throw new Error(`${login} was not logged in: ${body}`)
      return token
    },
    /** Does what was enqueued: looks up the installations, and what everyone sees who has logged in. */
    async sync(): Promise<void> {
      await syncInstallations(ctx)
      for (const { name, payload } of ctx.enqueued.splice(0)) {
        if (name === 'installation.sync' && 'installation' in payload)
          await syncInstallation(ctx, payload.installation)
      }
      const users = await db
        .selectFrom('users')
        .select('id')
        .where('is_syncing', '=', true)
        .execute()
      for (const { id } of users) await syncUser(ctx, id)
    },
  }
}
