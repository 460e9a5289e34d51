import { describe, expect, test } from 'vitest'
import { createServer } from '../../../src/http/server.ts'
import { json } from '../../../src/store/tables.ts'
import { v2Client } from '../../support/client.ts'
import { noon, testContext } from '../../support/context.ts'
import { testDatabase } from '../../support/database.ts'
import { factories } from '../../support/factories.ts'
import { idsOf, shownCommit, shownJob } from './shown.ts'

const db = await testDatabase()
const make = factories(db)
const ctx = testContext(db)
const call = v2Client(await createServer(ctx))
const closed = v2Client(await createServer({ ...ctx, site: { ...ctx.site, publicMode: false } }))
const nothing = { status: 200, body: { jobs: [], commits: [] } }

const listed = async (query: string, token?: string) =>
  idsOf((await call(`GET /jobs${query}`, { token })).body, 'jobs')

describe('GET /jobs', () => {
  test.each(['?ids=1,2', '/?ids[]=2&ids[]=1', '?state=created', '?queue=builds.linux'])(
    'lists jobs with their commits: %s',
    async (query) => {
      const repository = await make.repository()
      const commit = await make.commit(repository, { sha: shownCommit.sha })
      const build = await make.build({ repository, commit_id: commit.id })
      const config = json({ language: 'ruby', env: ['DB=pg', { A: { secure: 'c2VhbGVk' } }] })
      const stage = await make.stage(build, 1)
      await make.job({ build, number: '1.1', config, stage_id: stage.id, allow_failure: true })
      await make.job({ build, number: '1.2', started_at: noon })
      const first = {
        ...shownJob,
        stage_id: 1,
        allow_failure: true,
        config: { language: 'ruby', env: 'DB=pg A=[secure]' },
      }
      const second = {
        ...shownJob,
        id: 2,
        log_id: 2,
        number: '1.2',
        started_at: '2026-01-02T12:00:00Z',
      }
      expect(await call(`GET /jobs${query}`)).toEqual({
        status: 200,
        body: { jobs: [first, second], commits: [shownCommit, shownCommit] },
      })
    },
  )

  test('leaves out secure entries of the jobs of a fork', async () => {
    const build = await make.build()
    await db.updateTable('requests').set({ from_fork: true }).execute()
    await make.job({ build, config: json({ env: ['A=1', { secure: 'c2VhbGVk' }] }) })
    expect((await call('GET /jobs?ids=1')).body).toMatchObject({
      jobs: [{ config: { env: 'A=1' } }],
    })
  })

  test.each([
    ['?state=passed', [1, 2]],
    ['?state=passed,started', [1, 2, 3]],
    ['?state[]=failed&state[]=started', [3, 4]],
    ['?state=done', []],
    ['?state=%00', []],
    ['?state=passed&queue=other', [2]],
    ['?state=&queue=other', [2, 4]],
    ['?queue=other', [2, 4]],
    ['?queue=Other', []],
    ['?queue=%00', []],
    ['?ids=4,1,9,x', [1, 4]],
    ['?ids=2&state=failed', [2]],
    ['?ids=', []],
    ['?ids=9223372036854775808,-1', []],
    ['?ids[a]=1', []],
  ])('with %s lists the jobs %j', async (query, ids) => {
    const build = await make.build()
    await make.job({ build, state: 'passed' })
    await make.job({ build, state: 'passed', queue: 'other' })
    await make.job({ build, state: 'started' })
    await make.job({ build, state: 'failed', queue: 'other' })
    expect(await listed(query)).toEqual(ids)
  })

  test('lists the newest 250 jobs, but any number of requested ids', async () => {
    const build = await make.build()
    const { id: _id, ...job } = await make.job({ build, number: '1.0' })
    const rows = Array.from({ length: 254 }, (_, index) => ({
      ...job,
      number: `1.${index + 1}`,
      config: json(job.config),
      origin: json(job.origin),
      checks: json(job.checks),
    }))
    await db.insertInto('jobs').values(rows).execute()
    const newest = Array.from({ length: 250 }, (_, index) => index + 6)
    expect(await listed('?state=created')).toEqual(newest)
    const ids = Array.from({ length: 255 }, (_, index) => index + 1)
    expect(await listed(`?ids=${ids.join(',')}`)).toEqual(ids)
  })

  test('leaves out hidden jobs', async () => {
    const open = await make.repository()
    const hidden = await make.repository({ name: 'hidden', private: true })
    const gone = await make.repository({ name: 'gone', invalidated_at: noon })
    await make.job({ build: await make.build({ repository: open }) })
    await make.job({ build: await make.build({ repository: open, private: true }) })
    await make.job({ build: await make.build({ repository: hidden }) })
    await make.job({ build: await make.build({ repository: gone }) })
    const user = await make.user()
    await make.permission(user, hidden)
    for (const query of ['?ids=1,2,3,4', '?state=created', '?queue=builds.linux']) {
      expect(await listed(query)).toEqual([1])
      expect(await listed(query, user.token)).toEqual([1, 3])
      const headers = { accept: 'application/vnd.service.2+json' }
      expect(idsOf((await call(`GET /jobs${query}`, { headers })).body, 'jobs')).toEqual([1])
      expect(await closed(`GET /jobs${query}`)).toEqual(nothing)
      const { body } = await closed(`GET /jobs${query}`, { token: user.token })
      expect(idsOf(body, 'jobs')).toEqual([3])
    }
  })

  test.each(['', '?state=', '?queue=', '?state=&queue='])(
    'with "%s" is refused without a selector',
    async (query) => {
      await make.job()
      expect(await call(`GET /jobs${query}`)).toEqual({
        status: 400,
        body: { error: 'one of ids, state, queue is required' },
      })
    },
  )

  test('refuses several queues', async () => {
    for (const query of ['?queue[]=a', '?queue=a&queue=b&state=passed']) {
      expect(await call(`GET /jobs${query}`)).toEqual({
        status: 400,
        body: { error: 'queue must be one text' },
      })
    }
  })

  test('refuses a wrong token', async () => {
    expect(await call('GET /jobs?ids=1', { token: 'wrong' })).toEqual({
      status: 403,
      body: 'access denied',
    })
  })
})
