import type { Database } from '../../src/store/tables.ts'
import { appScene } from './app-scene.ts'
import { unlimited } from './door.ts'
import { fillRepositories, privacies, statusOf, type Tokens } from './status-scene.ts'

/** What the code host lets someone do with a repository, and the role that this is here. */
export const levels = [
  { who: 'admin', role: 'admin' },
  { who: 'maintain', role: 'push' },
  { who: 'write', role: 'push' },
  { who: 'triage', role: 'pull' },
  { who: 'read', role: 'pull' },
] as const

/**
 * Repositories 1 to 4 of an app's code host, and someone of each level on all of them, who is called like
 * it and has logged in by the code host's own pages.
 */
export async function levelsScene(db: Database) {
  const { ctx, host, server, tokenOf, sync } = await appScene(db)
  Object.assign(ctx, { rates: unlimited })
  const tokens: Tokens = {}

  return {
    status: statusOf(db, server, tokens),
    async fill(): Promise<void> {
      const collaborators = Object.fromEntries(levels.map(({ who }) => [who, who]))
      for (const [index, hidden] of privacies.entries()) {
        const name = `r${index + 1}`
        await host.addRepository({ name, private: hidden.repository, collaborators })
      }
      // The first one owns the features and notes that the scene makes.
      for (const login of ['octavia', ...levels.map(({ who }) => who)]) {
        tokens[login] = await tokenOf(login)
      }
      await sync()
      const repositories = await db.selectFrom('repositories').selectAll().orderBy('name').execute()
      await fillRepositories(db, repositories)
    },
  }
}
