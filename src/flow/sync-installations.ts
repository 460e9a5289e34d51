import { presentInstallations } from '../store/installations.ts'
import type { Context } from './context.ts'

/** Has every installation looked up that the code host or we know of. */
export async function syncInstallations(ctx: Context): Promise<void> {
  const { installations } = ctx.codehosts.codehost ?? {}
  if (!installations) return
  const told = (await installations.all()).map(({ codehost_id }) => codehost_id)
  const known = await presentInstallations(ctx.db)
  for (const installation of new Set([...told, ...known])) {
    await ctx.enqueue('installation.sync', { installation }, { once: `sync-${installation}` })
  }
}
