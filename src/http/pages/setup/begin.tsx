import { notFound } from '../../../domain/errors.ts'
import { isSameSecret } from '../../../secrets/signature.ts'
import { type Answer, withCookie, withHeaders } from '../../core/answer.ts'
import type { Call } from '../../core/endpoint.ts'
import { frameOf } from '../frame.ts'
import { page, problem, registered } from './answers.tsx'
import { CodeForm, ManifestForm } from './page.tsx'
import { newState, stateCookie } from './state.ts'

interface Typed {
  code?: string | undefined
  organization?: string | undefined
}

/** Asks for the setup code. */
export async function ask(call: Call): Promise<Answer> {
  return (await hindrance(call)) ?? codeForm(call)
}

/** Leads to the code host if the setup code is correct. */
export async function begin(call: Call, { code = '', organization = '' }: Typed): Promise<Answer> {
  const { ctx, viewer } = call
  const hindered = await hindrance(call)
  if (hindered) return hindered
  const manifest = ctx.registration?.manifest()
  if (!ctx.registration || !manifest) throw notFound()
  if (!isSameSecret(ctx.registration.code, code.trim().toLowerCase())) {
    return codeForm(call, 'This is not the setup code.')
  }
  const owner = organization.trim()
  if (!/^[\w-]*$/.test(owner)) return codeForm(call, 'This is not the login of an organization.')

  const { web_url } = ctx.site.codehost
  const state = newState(ctx.sealer, ctx.now())
  const path = owner === '' ? '/settings/apps/new' : `/organizations/${owner}/settings/apps/new`
  const action = `${web_url}${path}?state=${encodeURIComponent(state)}`
  const shown = page(
    <ManifestForm
      action={action}
      manifest={manifest}
      host={hostOf(call)}
      frame={frameOf(ctx.site, viewer)}
    />,
  )
  const policy =
    "default-src 'none';style-src 'self';img-src 'self' data:;base-uri 'none';" +
    `form-action ${new URL(web_url).origin};frame-ancestors 'none'`
  return withCookie(
    withHeaders(shown, { 'content-security-policy': policy }),
    stateCookie(ctx.site, state),
  )
}

/** The page to show if an app cannot be registered; undefined if it can. */
async function hindrance(call: Call): Promise<Answer | undefined> {
  const done = await registered(call)
  if (done) return done
  const { registration } = call.ctx
  if (!registration) throw notFound()
  if (registration.manifest()) return undefined
  return problem(call, {
    title: 'No address yet',
    reason:
      'The code host must be able to reach the service, but the address of the service is not configured.',
    advice:
      'Set PUBLIC_URL to this address, or WEBHOOK_PROXY_URL to a relay for development, and restart the service.',
    status: 409,
    again: null,
  })
}

function codeForm(call: Call, wrong?: string): Answer {
  const { ctx, viewer } = call
  const form = <CodeForm host={hostOf(call)} problem={wrong} frame={frameOf(ctx.site, viewer)} />
  return page(form, wrong === undefined ? 200 : 403)
}

function hostOf({ ctx }: Call): string {
  return new URL(ctx.site.codehost.web_url).host
}
