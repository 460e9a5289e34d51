import { beforeAll, describe, expect, test } from 'vitest'
import { createServer } from '../../../src/http/server.ts'
import { testContext } from '../../support/context.ts'
import { ownDatabase } from '../../support/database.ts'
import { withRoutes } from '../../support/routes.ts'
import { watchStatements } from '../../support/statements.ts'
import { caller } from '../door.ts'
import { factories } from '../../support/factories.ts'
import { makeScene } from '../v3/scene.ts'

const { db } = await ownDatabase()
const { server, routes } = await withRoutes(() => createServer(testContext(db)))
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
  // The use of the token is noted once.
  await call('GET /', { authorization: `token ${token}` })
})

type Row = [call: string, statements: number]

/** How many statements each endpoint sends; one of them is the login. */
const table: Readonly<Record<'v2' | 'v3', Readonly<Record<string, readonly Row[]>>>> = {
  v2: {
    'GET /': [['/', 1]],
    'GET /config': [['/config', 1]],
    'GET /repos/:id': [
      ['/repos/1', 2],
      ['/repos/2', 3],
      ['/repos/acme%2Fweb', 3],
    ],
    'GET /repos/:owner/:name': [['/repos/acme/web', 3]],
    'GET /builds/:build': [['/builds/1', 3]],
    'GET /jobs/:job': [['/jobs/1', 4]],
    'GET /jobs/:job/log': [['/jobs/1/log', 3]],
    'GET /jobs/:job/logs': [['/jobs/1/logs', 3]],
    'GET /jobs/:job/log.txt': [['/jobs/1/log.txt', 3]],
    'GET /jobs/:job/logs.txt': [['/jobs/1/logs.txt', 3]],
    'GET /logs/:log': [['/logs/1', 3]],
    'GET /requests': [['/requests?repository_id=2', 4]],
    'GET /requests/:request': [['/requests/1', 3]],
    'POST /lint': [['/lint?content=script:', 1]],
    'PUT /lint': [['/lint?content=script:', 1]],
  },
  v3: {
    'GET /': [['/', 1]],
    'GET /repo/:repository': [
      ['/repo/1', 6],
      ['/repo/2', 6],
      ['/repo/2?include=repository.current_build,repository.last_started_build', 8],
      ['/repo/2?include=repository.owner,build.repository,repository.current_build', 8],
    ],
    'GET /repo/:provider/:repository': [['/repo/codehost/2', 6]],
    'GET /repo/:repository/branch/:branch': [['/repo/2/branch/trunk%2Fmain', 3]],
    'GET /repo/:provider/:repository/branch/:branch': [['/repo/codehost/2/branch/trunk%2Fmain', 3]],
    'GET /repo/:repository/branches': [
      ['/repo/2/branches', 4],
      ['/repo/3/branches?include=branch.recent_builds,build.repository', 6],
    ],
    'GET /repo/:provider/:repository/branches': [['/repo/codehost/2/branches', 4]],
    'POST /lint': [['/lint?content=script:', 1]],
  },
}

const generations = ['v2', 'v3'] as const

test.each(generations)('every endpoint of %s that reads is in the table', (generation) => {
  const mounted = routes
    .filter((route) => route.generation === generation)
    .filter(({ method, path }) => method === 'GET' || path === '/lint')
    .map(({ method, path }) => `${method} ${path}`)
  expect(Object.keys(table[generation]).toSorted()).toEqual(mounted.toSorted())
})

describe.each(generations)('in %s', (generation) => {
  const rows = Object.entries(table[generation]).flatMap(([endpoint, calls]) =>
    calls.map(([path, count]) => [`${endpoint.split(' ')[0]} ${path}`, count] as const),
  )

  test.each(rows)('%s sends %i statements, none of them twice', async (asked, count) => {
    const statements = watchStatements()
    const { statusCode } = await call(asked, {
      authorization: `token ${token}`,
      ...(generation === 'v3' ? { 'service-api-version': '3' } : {}),
    })
    expect(statusCode).toBe(200)
    const sent = statements.map(({ text, values }) => JSON.stringify([text, values]))
    const repeated = sent.filter((statement, index) => sent.indexOf(statement) !== index)
    expect(repeated).toEqual([])
    expect(sent).toHaveLength(count)
  })
})
