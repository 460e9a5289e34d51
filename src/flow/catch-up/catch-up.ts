import { CodehostError, type Past } from '../../codehost/codehost.ts'
import { presentInstallations } from '../../store/installations/installations.ts'
import { forgetSeenTags } from '../../store/repositories/seen-tags.ts'
import { workInTurn } from '../../store/sql/locks.ts'
import type { CatchUpContext } from './context.ts'
import { type Look, lookAtInstallation } from './look-at-installation.ts'
import { requestMissed } from './request-missed.ts'

export interface CaughtUp extends Pick<Look, 'pushes' | 'unbuilt' | 'first_looks'> {
  /** Ids of the webhooks that the code host was requested to send again. */
  requested: string[]
  /** The code host's error, if not everything could be queried. */
  problem?: string
}

/**
 * Recovers events of the code host that did not arrive, for example while the service was down: missing
 * webhooks are requested again, and other pushes that branches and tags show are stored as webhooks of our
 * own. Events that arrive twice, or late as well, build nothing twice. Undefined without an app. One process
 * at a time does this.
 */
export async function catchUp(ctx: CatchUpContext): Promise<CaughtUp | undefined> {
  const { past } = ctx.codehosts.codehost ?? {}
  if (!past) return undefined
  return workInTurn(ctx.db, 'catch-up', () => findMissed(ctx, past))
}

/** The repeated task of the service. Tags pushed while `catchUpTags` is off are not built later. */
export async function catchUpAgain(ctx: CatchUpContext): Promise<void> {
  if (!ctx.config.catchUpTags) await forgetSeenTags(ctx.db)
  await catchUp(ctx)
}

async function findMissed(ctx: CatchUpContext, past: Past): Promise<CaughtUp> {
  const { requested: missed, problem } = await requestMissed(ctx, past)
  const looks: Partial<Look>[] = problem === undefined ? [] : [{ problem }]
  // Repositories whose webhooks were requested need no look.
  const awaited = new Set(missed.map(({ repository }) => repository))
  for (const installation of await presentInstallations(ctx.db)) {
    try {
      for await (const look of lookAtInstallation(ctx, past, installation, awaited)) {
        looks.push(look)
      }
    } catch (error) {
      if (!(error instanceof CodehostError)) throw error
      ctx.log.warn({ err: error, installation }, 'branches could not be compared')
      looks.push({ problem: error.message })
    }
  }
  const requested = missed.map(({ guid }) => guid)
  const pushes = looks.flatMap((look) => look.pushes ?? [])
  if (requested.length + pushes.length > 0) {
    ctx.log.info({ requested: requested.length, pushes: pushes.length }, 'caught up')
  }
  const [first] = looks.flatMap((look) => look.problem ?? [])
  return {
    requested,
    pushes,
    unbuilt: looks.flatMap((look) => look.unbuilt ?? []),
    first_looks: looks.flatMap((look) => look.first_looks ?? []),
    ...(first === undefined ? {} : { problem: first }),
  }
}
