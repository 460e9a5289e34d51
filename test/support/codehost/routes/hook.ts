import { requireApp } from '../authenticate.ts'
import { deliver } from '../deliveries.ts'
import { sizeOf } from '../paging.ts'
import { notFound, ok, unprocessable } from '../reply.ts'
import { type Call, route } from '../route.ts'
import { hookDelivery, hookDeliveryInList } from '../shapes/hook-delivery.ts'
import type { HookDelivery } from '../tables.ts'

/** The webhook of the app, and what was sent to it. */
export const hookRoutes = [
  route('GET /app/hook/config', ({ world, caller }) => {
    requireApp(caller)
    const { webhookUrl } = world
    return ok({
      content_type: 'json',
      insecure_ssl: '0',
      ...(webhookUrl === undefined ? {} : { secret: '********', url: webhookUrl }),
    })
  }),

  route('GET /app/hook/deliveries', (call) => {
    const { world, caller, query } = call
    requireApp(caller)
    const all = world.tables.deliveries.filter((each) => isOfStatus(each, query.get('status')))
    return page(call, all.toReversed())
  }),

  route('GET /app/hook/deliveries/{delivery_id}', (call) => ok(hookDelivery(deliveryOf(call)))),

  // The real code host responds before it has sent anything; here it has arrived by then.
  route('POST /app/hook/deliveries/{delivery_id}/attempts', async (call) => {
    const { event, guid, installation_id, repository_id, request } = deliveryOf(call)
    const { payload } = request
    const parcel = { event, guid, installation_id, repository_id, payload, redelivery: true }
    await deliver(call.world, parcel)
    return { status: 202, body: {} }
  }),
]

function isOfStatus({ status_code }: HookDelivery, wanted: string | null): boolean {
  if (wanted === null) return true
  return status_code < 400 === (wanted === 'success')
}

/** New ones come in while someone turns the pages, so these are reported by where they begin. */
function page({ world, path, query }: Call, all: readonly HookDelivery[]) {
  const begin = beginOf(query.get('cursor'))
  const size = sizeOf(query)
  const rest = all.filter(({ id }) => id <= begin)
  const next = rest[size]
  const search = new URLSearchParams(query)
  if (next) search.set('cursor', `v1_${next.id}`)
  const link = `<${world.apiUrl}${path}?${search}>; rel="next"`
  return ok(rest.slice(0, size).map(hookDeliveryInList), next ? { link } : {})
}

function beginOf(cursor: string | null): number {
  if (cursor === null) return Number.POSITIVE_INFINITY
  const [, id] = /^v1_(\d+)$/.exec(cursor) ?? []
  if (id === undefined) throw unprocessable('Invalid cursor')
  return Number(id)
}

function deliveryOf({ world, caller, params }: Call): HookDelivery {
  requireApp(caller)
  const found = world.tables.deliveries.find(({ id }) => String(id) === params.delivery_id)
  if (!found) throw notFound()
  return found
}
