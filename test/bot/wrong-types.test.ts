import type { Probot } from 'probot'
import { beforeEach, expect, test } from 'vitest'
import { bot } from '../../src/bot/bot.ts'
import { testContext } from '../support/context.ts'
import { testDatabase } from '../support/database.ts'
import { factories } from '../support/factories.ts'
import { type Example, examples, openDoor } from './door.ts'

// The signature of a webhook proves its sender, not the types in its body.

const db = await testDatabase()
const ctx = testContext(db)
const deliver = await openDoor(db, ctx)

type Handler = (context: { payload: unknown }) => Promise<void>

/** The handlers of the bot, by event. */
const handlers = new Map<string, Handler>()
const app = { on: (name: string, handler: Handler) => void handlers.set(name, handler) }
const origin = () => ({ delivery_id: null, provider: 'codehost' as const })
bot(app as unknown as Probot, { receive: async () => {}, origin })

/** The members of a payload that a handler reads, as paths. */
async function pathsRead(handler: Handler, payload: unknown): Promise<string[][]> {
  const read = new Map<string, string[]>()
  const watched = (value: unknown, path: string[]): unknown =>
    typeof value !== 'object' || value === null
      ? value
      : new Proxy(value, {
          get(target, name) {
            const member = Reflect.get(target, name) as unknown
            if (typeof name !== 'string' || typeof member === 'function') return member
            if (Array.isArray(target) && name === 'length') return member
            const at = [...path, name]
            read.set(at.join('.'), at)
            return watched(member, at)
          },
        })
  await handler({ payload: watched(payload, []) })
  return [...read.values()]
}

const strange = [null, true, 1.5, 1e300, 'text', [], {}]

function changed(payload: Example, path: readonly string[], value: unknown): Example {
  const copy = structuredClone(payload)
  let at: Record<string, unknown> = copy
  for (const name of path.slice(0, -1)) at = (at[name] ?? {}) as Record<string, unknown>
  const [last = ''] = path.slice(-1)
  if (value === undefined) delete at[last]
  else at[last] = value
  return copy
}

/** Events without a published example. */
const own: Readonly<Record<string, Example>> = {
  installation_target: {
    action: 'renamed',
    account: { id: 4, login: 'octo-org' },
    changes: { login: { from: 'old-org' } },
    target_type: 'Organization',
    sender: { id: 5, login: 'octavia', type: 'User' },
  },
}

const cases = [...handlers].map(([name, handler]) => {
  const [event = '', action] = name.split('.')
  const all = examples.find((each) => each.name === event)?.examples ?? []
  const payload = all.find((each) => action === undefined || each.action === action) ?? own[event]
  if (!payload) throw new Error(`there is no example of ${name}`)
  return { event, payload, handler }
})

/** Members of all events are the same in every event. */
const isOfAll = ([first, ...rest]: readonly string[]) =>
  (first === 'repository' || first === 'sender') && rest.length > 0

beforeEach(() => {
  ctx.enqueued.length = 0
})

test.each(cases)(
  'no value of a wrong type in a signed $event is retried',
  async ({ event, payload, handler }) => {
    const { repository } = payload
    if (repository) await factories(db).repository({ codehost_id: repository.id })
    const failed: string[] = []
    const paths = await pathsRead(handler, payload)
    for (const path of paths.filter((each) => event === 'push' || !isOfAll(each))) {
      for (const value of [undefined, ...strange]) {
        const what = `${path.join('.')} = ${JSON.stringify(value) ?? 'nothing'}`
        try {
          const end = await deliver(event, changed(payload, path, value))
          if (end && (end.state === 'received' || end.outcome === null))
            failed.push(`${what}: ${end.state}`)
        } catch (error) {
          failed.push(`${what}: ${(error as Error).message}`)
        }
      }
    }
    expect(failed).toEqual([])
  },
)

test.each([
  ['push', 'repository.id', 'text', 'repository.id must be integer'],
  ['push', 'repository.name', undefined, "repository must have required property 'name'"],
  ['push', 'head_commit.message', [], 'head_commit.message must be string'],
  ['pull_request', 'pull_request.number', 1e300, 'pull_request.number must be <= 2147483647'],
  [
    'pull_request',
    'pull_request.updated_at',
    'x',
    'pull_request.updated_at must match format "time"',
  ],
  ['installation', 'installation.events', {}, 'installation.events must be array'],
])('a signed %s with %s = %j fails with a matching outcome', async (event, path, value, says) => {
  const payload = cases.find((each) => each.event === event)?.payload ?? {}
  const end = await deliver(event, changed(payload, path.split('.'), value))
  expect(end).toMatchObject({
    state: 'failed',
    result: 'error',
    outcome: `the body does not match the event ${event}: ${says}`,
  })
})
