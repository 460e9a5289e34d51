import { isOfEnterprise } from '../domain/installation.ts'
import { requestSync } from '../store/installation-syncs.ts'
import { presentInstallations } from '../store/installations.ts'
import type { Context } from './context.ts'

/** Requests a look-up of every installation that the code host or the database lists. */
export async function syncInstallations(ctx: Context): Promise<void> {
  const { installations } = ctx.codehosts.codehost ?? {}
  if (!installations) return
  const listed = (await installations.all())
    .filter((facts) => !isOfEnterprise(facts))
    .map(({ codehost_id }) => codehost_id)
  const known = await presentInstallations(ctx.db)
  for (const installation of new Set([...listed, ...known])) {
    await requestSync(ctx.db, installation)
    await ctx.enqueue('installation.sync', { installation }, { once: `sync-${installation}` })
  }
}
