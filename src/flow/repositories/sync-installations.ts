import { isOfEnterprise } from '../../domain/installation.ts'
import { requestSync, endSync } from '../../store/installations/installation-syncs.ts'
import { presentInstallations } from '../../store/installations/installations.ts'
import type { Context } from '../context.ts'

/** Requests a sync of every installation that the code host or the database lists. */
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

/** Ends the sync of an installation after its last attempt has failed; the next one comes within the hour. */
export function giveUpSync({ db }: Context, codehost_id: number): Promise<void> {
  return endSync(db, codehost_id)
}
