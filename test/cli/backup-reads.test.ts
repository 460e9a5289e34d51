import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { createServer } from '../../src/http/server.ts'
import type { Database } from '../../src/store/tables.ts'
import { caller, unlimited } from '../http/door.ts'
import { callsOf, endpointsOf, type Generation, headersOf } from '../http/endpoints.ts'
import { fillRepositories, privacies } from '../http/status-scene.ts'
import { testContext } from '../support/context.ts'
import { emptyDatabase, ownDatabase } from '../support/database.ts'
import { factories } from '../support/factories.ts'
import { backUp, fileOf, on } from './backups.ts'

const { db, connection } = await ownDatabase()
const make = factories(db)

/** The key of `testSealer`. */
const masterKey = '07'.repeat(32)

/**
 * Records of each kind that has an endpoint; returns the token of a user who can see all of them.
 */
async function fill(): Promise<string> {
  const member = await make.user('member')
  const repositories = []
  for (const [index, { repository: isPrivate }] of privacies.entries()) {
    const repository = await make.repository({ name: `r${index + 1}`, private: isPrivate })
    await make.permission(member, repository, 'admin')
    repositories.push(repository)
  }
  await fillRepositories(db, repositories)
  const acme = await make.organization('acme')
  await make.membership(member, acme, 'admin')
  await make.installation({ owner_id: acme.id, owner_type: 'Organization' }, { codehost_id: 1 })
  await make.delivery({ body: Buffer.from([0, 92, 46, 10, 255]), outcome: 'a\tb\\.\r\n\\.\n☃' })
  await make.log(await make.job(), '\\.\n', '\u001B[31mred\r\n', '\\N')
  return member.token
}

/** The contents of each table, in any order of its rows. */
async function contents(of: Database): Promise<Record<string, string>> {
  const { rows } = await sql<{ name: string }>`
    select format('%I.%I', schemaname, tablename) as name from pg_tables
    where schemaname in ('public', 'local_codehost') order by 1
  `.execute(of)
  const found: Record<string, string> = {}
  for (const { name } of rows) {
    const all = await sql<{ text: string | null }>`
      select string_agg(t::text, ${'\n'} order by t::text collate "C") as text from ${sql.raw(name)} t
    `.execute(of)
    found[name] = all.rows[0]?.text ?? ''
  }
  return found
}

/** The paths of a public and of a private repository. */
function readsOf(generation: Generation): Set<string> {
  const calls = endpointsOf(generation)
    .filter(({ method, path: name }) => method === 'GET' && name !== '/logout')
    .flatMap(callsOf)
  return new Set(
    ['1', '2'].flatMap((id) => calls.map((asked) => `GET ${asked.replaceAll('{id}', id)}`)),
  )
}

/** Each link to a raw log has its own token. */
const shown = ({ body }: { body: string }) => body.replaceAll(/log\.token=[\w-]+/g, 'log.token=…')

const serverOn = (of: Database) => createServer({ ...testContext(of), rates: unlimited })

test('a restored database has the same rows, and the API returns the same responses', async () => {
  const token = await fill()
  const call = caller(await serverOn(db))
  // Creates the key pair that the response shows.
  await call('GET /config')
  const target = await emptyDatabase()
  const file = fileOf(await backUp({ db, connection }, masterKey))
  const restored = await on(target, ['restore', file], { MASTER_KEY: masterKey })
  expect(restored).toMatchObject({ code: 0, stderr: '' })

  const before = await contents(db)
  expect(await contents(target.db)).toEqual(before)
  expect(Object.values(before).filter((text) => text !== '').length).toBeGreaterThan(20)

  const callRestored = caller(await serverOn(target.db))
  const statuses = new Map<number, number>()
  for (const generation of ['v2', 'v3'] as const) {
    const headers = { ...headersOf[generation], authorization: `token ${token}` }
    for (const wanted of readsOf(generation)) {
      const [one, two] = [await call(wanted, headers), await callRestored(wanted, headers)]
      expect([wanted, two.statusCode, shown(two)]).toEqual([wanted, one.statusCode, shown(one)])
      statuses.set(one.statusCode, (statuses.get(one.statusCode) ?? 0) + 1)
    }
  }
  expect(statuses.get(200)).toBeGreaterThan(150)
  expect(statuses.get(500)).toBeUndefined()
})
