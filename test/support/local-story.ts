import { sql } from 'kysely'
import { expect, vi } from 'vitest'
import { type LocalDelivery, signedDelivery } from '../../src/codehost/local/delivery.ts'
import { notify } from '../../src/codehost/local/hooks/notify.ts'
import { createLocalCodehost } from '../../src/codehost/local/local-codehost.ts'
import { addRepository } from '../../src/codehost/local/register.ts'
import { registerRepository } from '../../src/flow/repositories/register-repository.ts'
import type { Sealer } from '../../src/secrets/seal.ts'
import { localDatabase } from '../../src/service/local/local-database.ts'
import { localSecret } from '../../src/service/local/local-secret.ts'
import type { Database } from '../../src/store/tables.ts'
import { workTree } from './git.ts'

/** A registered repository with a commit that was not reported yet, and how to report it. */
export async function unpushedCommit(
  db: Database,
  script: string,
  name = 'hello',
): Promise<LocalDelivery> {
  const local = createLocalCodehost({ db: localDatabase(db) })
  const tree = workTree()
  tree.commit('Begin', { '.service.yml': `script: ${script}` })
  const facts = await addRepository(local, tree.folder, { build: true, name })
  await registerRepository({ db }, facts, { codehost_id: 1, login: 'local' })
  const outgoing: LocalDelivery[] = []
  await notify(local, facts, async (delivery) => void outgoing.push(delivery))
  const [delivery] = outgoing
  if (!delivery) throw new Error('there was nothing to tell')
  return delivery
}

/** Brings a webhook to a service; false when that did not say that it has taken it. */
export async function deliver(
  url: string,
  sealer: Sealer,
  delivery: LocalDelivery,
): Promise<boolean> {
  try {
    const answer = await fetch(`${url}/webhooks/local`, {
      method: 'POST',
      headers: signedDelivery(localSecret(sealer), delivery),
      body: new Uint8Array(delivery.body),
    })
    return answer.ok
  } catch {
    return false
  }
}

/** Waits for the last status, and sees that everything was made exactly once. */
export async function expectOnePassedBuild(db: Database, attempt?: number): Promise<void> {
  await vi.waitFor(
    async () => {
      const { rows } = await sql<{ state: string }>`
        select state from local_codehost.statuses order by id desc limit 1
      `.execute(db)
      expect(rows).toEqual([{ state: 'success' }])
    },
    { timeout: 60_000, interval: 100 },
  )
  const results = await db.selectFrom('requests').select('result').execute()
  expect(results).toEqual([{ result: 'accepted' }])
  expect(await db.selectFrom('builds').select(['number', 'state']).execute()).toEqual([
    { number: 1, state: 'passed' },
  ])
  const jobs = await db.selectFrom('jobs').select(['state', 'attempt', 'retry_reason']).execute()
  // The reason shows why an attempt was lost.
  const expected =
    attempt === 1 ? { attempt, retry_reason: null } : { attempt: attempt ?? jobs[0]?.attempt }
  expect(jobs).toEqual([{ ...jobs[0], state: 'passed', ...expected }])
}

/** Empties every table, those of the queue included; the schema stays. */
export async function emptyEverything(db: Database): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select quote_ident(schemaname) || '.' || quote_ident(tablename) as name from pg_tables
    where schemaname in ('public', 'local_codehost', 'bullmq') and tablename not like '%migration%'
  `.execute(db)
  const names = rows.map(({ name }) => name).join(', ')
  // The service may look something up meanwhile; of two that wait for each other one gives way.
  await vi.waitFor(() => sql.raw(`truncate ${names} restart identity cascade`).execute(db), 10_000)
}
