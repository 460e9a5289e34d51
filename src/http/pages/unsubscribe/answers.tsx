import type { VNode } from 'preact'
import type { Repository } from '../../../domain/repository.ts'
import { html, withHeaders } from '../../core/answer.ts'
import type { Call } from '../../core/endpoint.ts'
import { frameOf } from '../frame.ts'
import { renderPage } from '../render-page.ts'
import { NoSubscriptionPage, SubscriptionPage } from './page.tsx'

interface Subscription {
  repository: Pick<Repository, 'owner_name' | 'name'> | undefined
  login: string
  subscribed: boolean
  changed: boolean
}

/** Shows whether a user gets the mails, with a form to change that. */
export function subscription({ ctx: { site } }: Call, shown: Subscription) {
  return page(<SubscriptionPage {...shown} frame={frameOf(site)} />, 200)
}

export function noSubscription({ ctx: { site } }: Call) {
  return page(<NoSubscriptionPage frame={frameOf(site)} />, 404)
}

/** A page without scripts or caching. Its URL is a secret, so it is never sent as a referrer. */
function page<Props>(content: VNode<Props>, status: number) {
  return withHeaders(html(renderPage(content), status), {
    'content-security-policy':
      "default-src 'none';style-src 'self';img-src 'self' data:;base-uri 'none';" +
      "form-action 'self';frame-ancestors 'none'",
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
  })
}
