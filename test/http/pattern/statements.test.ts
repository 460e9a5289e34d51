import { generateKeyPairSync } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { signingKey } from '../../../src/flow/notify/signing-key.ts'
import { createServer } from '../../../src/http/server.ts'
import { writeMailLink } from '../../../src/secrets/mail-link.ts'
import { putBranch, setLastBuildOfBranch } from '../../../src/store/branches.ts'
import { testContext, testSealer } from '../../support/context.ts'
import { ownDatabase } from '../../support/database.ts'
import { type Route, withRoutes } from '../../support/routes.ts'
import { addOwnerVariable } from '../../support/owner-variable.ts'
import { watchStatements } from '../../support/statements.ts'
import { caller } from '../door.ts'
import { factories } from '../../support/factories.ts'
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
  for (const id of variables) {
    const sealed_value = testSealer.sealText({ type: 'env_var', id }, 'a')
    await db
      .insertInto('env_vars')
      .values({ id, repository_id: 2, name: 'A', sealed_value })
      .execute()
  }
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

/** Each can be removed once. */
const variables = [1, 2, 3].map((number) => `00000000-0000-4000-8000-00000000000${number}`)
const [kept, ...removed] = variables

const { privateKey } = generateKeyPairSync('ed25519')
const sshKey = encodeURIComponent(String(privateKey.export({ type: 'pkcs8', format: 'pem' })))

type Row = [call: string, statements: number]

/** Ids of what is kept for repository 6, by the names of the parameters of paths. */
const ownIds: Record<string, string> = { 'branch.name': 'main' }

/** Rows of endpoints of V3 below that repository, with and without a provider. */
function belowRepositories(
  rows: readonly (readonly [path: string, statements: number])[],
): Record<string, readonly Row[]> {
  const entries = rows.flatMap(([path, statements]) => {
    const shape = path.replaceAll(/\{(\w+)\.\w+\}/g, ':$1')
    return [
      [`GET /repo/:repository${shape}`, [[`/repo/6${path}`, statements]]],
      [`GET /repo/:provider/:repository${shape}`, [[`/repo/codehost/6${path}`, statements]]],
    ]
  })
  return Object.fromEntries(entries) as Record<string, readonly Row[]>
}

/**
 * How many statements each endpoint sends; one of them is the login. Besides it a read of one record
 * sends at most two, and a list four. In V3 one statement reads a build, job, request, repository or
 * branch with all that it is shown with.
 */
const table: Readonly<Record<'v2' | 'v3', Readonly<Record<string, readonly Row[]>>>> = {
  v2: {
    'GET /': [['/', 1]],
    'GET /config': [['/config', 2]],
    'GET /unsubscribe/:link': [['/unsubscribe/{link}', 4]],
    'GET /accounts': [
      ['/accounts', 2],
      ['/accounts?all=true', 2],
    ],
    'GET /branches': [
      ['/branches?repository_id=5', 4],
      ['/branches?ids=1,3', 3],
    ],
    'GET /broadcasts': [['/broadcasts', 2]],
    'GET /builds': [
      ['/builds?repository_id=5', 4],
      ['/builds?repository_id=5&branches=true', 4],
      ['/builds?ids=1,3', 3],
      ['/builds?running=true', 2],
    ],
    'GET /hooks': [['/hooks?all=true', 3]],
    'GET /jobs': [
      ['/jobs?ids=1,2,3,4', 3],
      ['/jobs?state=created', 3],
    ],
    'GET /repos': [
      ['/repos', 4],
      ['/repos?ids=1,2,3', 3],
      ['/repos?search=e', 3],
    ],
    'GET /repos/:owner': [['/repos/acme', 3]],
    'GET /repos/:owner.xml': [['/repos/acme.xml', 3]],
    'GET /repos/:id/cc.xml': [
      ['/repos/5/cc.xml', 2],
      ['/repos/5/cc.xml?branch=main', 4],
    ],
    'GET /repos/:owner/:name/cc.xml': [['/repos/acme/web/cc.xml', 3]],
    'GET /repos/:id/builds.atom': [['/repos/5/builds.atom', 4]],
    'GET /repos/:owner/:name/builds.atom': [['/repos/octavia/listed/builds.atom', 4]],
    'GET /repos/:id/branches': [['/repos/5/branches', 4]],
    'GET /repos/:id/branches/*': [['/repos/5/branches/main', 3]],
    'GET /repos/:id/builds': [['/repos/5/builds', 4]],
    'GET /repos/:id/builds/:build': [['/repos/2/builds/1', 3]],
    'GET /repos/:owner/:name/branches': [['/repos/octavia/listed/branches', 4]],
    'GET /repos/:owner/:name/branches/*': [['/repos/octavia/listed/branches/main', 3]],
    'GET /repos/:owner/:name/builds': [['/repos/octavia/listed/builds', 4]],
    'GET /repos/:owner/:name/builds/:build': [['/repos/acme/web/builds/1', 3]],
    'GET /users': [['/users', 1]],
    'GET /users/:user': [['/users/5', 1]],
    'GET /users/permissions': [['/users/permissions', 2]],
    'GET /repos/:id': [
      ['/repos/1', 2],
      ['/repos/2', 3],
      ['/repos/acme%2Fweb', 3],
    ],
    'GET /repos/:owner/:name': [['/repos/acme/web', 3]],
    'GET /builds/:build': [['/builds/1', 3]],
    'GET /jobs/:job': [['/jobs/1', 3]],
    'GET /jobs/:job/log': [['/jobs/1/log', 3]],
    'GET /jobs/:job/logs': [['/jobs/1/logs', 3]],
    'GET /jobs/:job/log.txt': [['/jobs/1/log.txt', 3]],
    'GET /jobs/:job/logs.txt': [['/jobs/1/logs.txt', 3]],
    'GET /logs/:log': [['/logs/1', 3]],
    'GET /requests': [['/requests?repository_id=2', 3]],
    'GET /requests/:request': [['/requests/1', 3]],
    'POST /lint': [['/lint?content=script:', 1]],
    'PUT /lint': [['/lint?content=script:', 1]],
    'GET /repos/:id/caches': [['/repos/2/caches', 3]],
    'GET /repos/:owner/:name/caches': [['/repos/acme/web/caches', 3]],
    'POST /streaming/auth': [
      ['/streaming/auth?socket_id=1.2&channels=private-job-1,private-repo-2,private-repo-1', 3],
    ],
    'GET /repos/:id/key': [
      ['/repos/2/key', 4],
      ['/repos/acme%2Fweb/key', 3],
    ],
    'GET /repos/:owner/:name/key': [['/repos/acme/web/key', 3]],
    'POST /repos/:id/key': [['/repos/2/key', 7]],
    'POST /repos/:owner/:name/key': [['/repos/acme/web/key', 7]],
    'GET /repos/:id/settings': [['/repos/2/settings', 3]],
    'GET /repos/:owner/:name/settings': [['/repos/acme/web/settings', 3]],
    'PATCH /repos/:id/settings': [['/repos/2/settings?settings[build_pushes]=false', 8]],
    'PATCH /repos/:owner/:name/settings': [['/repos/acme/web/settings', 3]],
    'GET /settings/env_vars': [['/settings/env_vars?repository_id=2', 3]],
    'GET /repos/settings/env_vars': [['/repos/settings/env_vars?repository_id=2', 3]],
    'POST /settings/env_vars': [['/settings/env_vars?repository_id=2&env_var[name]=B', 8]],
    'POST /repos/settings/env_vars': [
      ['/repos/settings/env_vars?repository_id=2&env_var[name]=B', 8],
    ],
    'GET /settings/env_vars/:env_var': [[`/settings/env_vars/${kept}`, 3]],
    'GET /repos/settings/env_vars/:env_var': [[`/repos/settings/env_vars/${kept}`, 3]],
    'PATCH /settings/env_vars/:env_var': [
      [`/settings/env_vars/${kept}`, 3],
      [`/settings/env_vars/${kept}?env_var[name]=B`, 8],
    ],
    'PATCH /repos/settings/env_vars/:env_var': [
      [`/repos/settings/env_vars/${kept}?env_var[name]=C`, 8],
    ],
    'DELETE /settings/env_vars/:env_var': [[`/settings/env_vars/${removed[0]}`, 7]],
    'DELETE /repos/settings/env_vars/:env_var': [[`/repos/settings/env_vars/${removed[1]}`, 7]],
    'PATCH /settings/ssh_key/:repository': [[`/settings/ssh_key/2?ssh_key[value]=${sshKey}`, 7]],
    'GET /settings/ssh_key/:repository': [['/settings/ssh_key/2', 3]],
    'DELETE /settings/ssh_key/:repository': [['/settings/ssh_key/2', 7]],
    'PUT /hooks': [['/hooks?hook[id]=2', 6]],
    'PUT /hooks/:hook': [['/hooks/2?hook[active]=true', 9]],
  },
  v3: {
    'GET /': [['/', 1]],
    'GET /owner/:login/active': [
      ['/owner/octavia/active', 6],
      ['/owner/acme/active', 3],
    ],
    'GET /owner/:provider/:login/active': [['/owner/codehost/octavia/active', 6]],
    'GET /owner/codehost_id/:codehost_id/active': [['/owner/codehost_id/1/active', 6]],
    'GET /build/:build': [
      ['/build/1', 2],
      ['/build/1?include=build.jobs,build.commit', 6],
    ],
    'GET /build/:build/jobs': [['/build/1/jobs', 7]],
    'GET /build/:build/stages': [['/build/1/stages', 3]],
    'GET /builds': [['/builds', 3]],
    'GET /repo/:repository/builds': [
      ['/repo/2/builds', 5],
      ['/repo/5/builds', 6],
      ['/repo/5/builds?representation=list', 5],
    ],
    'GET /repo/:provider/:repository/builds': [['/repo/codehost/2/builds', 5]],
    // A job that waits has a place in the queue, which is counted over all that wait.
    'GET /job/:job': [
      ['/job/1', 3],
      ['/job/{finished_job}', 2],
    ],
    'GET /job/:job/attempts': [['/job/1/attempts', 3]],
    'GET /jobs': [['/jobs', 8]],
    'GET /job/:job/log': [['/job/1/log', 3]],
    'GET /job/:job/log.txt': [['/job/1/log.txt', 3]],
    'GET /job/:job/log_parts': [['/job/1/log_parts?after=1', 3]],
    'GET /repo/:repository': [
      ['/repo/1', 2],
      ['/repo/2', 2],
      ['/repo/acme%2Fweb', 2],
      ['/repo/2?include=repository.current_build,repository.last_started_build', 5],
      ['/repo/2?include=repository.owner,build.repository,repository.current_build', 6],
    ],
    'GET /repo/:provider/:repository': [
      ['/repo/codehost/2', 2],
      ['/repo/codehost/acme%2Fweb', 2],
    ],
    'GET /repo/:repository/branch/:branch': [
      ['/repo/2/branch/trunk%2Fmain', 2],
      ['/repo/5/branch/next', 2],
      ['/repo/octavia%2Flisted/branch/main', 2],
    ],
    'GET /repo/:provider/:repository/branch/:branch': [
      ['/repo/codehost/2/branch/trunk%2Fmain', 2],
      ['/repo/codehost/octavia%2Flisted/branch/main', 2],
    ],
    'GET /repo/:repository/branches': [
      ['/repo/2/branches', 4],
      ['/repo/3/branches?include=branch.recent_builds,build.repository', 6],
    ],
    'GET /repo/:provider/:repository/branches': [['/repo/codehost/2/branches', 4]],
    'POST /lint': [['/lint?content=script:', 1]],
    'GET /repo/:repository/settings': [['/repo/2/settings', 3]],
    'GET /repo/:provider/:repository/settings': [['/repo/codehost/2/settings', 3]],
    'GET /repo/:repository/setting/:setting': [['/repo/2/setting/build_pushes', 2]],
    'GET /repo/:provider/:repository/setting/:setting': [
      ['/repo/codehost/2/setting/build_pushes', 2],
    ],
    'GET /repos': [['/repos', 7]],
    'GET /broadcasts': [['/broadcasts?active=true,false', 2]],
    'GET /preferences': [['/preferences', 1]],
    'GET /preference/:preference': [['/preference/build_emails', 1]],
    'GET /org/:organization/preferences': [['/org/1/preferences', 2]],
    'GET /org/:organization/preference/:preference': [['/org/1/preference/consume_oss_credits', 2]],
    'GET /user/:user/beta_features': [['/user/5/beta_features', 2]],
    'GET /owner/:login/repos': [['/owner/octavia/repos', 6]],
    'GET /owner/:provider/:login/repos': [['/owner/codehost/octavia/repos', 6]],
    'GET /owner/codehost_id/:codehost_id/repos': [['/owner/codehost_id/1/repos', 6]],
    'GET /owner/codehost_id/:codehost_id': [['/owner/codehost_id/1', 2]],
    'GET /owner/:provider/:login': [['/owner/codehost/acme', 3]],
    'GET /owner/:login': [
      ['/owner/acme', 3],
      ['/owner/octavia', 2],
      ['/owner/acme?include=owner.repositories,owner.installation', 9],
    ],
    'GET /owner/codehost_id/:codehost_id/allowance': [['/owner/codehost_id/1/allowance', 2]],
    'GET /owner/:provider/:login/allowance': [['/owner/codehost/acme/allowance', 2]],
    'GET /owner/:login/allowance': [['/owner/acme/allowance', 2]],
    'GET /user': [
      ['/user', 3],
      ['/user?include=user.emails', 4],
    ],
    'GET /user/:user': [['/user/1', 2]],
    'GET /orgs': [['/orgs', 4]],
    'GET /org/:organization': [['/org/1', 3]],
    'GET /org/:organization/account_env_vars': [['/org/1/account_env_vars', 3]],
    'GET /user/:user/account_env_vars': [['/user/5/account_env_vars', 3]],
    'GET /org/:organization/account_env_var/:account_env_var': [
      ['/org/1/account_env_var/{organizations_variable}', 3],
    ],
    'GET /user/:user/account_env_var/:account_env_var': [
      ['/user/5/account_env_var/{users_variable}', 3],
    ],
    'GET /deliveries': [['/deliveries', 4]],
    'GET /delivery/:delivery': [['/delivery/guid-1', 4]],
    'GET /runners': [['/runners', 3]],
    'GET /queues': [['/queues', 1]],
    'GET /audit_records': [['/audit_records', 2]],
    'GET /tokens': [['/tokens', 4]],
    'GET /token/:token': [['/token/3', 3]],
    'GET /repo/:repository/tokens': [['/repo/2/tokens', 4]],
    'GET /repo/:provider/:repository/tokens': [['/repo/codehost/2/tokens', 4]],
    'GET /installation/:installation': [['/installation/77', 2]],
    ...belowRepositories([
      ['/env_vars', 3],
      ['/env_var/{env_var.id}', 2],
      ['/key_pair', 2],
      ['/key_pair/generated', 2],
      ['/caches', 3],
      ['/requests', 7],
      ['/request/{request.id}', 2],
      ['/request/{request.id}/messages', 5],
      ['/request/{request.id}/explain', 3],
      ['/crons', 4],
      ['/notifications', 4],
      ['/branch/{branch.name}/cron', 2],
    ]),
    'GET /cron/:cron': [['/cron/{cron.id}', 2]],
    'GET /notification/:notification': [['/notification/{notification.id}', 3]],
  },
}

const generations = ['v2', 'v3'] as const

/** Whether all that an endpoint does for its caller is to read. */
const reads = ({ method, path }: Route) =>
  (method === 'GET' && path !== '/logout' && !path.startsWith('/auth/')) ||
  ['/lint', '/streaming/auth'].includes(path)

test.each(generations)('the table of %s has all that reads, and what is mounted', (generation) => {
  const mounted = routes.filter((route) => route.generation === generation)
  const listed = Object.keys(table[generation])
  const nameOf = ({ method, path }: Route) => `${method} ${path}`
  const missing = mounted
    .filter(reads)
    .map(nameOf)
    .filter((name) => !listed.includes(name))
  expect(missing).toEqual([])
  const names = mounted.map(nameOf)
  expect(listed.filter((name) => !names.includes(name))).toEqual([])
})

describe.each(generations)('in %s', (generation) => {
  const rows = Object.entries(table[generation]).flatMap(([endpoint, calls]) =>
    calls.map(([path, count]) => [`${endpoint.split(' ')[0]} ${path}`, count] as const),
  )

  test.each(rows)('%s sends %i statements, none of them twice', async (asked, count) => {
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
    expect(sent).toHaveLength(count)
  })
})
