import { generateKeyPairSync } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { signingKey } from '../../../src/flow/secrets/service-keys.ts'
import { createServer } from '../../../src/http/server.ts'
import { writeMailLink } from '../../../src/secrets/mail-link.ts'
import { putBranch, setLastBuildOfBranch } from '../../../src/store/repositories/branches.ts'
import { testContext, testSealer } from '../../support/context.ts'
import { ownDatabase } from '../../support/database.ts'
import { factories } from '../../support/factories.ts'
import { addOwnerVariable } from '../../support/owner-variable.ts'
import { withRoutes } from '../../support/routes.ts'
import { watchStatements } from '../../support/statements.ts'
import { caller } from '../door.ts'
import { callsAt, type Endpoint, endpointsOf, isRead, queryOf } from '../endpoints.ts'
import { keepVariable, variableOf } from '../endpoints/keep.ts'
import type { Words } from '../endpoints/paths.ts'
import { keptBy } from '../v3/kept.ts'
import { makeScene } from '../v3/scene.ts'

const { db } = await ownDatabase()
const ctx = testContext(db)
const site = { ...ctx.site, admins: ['codehost:admin'] }
const { server, routes } = await withRoutes(() => createServer({ ...ctx, site }))
const call = caller(server)
let token: string

beforeAll(async () => {
  const { people } = await makeScene(db)
  token = people.admin.token
  const make = factories(db)
  const build = await db
    .selectFrom('builds')
    .selectAll()
    .where('id', '=', 1)
    .executeTakeFirstOrThrow()
  for (const number of ['1.1', '1.2']) await make.log(await make.job({ build, number }), 'hello\n')
  const listed = await make.repository({ name: 'listed' })
  for (const name of ['main', 'next']) {
    const { id } = await putBranch(db, listed.id, name)
    const built = await make.build({ repository: listed, branch_id: id })
    await make.job({ build: built })
    await setLastBuildOfBranch(db, id, built.id, null)
  }
  // One is kept, the others are removed.
  for (const id of [1, 2, 3].map(variableOf)) await keepVariable(db, { id, repository_id: 2 })
  await make.installation({ owner_id: 1, owner_type: 'Organization' }, { codehost_id: 77 })
  const { admin } = people
  Object.assign(ownIds, {
    organizations_variable: await addOwnerVariable(db, { owner_id: 1, owner_type: 'Organization' }),
    users_variable: await addOwnerVariable(db, { owner_id: admin.id, owner_type: 'User' }),
  })
  await make.delivery({ guid: 'guid-1', repository_codehost_id: 101 })
  const own = await make.repository({ name: 'own' })
  await signingKey(ctx)
  const link = writeMailLink(testSealer, { user_id: people.admin.id, repository_id: 2 })
  Object.assign(ownIds, { link })
  await make.permission(people.admin, own, 'admin')
  Object.assign(ownIds, await keptBy(db, own.id))
  // A request and its build have all that can be shown beside them.
  const web = await db
    .selectFrom('repositories')
    .selectAll()
    .where('id', '=', 2)
    .executeTakeFirstOrThrow()
  const asked = { commit_id: build.commit_id, pull_request_id: (await make.pullRequest(web)).id }
  await db.updateTable('requests').set(asked).where('id', '=', build.request_id).execute()
  await make.request({ repository: web, ...asked })
  const finished = await make.job({ build, number: '1.3', state: 'passed' })
  Object.assign(ownIds, { finished_job: String(finished.id) })
  // The use of the token is noted once.
  await call('GET /', { authorization: `token ${token}` })
})

const { privateKey } = generateKeyPairSync('ed25519')
const sshKey = encodeURIComponent(String(privateKey.export({ type: 'pkcs8', format: 'pem' })))

/** Ids of what is kept for repository 6, by the names of the variables of templates. */
const ownIds: Record<string, string> = { 'branch.name': 'main', ssh_key: sshKey }

/** What paths name: repository 2 of V2.1, and repository 6 of V3, which has all that is kept. */
const words: Readonly<Record<'v2' | 'v3', Words>> = {
  v2: {
    ...{ id: '2', owner: 'acme', name: 'web', repository: '2', hook: '2', user: '5' },
    ...{ build: '1', job: '1', log: '1', request: '1', env_var: variableOf(1), link: '{link}' },
  },
  v3: {
    ...{
      repository: '6',
      branch: '{branch.name}',
      provider: 'codehost',
      login: 'octavia',
      user: '5',
    },
    ...{ codehost_id: '1', organization: '1', installation: '77', preference: 'build_emails' },
    ...{ build: '1', job: '1', token: '3', delivery: 'guid-1' },
  },
}

/**
 * How many statements the calls of an endpoint send; one of them is the login. Besides it a read of one
 * record sends at most two, and a list four. In V3 one statement reads a build, job, request, repository
 * or branch with all that it is shown with.
 */
function countsOf(endpoint: Endpoint, named: Words): [call: string, count: number][] {
  const { statements = {} } = endpoint.row
  const counts =
    typeof statements === 'number' ? { [queryOf(endpoint.row, named)]: statements } : statements
  return callsAt(endpoint, Object.entries(counts), named, (name) => `{${name}.id}`)
}

const generations = ['v2', 'v3'] as const

test.each(generations)(
  'the table of %s has all mounted endpoints, and the statements of those that read',
  (generation) => {
    const rows = endpointsOf(generation)
    const mounted = routes.filter((route) => route.generation === generation)
    expect(rows.map(({ name }) => name).toSorted()).toEqual(
      mounted.map(({ method, path }) => `${method} ${path}`).toSorted(),
    )
    const missing = rows.filter(
      (row) => isRead(row) && countsOf(row, words[generation]).length === 0,
    )
    expect(
      missing.map(({ name }) => name),
      'rows in test/http/endpoints that need `statements`',
    ).toEqual([])
  },
)

describe.each(generations)('in %s', (generation) => {
  const rows = endpointsOf(generation).flatMap((endpoint) =>
    countsOf(endpoint, words[generation]).map(
      ([path, count]) => [`${endpoint.method} ${path}`, count] as const,
    ),
  )

  test.each(rows)('%s sends %i statements, without duplicates', async (asked, count) => {
    const statements = watchStatements()
    const path = asked.replaceAll(/\{([^}]+)\}/g, (_all, name: string) => ownIds[name] ?? '')
    const { statusCode } = await call(path, {
      authorization: `token ${token}`,
      ...(generation === 'v3' ? { 'service-api-version': '3' } : {}),
    })
    expect(statusCode).toBe(200)
    const sent = statements.map(({ text, values }) => JSON.stringify([text, values]))
    const repeated = sent.filter((statement, index) => sent.indexOf(statement) !== index)
    expect(repeated).toEqual([])
    expect(sent.length, 'the field `statements` of its row in test/http/endpoints').toBe(count)
  })
})
