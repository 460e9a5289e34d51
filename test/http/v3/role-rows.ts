import { expect } from 'vitest'
import { v3Actions } from '../../../src/http/v3/endpoints.ts'
import { headersOf, matrix } from '../status-rows.ts'
import type { statusOf } from '../status-scene.ts'

export const roles = ['pull', 'push', 'admin'] as const

/** A repository, and what belongs to one, that no one sees who has no role on it. */
const hidden = 2

/** An action of the registry on it, with a call for each of its routes. */
export const actions = v3Actions.flatMap(({ resource, name, endpoint }) => {
  const calls = endpoint.paths.flatMap((path) => {
    const route = path.replaceAll(/\(\^\(\?:.*?\)\$\)/g, '')
    const [asked, statuses] = matrix['v3']?.[`${endpoint.method} ${route}`] ?? [[], []]
    if (statuses.length !== 5) return []
    return [asked]
      .flat()
      .map((each) => ({
        call: `${endpoint.method} ${each.replaceAll('{id}', String(hidden))}`,
        done: statuses[hidden - 1]?.[0] ?? 0,
      }))
  })
  return calls.length === 0 ? [] : [{ action: `${resource}.${name}`, calls }]
})

/** What those with a lower role are told: that the right is missing, or that there is no such thing. */
type Refusal = 403 | 404

/** The lowest role that an action of the registry takes; no one has the right to some. */
export const table: Readonly<
  Record<string, 'pull' | readonly ['push' | 'admin' | 'no one', Refusal]>
> = {
  'attempts.find': 'pull',
  'branch.find': 'pull',
  'branches.find': 'pull',
  'build.cancel': ['push', 403],
  'build.find': 'pull',
  'build.priority': ['no one', 403],
  'build.restart': ['push', 403],
  'build.restart_failed': ['push', 403],
  'builds.find': 'pull',
  'caches.delete': ['push', 403],
  'caches.find': ['push', 403],
  'cron.create': ['push', 403],
  'cron.delete': ['push', 403],
  'cron.find': 'pull',
  'cron.for_branch': 'pull',
  'crons.for_repository': 'pull',
  'email_subscription.resubscribe': 'pull',
  'email_subscription.unsubscribe': 'pull',
  'env_var.delete': ['push', 404],
  'env_var.find': ['push', 404],
  'env_var.update': ['push', 404],
  'env_vars.create': ['push', 403],
  'env_vars.for_repository': ['push', 403],
  'explanation.find': 'pull',
  'job.cancel': ['push', 403],
  'job.debug': ['no one', 403],
  'job.find': 'pull',
  'job.restart': ['push', 403],
  'jobs.find': 'pull',
  'key_pair.create': ['push', 403],
  'key_pair.delete': ['push', 404],
  'key_pair.find': ['push', 404],
  'key_pair.update': ['push', 404],
  'key_pair_generated.create': ['admin', 403],
  'key_pair_generated.find': ['push', 404],
  'log.delete': ['push', 403],
  'log.find': 'pull',
  'log_parts.find': 'pull',
  'messages.for_request': 'pull',
  'notification.find': ['admin', 404],
  'notification.resend': ['admin', 404],
  'notifications.for_repository': ['admin', 403],
  'repository.activate': ['push', 403],
  'repository.deactivate': ['push', 403],
  'repository.find': 'pull',
  'repository.star': 'pull',
  'repository.unstar': 'pull',
  'request.approve': ['push', 403],
  'request.find': 'pull',
  'request_preview.create': ['push', 403],
  'requests.create': ['push', 403],
  'requests.find': 'pull',
  'setting.find': 'pull',
  'setting.update': ['push', 403],
  'settings.for_repository': 'pull',
  'stages.find': 'pull',
  'tokens.create_for_repository': ['admin', 403],
  'tokens.for_repository': ['admin', 403],
}

const order = [...roles, 'no one']

/** Whether the calls of an action come to what the table says of a role. */
export async function expectByRole(
  status: ReturnType<typeof statusOf>,
  { action, calls }: (typeof actions)[number],
  { who, role }: { who: string; role: (typeof roles)[number] },
  /** What is done differently where repositories are at a code host. */
  others: Readonly<Record<string, number>> = {},
): Promise<void> {
  const [lowest, refusal] = [table[action] ?? 'pull'].flat() as [string, Refusal?]
  const isEnough = order.indexOf(role) >= order.indexOf(lowest)
  for (const { call, done } of calls) {
    const found = await status(call, who, headersOf['v3'] ?? {})
    // What was made for a role before is there.
    const expected = isEnough ? (found === 409 ? 409 : (others[action] ?? done)) : refusal
    expect([call, found]).toEqual([call, expected])
  }
}
