import { beforeAll, expect, test } from 'vitest'
import { check } from '../../../src/domain/request/check.ts'
import { createServer } from '../../../src/http/server.ts'
import { putApproval } from '../../../src/store/requests/approvals.ts'
import { json } from '../../../src/store/tables.ts'
import { testContext } from '../../support/context.ts'
import { ownDatabase } from '../../support/database.ts'
import { factories } from '../../support/factories.ts'
import { callerOf, forms, missing } from './roles.ts'

const { db } = await ownDatabase()
const make = factories(db)
const server = await createServer(testContext(db))
let call: Awaited<ReturnType<typeof callerOf>>

// Request 1 of repository 1 was rejected, request 2 of it is not decided; request 3 is of repository 2.
beforeAll(async () => {
  call = await callerOf(server, db)
  const [web, safe] = await db.selectFrom('repositories').selectAll().orderBy('id').execute()
  if (!web || !safe) throw new Error('there are no repositories')
  const source = { file: '.service.yml', line: 3 }
  await make.request({
    repository: web,
    result: 'rejected',
    reason: 'condition',
    message: 'the condition does not hold',
    checks: json([
      check('repository_active', true, { slug: 'acme/web' }),
      check('condition', false, { condition: 'branch = main', saw: { branch: 'next' } }, source),
    ]),
  })
  await make.request({ repository: web, state: 'created', result: null, finished_at: null })
  await make.request({ repository: safe })
})

const readable = { '@permissions': { read: true, write: false } }

const ofRequest = (id: number, result: string | null, message: string | null = null) => ({
  '@type': 'explanation',
  '@href': `/repo/1/request/${id}/explain`,
  '@representation': 'standard',
  ...readable,
  result,
  reason: null,
  message,
  checks: [],
  approval: null,
  request: {
    '@type': 'request',
    '@href': `/repo/1/request/${id}`,
    '@representation': 'minimal',
    ...readable,
    id,
    state: result === null ? 'created' : 'finished',
    result,
    message,
    pull_request_mergeable: null,
  },
})

test.each(forms)('an explanation shows each rule with the values checked, at %s', async (form) => {
  expect(await call('no one', `GET ${form}/request/1/explain`)).toEqual([
    200,
    {
      ...ofRequest(1, 'rejected', 'the condition does not hold'),
      reason: 'condition',
      checks: [
        {
          rule: 'repository_active',
          passed: true,
          text: 'The repository is active',
          values: { slug: 'acme/web' },
          source: null,
        },
        {
          rule: 'condition',
          passed: false,
          text: 'The condition of the build file does not hold',
          values: { condition: 'branch = main', saw: { branch: 'next' } },
          source: { file: '.service.yml', line: 3 },
        },
      ],
    },
  ])
})

test('an explanation has no checks for an undecided request', async () => {
  expect(await call('no one', 'GET /repo/1/request/2/explain')).toEqual([200, ofRequest(2, null)])
})

test('an explanation shows whether a fork’s commit is approved, and by whom', async () => {
  const web = await db
    .selectFrom('repositories')
    .selectAll()
    .where('id', '=', 1)
    .executeTakeFirstOrThrow()
  const { id: pull_request_id, head_sha: sha } = await make.pullRequest(web)
  const { id } = await make.request({
    repository: web,
    event_type: 'pull_request',
    pull_request_id,
    head_commit: sha,
    from_fork: true,
  })
  const approval = async () => {
    const [, body] = await call('no one', `GET /repo/1/request/${id}/explain`)
    return (body as { approval: unknown }).approval
  }
  const none = { by: null, at: null, until: null }
  expect(await approval()).toEqual({
    ...{ state: 'waiting', ...none },
    text: 'none yet: a build of a fork waits until a maintainer approves this commit, on the page of the build',
  })
  const pusher = await db
    .selectFrom('users')
    .select('id')
    .where('login', '=', 'pusher')
    .executeTakeFirstOrThrow()
  const head = { repository_id: 1, pull_request_id, sha, base_ref: 'main' }
  await putApproval(db, { ...head, approved_by_id: pusher.id })
  const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/) as string
  const approved = {
    ...ofRequest(id, 'approved'),
    approval: {
      ...{ state: 'approved', by: 'pusher', at: time, until: time },
      text: expect.stringMatching(/^by pusher at \S+Z, until \S+Z or the next head$/) as string,
    },
  }
  expect(await call('no one', `GET /repo/1/request/${id}/explain`)).toEqual([200, approved])
  await db
    .updateTable('pull_requests')
    .set({ head_sha: 'f'.repeat(40) })
    .execute()
  const text = 'void: the pull request has new commits, and only the latest one can be approved'
  expect(await approval()).toEqual({ state: 'superseded', text, ...none })
})

test('an explanation is hidden with its request, and missing in another repository', async () => {
  for (const path of ['GET /repo/2/request/3/explain', 'GET /repo/9/request/3/explain']) {
    expect(await call('other', path)).toEqual(missing('repository'))
  }
  expect(await call('reader', 'GET /repo/1/request/3/explain')).toEqual(missing('request'))
  expect(await call('reader', 'GET /repo/2/request/3/explain')).toMatchObject([200, { checks: [] }])
})
