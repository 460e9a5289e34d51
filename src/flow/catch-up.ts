import { CodehostError, type Past } from '../codehost/codehost.ts'
import { presentInstallations } from '../store/installations.ts'
import { workInTurn } from '../store/locks.ts'
import { forgetSeenTags } from '../store/seen-tags.ts'
import type { CatchUpContext } from './catch-up/context.ts'
import { type Look, lookAtInstallation } from './catch-up/look-at-installation.ts'
import { requestMissed } from './catch-up/request-missed.ts'

export interface CaughtUp extends Pick<Look, 'pushes' | 'unbuilt' | 'first_looks'> {
  /** Ids of the webhooks that the code host was asked to send again. */
  requested: string[]
  /** What the code host said where it could not be asked for all of it. */
  problem?: string
}

/**
 * Finds what happened at the code host and did not get here, while the service was down say, and has it
 * arrive after all: webhooks are requested again, and what branches and tags show besides is stored as
 * webhooks of our own. What arrives twice, or late as well, builds nothing twice. Undefined without an
 * app. Of several processes one does it at a time.
 */
export async function catchUp(ctx: CatchUpContext): Promise<CaughtUp | undefined> {
  const { past } = ctx.codehosts.codehost ?? {}
  if (!past) return undefined
  return workInTurn(ctx.db, 'catch-up', () => findMissed(ctx, past))
}

/** The repeated task of the service. Tags pushed while it leaves tags out are not built later. */
export async function catchUpAgain(ctx: CatchUpContext): Promise<void> {
  if (!ctx.config.catchUpTags) await forgetSeenTags(ctx.db)
  await catchUp(ctx)
}

async function findMissed(ctx: CatchUpContext, past: Past): Promise<CaughtUp> {
  const { requested: missed, problem } = await requestMissed(ctx, past)
  const looks: Partial<Look>[] = problem === undefined ? [] : [{ problem }]
  // What is on its way need not be looked for.
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
