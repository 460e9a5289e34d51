import { expect } from 'vitest'
import { v3Actions } from '../../../src/http/v3/endpoints.ts'
import { withoutPatterns } from '../../support/routes.ts'
import { callsOf, endpointsOf, headersOf, isBelowRepository, roleOf } from '../endpoints.ts'
import type { statusOf } from '../status-scene.ts'

export const roles = ['pull', 'push', 'admin'] as const

/** A repository, and what belongs to one, that no one sees who has no role on it. */
const hidden = 2

/** An action of the registry on it, with its rights and a call for each of its paths. */
export const actions = v3Actions.flatMap(({ resource, name, endpoint }) => {
  const paths = endpoint.paths.map((path) => `${endpoint.method} ${withoutPatterns(path)}`)
  const rows = endpointsOf('v3').filter((row) => paths.includes(row.name) && isBelowRepository(row))
  const calls = rows.flatMap((row) =>
    callsOf(row).map((call) => ({
      call: `${row.method} ${call.replaceAll('{id}', String(hidden))}`,
      done: row.row.statuses[hidden - 1]?.[0] ?? 0,
    })),
  )
  return rows
    .slice(0, 1)
    .map(({ row }) => ({ action: `${resource}.${name}`, calls, ...roleOf(row) }))
})

const order = [...roles, 'no one']

/** Whether the calls of an action come to what their rows say of a role. */
export async function expectByRole(
  status: ReturnType<typeof statusOf>,
  { action, calls, lowest, refusal }: (typeof actions)[number],
  { who, role }: { who: string; role: (typeof roles)[number] },
  /** What is done differently where repositories are at a code host. */
  others: Readonly<Record<string, number>> = {},
): Promise<void> {
  const isEnough = order.indexOf(role) >= order.indexOf(lowest)
  for (const { call, done } of calls) {
    const found = await status(call, who, headersOf.v3)
    // What was made for a role before is there.
    const expected = isEnough ? (found === 409 ? 409 : (others[action] ?? done)) : refusal
    expect([call, found]).toEqual([call, expected])
  }
}
