import { beforeEach, expect, test } from 'vitest'
import { CodehostError } from '../../src/codehost/codehost.ts'
import type { Repository } from '../../src/domain/repository.ts'
import { restartBuild } from '../../src/flow/builds/restart-build.ts'
import { receiveEvent } from '../../src/flow/events/receive-event.ts'
import { claimJob } from '../../src/flow/jobs/claim-job.ts'
import { finishJob } from '../../src/flow/jobs/finish-job.ts'
import { appendLog } from '../../src/flow/jobs/logs.ts'
import { restartJob } from '../../src/flow/jobs/restart-job.ts'
import { startJob } from '../../src/flow/jobs/start-job.ts'
import { acceptRequest } from '../../src/flow/requests/accept-request.ts'
import { createServer } from '../../src/http/server.ts'
import { updateRepository } from '../../src/store/repositories/repositories.ts'
import { changeSettings } from '../../src/store/repositories/settings.ts'
import { storeRawConfigs } from '../../src/store/requests/raw-configs.ts'
import { json } from '../../src/store/tables.ts'
import { v2Client, v3Client } from '../support/client.ts'
import { testContext } from '../support/context.ts'
import { testDatabase } from '../support/database.ts'
import { pushTo, tip } from '../support/events.ts'
import { factories } from '../support/factories.ts'
import { commitOf, type MemoryCodehost, memoryCodehost } from '../support/memory-codehost.ts'

const db = await testDatabase()
const make = factories(db)

let codehost: MemoryCodehost
let ctx: ReturnType<typeof testContext>
let v2: ReturnType<typeof v2Client>
let v3: ReturnType<typeof v3Client>
let page: (url: string) => Promise<string>

beforeEach(async () => {
  codehost = memoryCodehost()
  ctx = testContext(db, { codehost })
  const site = { ...ctx.site, admins: ['codehost:root'] }
  const server = await createServer({ ...ctx, site })
  v2 = v2Client(server)
  v3 = v3Client(server)
  page = async (url) => {
    const { body } = await server.inject({ method: 'GET', url, headers: { accept: 'text/html' } })
    return body
  }
})

const hide = (repository: Repository) => updateRepository(db, repository.id, { private: true })
const show = (repository: Repository) => updateRepository(db, repository.id, { private: false })
const operator = async () => ({ user: await make.user('sam'), token_id: 1, address: '::1' })

/**
 * A public repository whose build file imports from a private repository, which is allowed while it
 * is private itself.
 */
async function importing(): Promise<{ repository: Repository; request: number }> {
  const repository = await make.repository({ name: 'open' })
  const other = await make.repository({ name: 'closed', private: true })
  await changeSettings(db, other.id, { allow_config_imports: true })
  const sha = 'c'.repeat(40)
  for (const branch of ['main', 'master']) codehost.commits.set(branch, commitOf(sha, ''))
  codehost.files.set(`octavia/closed:x.yml@${sha}`, 'env:\n  - THE_SECRET_OF_THE_OTHER=1')
  codehost.commits.set(tip, commitOf(tip, 'hello'))
  codehost.files.set(tip, 'import: octavia/closed:x.yml\nscript: make')
  const received = await receiveEvent(ctx, pushTo(repository))
  if (!('request' in received)) throw new Error('there is no request')
  return { repository, request: received.request.id }
}

/**
 * Creates a build while the repository is public, whose file cannot be fetched, and decides it
 * again while it is private.
 */
async function decideAnewInPrivate(repository: Repository, request: number): Promise<void> {
  codehost.failure = new CodehostError('it responded with 403', { kind: 'refused' })
  await acceptRequest(ctx, request)
  codehost.failure = undefined
  await hide(repository)
  await restartBuild(ctx, await operator(), 1)
  await acceptRequest(ctx, request)
  await show(repository)
}

/** The data of the first request and the first build that strangers can see. */
async function shownToStrangers(): Promise<string> {
  const all = await Promise.all([
    v3('GET /repo/1/request/1?include=request.raw_configs'),
    v3('GET /build/1'),
    v2('GET /builds/1'),
    v2('GET /requests?repository_id=1'),
  ])
  const pages = await Promise.all(['/octavia/open', '/octavia/open/builds/1'].map(page))
  return JSON.stringify([...all.map(({ body }) => body), ...pages])
}

test('a build and request that are decided while a repository is private stay private', async () => {
  const { repository, request } = await importing()
  await hide(repository)
  await acceptRequest(ctx, request)
  await show(repository)
  expect(await shownToStrangers()).not.toContain('THE_SECRET')
  expect((await v3('GET /repo/1/request/1')).status).toBe(404)
  expect((await v2('GET /requests?repository_id=1')).body).toMatchObject({ requests: [] })
})

test('a repository that becomes private while its file is fetched gets a private build', async () => {
  const { repository, request } = await importing()
  codehost.files.set(tip, 'script: make')
  const { file } = codehost
  codehost.file = async (...args) => {
    await hide(repository)
    return file(...args)
  }
  await acceptRequest(ctx, request)
  const build = await db.selectFrom('builds').select('private').executeTakeFirstOrThrow()
  const job = await db.selectFrom('jobs').select('private').executeTakeFirstOrThrow()
  expect([build, job]).toEqual([{ private: true }, { private: true }])
})

test('a public build that is decided again while its repository is private becomes private', async () => {
  const { repository, request } = await importing()
  await decideAnewInPrivate(repository, request)
  expect(await shownToStrangers()).not.toContain('THE_SECRET')
  expect((await v3('GET /build/1')).status).toBe(404)
})

test('a build that is rejected again while its repository is private becomes private, and shows nothing of its file', async () => {
  const { repository, request } = await importing()
  codehost.files.set(`octavia/closed:x.yml@${'c'.repeat(40)}`, 'THE_SECRET_key: 1')
  codehost.files.set(
    tip,
    'import: octavia/closed:x.yml\nscript: make\nif: branch = THE_SECRET_branch',
  )
  await decideAnewInPrivate(repository, request)
  const { result, reason } = await db
    .selectFrom('requests')
    .select(['result', 'reason'])
    .executeTakeFirstOrThrow()
  expect({ result, reason }).toEqual({ result: 'rejected', reason: 'condition' })
  expect(await shownToStrangers()).not.toContain('THE_SECRET')
  expect((await v3('GET /build/1')).status).toBe(404)
})

test('the page of a public build shows nothing of a request that is private', async () => {
  const repository = await make.repository({ name: 'one' })
  const checks = [{ rule: 'condition', passed: true, values: { condition: 'THE_SECRET' } }]
  const request = await make.request({ repository, private: true, checks: json(checks) })
  const build = await make.build({ repository, request_id: request.id })
  expect(await page(`/octavia/one/builds/${build.id}`)).not.toContain('THE_SECRET')
})

test('a job restarted while its repository is private appears in no response about its build', async () => {
  const repository = await make.repository({ name: 'one' })
  const member = await make.user('mona')
  await make.permission(member, repository, 'push')
  const build = await make.build({ repository, state: 'failed' })
  const config = { language: 'THE_SECRET' }
  const { id } = await make.job({ build, private: true, state: 'passed', config: json(config) })
  const paths = [
    `GET /builds/${build.id}`,
    `GET /builds?ids=${build.id}`,
    'GET /repos/octavia/one/builds',
    'GET /builds?slug=octavia/one',
  ]
  for (const path of paths) {
    const [shown, known] = [await v2(path), await v2(path, { token: member.token })]
    expect({ path, jobs: idsIn(shown.body) }).toEqual({ path, jobs: [] })
    expect({ path, jobs: idsIn(known.body) }).toEqual({ path, jobs: [id] })
    expect(JSON.stringify(shown.body)).not.toContain('THE_SECRET')
  }
  expect(await page(`/octavia/one/builds/${build.id}`)).not.toContain('THE_SECRET')
})

/** The ids of jobs in an answer about builds. */
function idsIn(body: unknown): number[] {
  const ids = [...JSON.stringify(body).matchAll(/"job_ids":\[([\d,]*)\]/g)].map(([, list]) => list)
  return ids.flatMap((list) => (list ? list.split(',').map(Number) : []))
}

test('the log of a job restarted while its repository is private is shown only to users with a role', async () => {
  const repository = await make.repository({ name: 'one' })
  const build = await make.build({ repository, state: 'failed' })
  const { id } = await make.job({ build, state: 'failed' })
  await hide(repository)
  await restartJob(ctx, await operator(), id)
  await db.updateTable('jobs').set({ state: 'queued' }).where('id', '=', id).execute()
  const claimed = await claimJob(ctx, id, 'runner')
  if (!claimed) throw new Error('the job cannot be claimed')
  const run = { job_id: id, attempt: claimed.attempt }
  await startJob(ctx, claimed)
  await appendLog(ctx, run, [{ number: 1, content: 'of private times', final: true }])
  await finishJob(ctx, run, 'passed')
  await show(repository)
  expect((await v3(`GET /job/${id}/log.txt`)).status).toBe(404)
})

test('the page of a repository does not reveal that it had a build file while it was private', async () => {
  const repository = await make.repository({ name: 'one' })
  const request = await make.request({ repository, private: true })
  const raw = { source: 'x', sha: tip, text: 'script: x', merge_mode: null }
  await storeRawConfigs(db, request, [raw])
  expect(await page('/octavia/one')).toContain('the first build starts automatically')
})

test('the outcome of a webhook received while the repository was private is hidden from administrators without a role', async () => {
  const { token } = await make.user('root')
  const { codehost_id: repository_codehost_id } = await make.repository({ name: 'one' })
  const outcome = 'branch plan was deleted'
  const given = { repository_codehost_id, outcome, result: 'ignored' } as const
  const [sealed, open] = [
    await make.delivery({ ...given, sealed: true }),
    await make.delivery({ ...given, sealed: false }),
  ]
  const messageOf = async ({ guid }: { guid: string }) =>
    (await v3(`GET /delivery/${guid}`, { token })).body
  expect(await messageOf(sealed)).toMatchObject({ message: null })
  expect(await messageOf(open)).toMatchObject({ message: outcome })
})
