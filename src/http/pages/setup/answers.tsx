import type { VNode } from 'preact'
import { findRegisteredApp } from '../../../store/installations/registered-app.ts'
import { type Answer, html, withCookie, withHeaders } from '../../core/answer.ts'
import type { Call } from '../../core/endpoint.ts'
import { frameOf } from '../frame.ts'
import { setupPath } from '../paths.ts'
import { renderPage } from '../render-page.ts'
import { Registered, SetupProblem } from './page.tsx'
import { stateCookie } from './state.ts'

/** A page that is not cached. */
export function page<Props>(content: VNode<Props>, status = 200): Answer {
  return withHeaders(html(renderPage(content), status), { 'cache-control': 'no-store' })
}

/** The page for a service that has an app already; undefined if there is none. */
export async function registered({ ctx, viewer }: Call): Promise<Answer | undefined> {
  const app = await findRegisteredApp(ctx.db, ctx.site.codehost.web_url)
  if (!app && !ctx.codehosts.codehost) return undefined
  const shown = page(<Registered app={app} frame={frameOf(ctx.site, viewer)} />)
  return withCookie(shown, stateCookie(ctx.site, null))
}

interface Problem {
  title: string
  reason: string
  advice: string
  status: number
  /** URL to try again; by default the beginning of the setup, null for none. */
  again?: string | null
}

export function problem({ ctx: { site }, viewer }: Call, { status, again, ...shown }: Problem) {
  const from = again === undefined ? setupPath(site.prefix) : (again ?? undefined)
  return page(<SetupProblem {...shown} again={from} frame={frameOf(site, viewer)} />, status)
}
