import { sql } from 'kysely'
import { Probot } from 'probot'
import { afterAll, expect, test } from 'vitest'
import { createReceiver } from '../../src/bot/receiver.ts'
import { acceptDeliveries } from '../../src/flow/deliveries/deliveries.ts'
import { syncInstallation } from '../../src/flow/repositories/sync-installation.ts'
import { acceptRequest } from '../../src/flow/requests/accept-request.ts'
import type { Payloads, QueueName } from '../../src/queue/queues.ts'
import { requestSync } from '../../src/store/installations/installation-syncs.ts'
import { processDelivery } from '../../src/worker/processors/process-delivery.ts'
import { appScene } from '../http/app-scene.ts'
import { testLog } from '../support/context.ts'
import { ownDatabase } from '../support/database.ts'
import { lockWaits } from '../support/lock-waits.ts'

const { db } = await ownDatabase()
const scene = await appScene(db)
const { ctx, host, server } = scene

const count = 16
const names = Array.from({ length: count }, (_, index) => `r${index}`)

/** The results of queue entries that are processed as soon as they are enqueued. */
const working: Promise<void>[] = []

function workOn(): void {
  const receive = createReceiver(ctx, new Probot({ githubToken: 'unused', log: testLog }))
  ctx.intake.secrets = { ...ctx.intake.secrets, codehost: [host.app.webhookSecret] }
  ctx.intake.accept = async (delivery) => {
    const [isNew] = await acceptDeliveries({ db, enqueueDeliveries() {} }, [delivery])
    const { id } = await db
      .selectFrom('deliveries')
      .select('id')
      .where('guid', '=', delivery.guid)
      .executeTakeFirstOrThrow()
    working.push(processDelivery.process({ delivery_ids: [id] }, { ctx, receive }))
    return isNew === true
  }
  ctx.enqueue = async <N extends QueueName>(name: N, payload: Payloads[N]) => {
    if (name === 'installation.sync' && 'installation' in payload) {
      working.push(syncInstallation(ctx, payload.installation).then(() => {}))
    }
    if (name === 'request.accept' && 'request_id' in payload) {
      working.push(acceptRequest(ctx, payload.request_id).then(() => {}))
    }
  }
  ctx.enqueueAll = async (name, payloads) => {
    for (const payload of payloads) await ctx.enqueue(name, payload)
  }
}

async function allWork(): Promise<void> {
  for (let next = working.shift(); next; next = working.shift()) await next
}

afterAll(() => server.close())

async function call(token: string, path: string): Promise<string> {
  const headers = { authorization: `token ${token}`, 'service-api-version': '3' }
  const { statusCode, body } = await server.inject({ method: 'POST', url: path, headers })
  return statusCode < 400 ? `${statusCode}` : `${statusCode} ${body}`
}

async function deadlocks(): Promise<number> {
  const { rows } = await sql<{ deadlocks: number }>`
    select pg_stat_force_next_flush(), deadlocks::int from pg_stat_database
    where datname = current_database()`.execute(db)
  return rows[0]?.deadlocks ?? 0
}

test('sixteen concurrent activations, pushes and key renewals end as if run one after the other', async () => {
  const added = []
  for (const name of names) {
    added.push(await host.addRepository({ name, files: { '.service.yml': 'script: make' } }))
  }
  const token = await scene.tokenOf('octavia')
  await scene.sync()
  workOn()
  host.setWebhookUrl(`${await server.listen({ port: 0 })}/webhooks/codehost`)
  await db.updateTable('repositories').set({ active: false }).execute()
  const rows = await db.selectFrom('repositories').select(['id', 'name']).execute()
  const idOf = (wanted: string) => rows.find(({ name }) => name === wanted)?.id

  const answers = await Promise.all(
    added.flatMap((repository) => [
      call(token, `/repo/${idOf(repository.name)}/activate`),
      call(token, `/repo/${idOf(repository.name)}/key_pair/generated`),
      host.commit(repository).then(() => 'pushed'),
    ]),
  )
  await allWork()
  expect(new Set(answers)).toEqual(new Set(['200', '201', 'pushed']))
  const active = await db.selectFrom('repositories').select('active').execute()
  expect(active).toEqual(names.map(() => ({ active: true })))
  const ends = await db.selectFrom('deliveries').select(['event', 'result']).execute()
  expect(ends).toEqual(names.map(() => ({ event: 'push', result: expect.anything() as unknown })))
  expect(ends.filter(({ result }) => result === 'error')).toEqual([])

  // Two concurrent renewals of the same pair get the same new one, and the audit log has one
  // renewal.
  const { newKeyPair } = ctx
  const askers: (() => void)[] = []
  let made: ReturnType<typeof newKeyPair> | undefined
  ctx.newKeyPair = async (name) => {
    made ??= newKeyPair(name)
    await new Promise<void>((resolve) => {
      askers.push(resolve)
      if (askers.length === 2) for (const ask of askers) ask()
    })
    return made
  }
  const audited = () => db.selectFrom('audit_records').select('id').execute()
  const { length } = await audited()
  const path = `/repo/${idOf('r0')}/key_pair/generated`
  expect(await Promise.all([call(token, path), call(token, path)])).toEqual(['201', '201'])
  expect(await audited()).toHaveLength(length + 1)
  ctx.newKeyPair = newKeyPair

  // A user activates a repository while its installation is looked up: if both waited for the same
  // rows in different orders, each would wait for the other.
  const id = rows[0]?.id ?? 0
  await db.updateTable('repositories').set({ active: false }).where('id', '=', id).execute()
  const { codehost_id } = await db
    .selectFrom('installations')
    .select('codehost_id')
    .executeTakeFirstOrThrow()
  await requestSync(db, codehost_id)
  const before = await deadlocks()
  const [activated] = await db.transaction().execute(async (tx) => {
    await tx.selectFrom('installation_syncs').selectAll().forUpdate().execute()
    const synced = syncInstallation(ctx, codehost_id)
    await lockWaits(db, 1)
    const activating = call(token, `/repo/${id}/activate`)
    await lockWaits(db, 2)
    return [activating.then(async (answer) => [answer, await synced] as const)]
  })
  expect(await activated).toEqual(['200', true])
  await allWork()
  expect(await deadlocks()).toBe(before)
})
