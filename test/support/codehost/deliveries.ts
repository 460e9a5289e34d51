import { createHmac, randomUUID } from 'node:crypto'
import { installationOf } from './reach.ts'
import { nodeId } from './shapes/answer.ts'
import type { HookDelivery, Installation, Repository } from './tables.ts'
import type { World } from './world.ts'

/** Something that happened at the code host. */
export interface Happening {
  event: string
  /** Without what every payload of an installation has. */
  payload: Record<string, unknown>
  repository?: Repository
  /** Whom it happened to, if it is not about a repository. */
  installation?: Installation
}

/** Apps are notified of these even without a subscription. */
const always = [
  ...['installation', 'installation_repositories', 'installation_target'],
  ...['check_run', 'check_suite'],
]
/** After this many milliseconds the sender stops waiting for a response. */
const patience = 10_000

/** The installation to notify, if there is one that subscribed to the event. */
export function listenerOf(
  world: World,
  { event, repository, installation }: Omit<Happening, 'payload'>,
): Installation | undefined {
  const found = installation ?? (repository && installationOf(world, repository))
  if (!found || world.webhookUrl === undefined) return undefined
  if (found.suspended_at && event !== 'installation') return undefined
  return always.includes(event) || found.events.includes(event) ? found : undefined
}

/** Notifies the app, if it is installed there and subscribed. Resolves after the delivery. */
export async function announce(world: World, happening: Happening): Promise<void> {
  const { event, payload, repository } = happening
  const installation = listenerOf(world, happening)
  if (!installation) return
  const { id } = installation
  await deliver(world, {
    event,
    payload: { installation: { id, node_id: nodeId('IntegrationInstallation', id) }, ...payload },
    installation_id: id,
    repository_id: repository?.id ?? null,
  })
}

export interface Parcel {
  event: string
  payload: Record<string, unknown>
  installation_id?: number | null
  repository_id?: number | null
  /** That of an earlier delivery, when this repeats it. */
  guid?: string
  redelivery?: boolean
}

/** Sends a webhook and keeps what became of it; undefined when there is no one to send it to. */
export async function deliver(world: World, parcel: Parcel): Promise<HookDelivery | undefined> {
  const { webhookUrl: url, tables } = world
  if (url === undefined) return undefined
  if (world.held) {
    world.held.push(parcel)
    return undefined
  }
  const { event, payload, guid = randomUUID(), redelivery = false } = parcel
  const body = JSON.stringify(payload)
  const headers = headersOf(world, event, guid, body)
  const response = await post(url, headers, body)
  const delivery: HookDelivery = {
    id: tables.nextId(),
    guid,
    delivered_at: world.now(),
    redelivery,
    event,
    url,
    action: typeof payload.action === 'string' ? payload.action : null,
    installation_id: parcel.installation_id ?? null,
    repository_id: parcel.repository_id ?? null,
    request: { headers, payload },
    ...response,
  }
  tables.deliveries.push(delivery)
  return delivery
}

function headersOf({ app }: World, event: string, guid: string, body: string) {
  const sign = (hash: string) => createHmac(hash, app.webhookSecret).update(body).digest('hex')
  return {
    accept: '*/*',
    'content-type': 'application/json',
    'user-agent': 'GitHub-Hookshot/fa4e0b1',
    'x-github-delivery': guid,
    'x-github-event': event,
    'x-github-hook-id': String(app.id + 1),
    'x-github-hook-installation-target-id': String(app.id),
    'x-github-hook-installation-target-type': 'integration',
    'x-hub-signature': `sha1=${sign('sha1')}`,
    'x-hub-signature-256': `sha256=${sign('sha256')}`,
  }
}

async function post(url: string, headers: Record<string, string>, body: string) {
  try {
    const signal = AbortSignal.timeout(patience)
    const answer = await fetch(url, { method: 'POST', headers, body, signal, redirect: 'manual' })
    return {
      status_code: answer.status,
      status: answer.ok ? 'OK' : `Invalid HTTP Response: ${answer.status}`,
      response: { headers: Object.fromEntries(answer.headers), payload: await answer.text() },
    }
  } catch (error) {
    const timedOut = (error as Error).name === 'TimeoutError'
    const status = timedOut ? 'timed out' : 'failed to connect to host'
    return { status_code: timedOut ? 504 : 502, status, response: { headers: {}, payload: null } }
  }
}

type Order = (held: readonly Parcel[]) => readonly Parcel[]

/** Keeps all webhooks back until they are released, late, and in another order if so wanted. */
export function holdWebhooks(world: World): (order?: Order) => Promise<void> {
  const held: Parcel[] = []
  world.held = held
  return async (order = (parcels) => parcels) => {
    world.held = undefined
    for (const parcel of order(held.splice(0))) await deliver(world, parcel)
  }
}
