import { sql } from 'kysely'
import { afterAll, beforeEach } from 'vitest'
import { acceptDeliveries } from '../../../src/flow/deliveries/deliveries.ts'
import type { Intake } from '../../../src/http/core/context.ts'
import { listen } from '../../../src/http/core/listen.ts'
import { createServer } from '../../../src/http/server.ts'
import { sign } from '../../../src/secrets/signature.ts'
import type { NewDelivery } from '../../../src/store/deliveries/deliveries.ts'
import { batched } from '../../../src/store/sql/batch.ts'
import type { Database } from '../../../src/store/tables.ts'
import { testContext } from '../../support/context.ts'
import { capturedLog } from '../../support/log.ts'

export const secrets = { codehost: 'secret', local: 'local secret' }

export interface Sending {
  path?: string
  headers?: Record<string, string | undefined>
  secret?: string
}

/** The intake of webhooks as the service has it, behind a real connection. */
export async function openIntake(db: Database, intake: Partial<Intake> = {}) {
  const written = capturedLog()
  const base = testContext(db)
  const ctx = { ...base, log: written.log, intake: { ...base.intake, ...intake } }

  /** The deliveries whose processing was enqueued for. */
  const enqueued: number[] = []
  const enqueueDeliveries = (ids: readonly number[]) => void enqueued.push(...ids)
  ctx.intake.accept = batched(
    (deliveries: NewDelivery[]) => acceptDeliveries({ db, enqueueDeliveries }, deliveries),
    { most: 64, atOnce: 2 },
  )
  const server = await createServer(ctx)
  const port = await listen(server, { host: '127.0.0.1', port: 0 })
  afterAll(() => server.close())
  beforeEach(async () => {
    enqueued.length = 0
    await db.deleteFrom('deliveries').execute()
    await sql`alter table deliveries alter column id restart with 1`.execute(db)
  })

  /** Delivers, signed unless told otherwise. */
  async function deliver(body: unknown, given: Sending = {}) {
    const { path = '/webhooks/codehost', headers = {}, secret = secrets.codehost } = given
    const bytes = Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body))
    const all = {
      'content-type': 'application/json',
      'x-github-event': 'push',
      'x-github-delivery': 'guid-1',
      'x-hub-signature-256': sign(secret, bytes),
      ...headers,
    }
    const sent = Object.entries(all).filter(
      (entry): entry is [string, string] => entry[1] !== undefined,
    )
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      method: 'POST',
      headers: sent,
      body: new Uint8Array(bytes),
    })
    return { status: answer.status, body: await answer.text() }
  }

  const stored = () =>
    db
      .selectFrom('deliveries')
      .select(['id', 'guid', 'provider', 'event', 'action', 'state', 'sealed', 'body'])
      .select(['repository_codehost_id', 'installation_codehost_id'])
      .orderBy('id')
      .execute()

  return { ctx, written, enqueued, port, deliver, stored }
}

export const push = {
  ref: 'refs/heads/main',
  repository: { id: 82, name: 'hello', private: false },
  installation: { id: 7 },
}

export const taken = { status: 204, body: '' }
