import type { VNode } from 'preact'
import { findRegisteredApp } from '../../../store/registered-app.ts'
import { type Answer, html, withCookie, withHeaders } from '../../answer.ts'
import type { Call } from '../../endpoint.ts'
import { frameOf } from '../frame.ts'
import { setupPath } from '../paths.ts'
import { renderPage } from '../render-page.ts'
import { Registered, SetupProblem } from './page.tsx'
import { stateCookie } from './state.ts'

/** A page that no cache keeps. */
export function page<Props>(content: VNode<Props>, status = 200): Answer {
  return withHeaders(html(renderPage(content), status), { 'cache-control': 'no-store' })
}

/** That there is an app, whoever comes back once more; undefined while there is none. */
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
  /** By default from the beginning; null for not at all. */
  again?: string | null
}

export function problem({ ctx: { site }, viewer }: Call, { status, again, ...shown }: Problem) {
  const from = again === undefined ? setupPath(site.prefix) : (again ?? undefined)
  return page(<SetupProblem {...shown} again={from} frame={frameOf(site, viewer)} />, status)
}
