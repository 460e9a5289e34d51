import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import { expect, vi } from 'vitest'
import type { StatusKind } from '../../src/domain/commit/status.ts'
import type { Database } from '../../src/store/tables.ts'
import type { FakeCodehost } from './codehost/codehost.ts'
import type { Repository } from './codehost/tables.ts'

/** The settings of a service that is the app registered at this code host. */
export function appSettings({ app, url }: FakeCodehost): Record<string, string> {
  return {
    APP_ID: String(app.id),
    PRIVATE_KEY: app.privateKey,
    WEBHOOK_SECRET: app.webhookSecret,
    GITHUB_CLIENT_ID: app.clientId,
    GITHUB_CLIENT_SECRET: app.clientSecret,
    GHE_HOST: new URL(url).host,
    GHE_PROTOCOL: 'http',
  }
}

/** State and description of a commit's statuses of one context, oldest first. */
export function toldOf(
  host: FakeCodehost,
  repository: Repository,
  sha: string,
  kind: StatusKind = 'push',
): string[] {
  return host
    .statuses(repository, sha)
    .filter(({ context }) => context === `continuous-integration/service/${kind}`)
    .map(({ state, description }) => `${state}: ${description}`)
    .toReversed()
}

/** The reports of a build that passes: each of them once, and in this order, if none is over too soon. */
export const passed = [
  'pending: Build queued',
  'pending: Build running',
  'success: The build passed',
]

/** Whether these are reports of a build that passed, in their order; one that was over soon may be missing. */
export function isPassed(told: readonly string[]): boolean {
  const expected = passed.filter((each) => told.includes(each))
  return told.at(-1) === passed.at(-1) && isDeepStrictEqual(told, expected)
}

/** Waits as long as a build may take on a busy machine. */
export function eventually(check: () => void | Promise<void>, seconds = 25): Promise<void> {
  return vi.waitFor(check, { timeout: seconds * 1000, interval: 50 })
}

/** Waits until nothing is left to be done or reported. */
export function atRest(db: Database, seconds?: number): Promise<void> {
  return eventually(async () => {
    const { rows } = await sql<{ left: number }>`
      select (select count(*) from deliveries where state = 'received')
        + (select count(*) from requests where state <> 'finished')
        + (select count(*) from outbox where published_at is null)
        + (select count(*) from leases)
        + (select count(*) from ending_runs where ended_by > now()) as left
    `.execute(db)
    expect(Number(rows[0]?.left)).toBe(0)
  }, seconds)
}
