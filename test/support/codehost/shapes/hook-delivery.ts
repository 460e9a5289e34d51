import type { HookDelivery } from '../tables.ts'
import { type Answer, timestamp } from './answer.ts'

export function hookDeliveryInList(
  given: HookDelivery,
): Answer<'apps', 'listWebhookDeliveries'>[number] {
  const { id, guid, redelivery, status, status_code, event, action } = given
  return {
    id,
    guid,
    delivered_at: timestamp(given.delivered_at),
    redelivery,
    duration: 0.03,
    status,
    status_code,
    event,
    action,
    installation_id: given.installation_id,
    repository_id: given.repository_id,
    throttled_at: null,
  }
}

/** With the request and the response. */
export function hookDelivery(given: HookDelivery): Answer<'apps', 'getWebhookDelivery'> {
  const { url, request, response } = given
  return { ...hookDeliveryInList(given), url, request, response }
}
