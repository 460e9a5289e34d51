import { describe, expect, test } from 'vitest'
import { createServer } from '../../../src/http/server.ts'
import { json } from '../../../src/store/tables.ts'
import { v2Client } from '../../support/client.ts'
import { noon, testContext } from '../../support/context.ts'
import { testDatabase } from '../../support/database.ts'
import { factories } from '../../support/factories.ts'
import { shownCommit } from './shown.ts'

const db = await testDatabase()
const make = factories(db)
const call = v2Client(await createServer(testContext(db)))

const sha = 'a0265b98'.repeat(5)
const later = new Date('2026-01-02T12:02:00.789Z')

const commit = { ...shownCommit, sha }

describe('GET /builds/{id}', () => {
  test('returns the build with its commit and its jobs', async () => {
    const repository = await make.repository({ owner_name: 'octavia', name: 'hello' })
    const build = await make.build({
      repository,
      commit_id: (await make.commit(repository, { sha })).id,
      state: 'passed',
      started_at: noon,
      finished_at: later,
      duration: 95,
      config: json({ language: 'ruby', env: ['DB=pg', { A: { secure: 'c2VhbGVk' } }] }),
    })
    await make.job({
      build,
      number: '1.1',
      state: 'passed',
      started_at: noon,
      finished_at: later,
      config: json({ language: 'ruby', env: ['DB=pg', { secure: 'c2VhbGVk' }] }),
    })
    await make.job({ build, number: '1.2', state: 'canceled', allow_failure: true })

    const job = {
      id: 1,
      repository_id: 1,
      repository_slug: 'octavia/hello',
      build_id: 1,
      stage_id: null,
      commit_id: 1,
      log_id: 1,
      number: '1.1',
      config: { language: 'ruby', env: 'DB=pg [secure]' },
      state: 'passed',
      queue: 'builds.linux',
      allow_failure: false,
      tags: null,
      started_at: '2026-01-02T12:00:00Z',
      finished_at: '2026-01-02T12:02:00Z',
    }
    expect(await call('GET /builds/1')).toEqual({
      status: 200,
      body: {
        build: {
          id: 1,
          repository_id: 1,
          commit_id: 1,
          number: '1',
          event_type: 'push',
          pull_request: false,
          pull_request_title: null,
          pull_request_number: null,
          config: { language: 'ruby', env: ['DB=pg', 'A=[secure]'] },
          state: 'passed',
          started_at: '2026-01-02T12:00:00Z',
          finished_at: '2026-01-02T12:02:00Z',
          duration: 95,
          job_ids: [1, 2],
        },
        commit: { ...commit, branch_is_default: true },
        jobs: [
          job,
          {
            ...job,
            id: 2,
            log_id: 2,
            number: '1.2',
            config: { language: 'generic' },
            state: 'canceled',
            allow_failure: true,
            started_at: null,
            finished_at: '2026-01-02T12:00:00Z',
          },
        ],
        commits: [commit],
      },
    })
  })

  test('reports the pull request of the build, with the number as text', async () => {
    const repository = await make.repository()
    const pull = await make.pullRequest(repository, { number: 12, title: 'Greet louder' })
    const merge = await make.commit(repository, { ref: 'refs/pull/12/merge', branch: 'next' })
    await make.build({
      repository,
      event_type: 'pull_request',
      pull_request_id: pull.id,
      commit_id: merge.id,
    })

    expect(await call('GET /builds/1')).toMatchObject({
      body: {
        build: {
          event_type: 'pull_request',
          pull_request: true,
          pull_request_title: 'Greet louder',
          pull_request_number: '12',
        },
        commit: { branch: 'next', pull_request_number: 12, branch_is_default: false },
      },
    })
  })

  test('reports the tag of the build', async () => {
    const repository = await make.repository()
    const tagged = { ref: 'refs/tags/v1', branch: 'v1', tag_name: 'v1' }
    const { id } = await make.commit(repository, tagged)
    await make.build({ repository, commit_id: id })
    expect(await call('GET /builds/1')).toMatchObject({
      body: { commit: { branch: 'v1', tag: 'v1', pull_request_number: null } },
    })
  })

  test('shows null for everything that has not happened yet', async () => {
    await make.build()
    expect(await call('GET /builds/1')).toMatchObject({
      body: {
        build: {
          state: 'created',
          started_at: null,
          finished_at: null,
          duration: null,
          config: {},
          job_ids: [],
        },
        jobs: [],
      },
    })
  })

  test('leaves out secure values in the jobs of a pull request from a fork', async () => {
    const build = await make.build()
    await db.updateTable('requests').set({ from_fork: true }).execute()
    await make.job({ build, config: json({ env: ['A=1', { secure: 'c2VhbGVk' }] }) })
    expect(await call('GET /builds/1')).toMatchObject({
      body: { jobs: [{ config: { env: 'A=1' } }] },
    })
  })

  test.each(['/builds/2', '/builds/0', '/builds/x', '/builds/1x', '/builds/-1', '/builds/1.5'])(
    'finds nothing at %s',
    async (path) => {
      await make.build()
      expect(await call(`GET ${path}`)).toEqual({ status: 404, body: { file: 'not found' } })
    },
  )

  test.each(['/builds/1/', '/builds/1.json', '/builds/01', '/builds/1?exclude=1'])(
    'is also found at %s',
    async (path) => {
      await make.build()
      expect(await call(`GET ${path}`)).toMatchObject({ status: 200, body: { build: { id: 1 } } })
    },
  )

  test('finds no build of a deleted repository', async () => {
    await make.build({ repository: await make.repository({ deleted_at: noon }) })
    expect(await call('GET /builds/1')).toMatchObject({ status: 404 })
  })
})

describe('a build requested through its repository', () => {
  test.each([
    '/repos/1/builds/1',
    '/repos/1/builds/1/',
    '/repos/octavia/hello/builds/1',
    '/repos/Octavia/HELLO/builds/1',
    '/repos/octavia%2Fhello/builds/1',
  ])('is the same build: %s', async (path) => {
    await make.build()
    const alone = await call('GET /builds/1')
    expect(alone.status).toBe(200)
    expect(await call(`GET ${path}`)).toEqual(alone)
  })

  test.each([
    '/repos/2/builds/1',
    '/repos/9/builds/1',
    '/repos/octavia/bye/builds/1',
    '/repos/1/builds/2',
    '/repos/1/builds/x',
    '/repos/1/builds/-1',
    '/repos/1/builds/9223372036854775808',
    '/repos/1/builds/%00',
    '/repos/%00/%00/builds/1',
  ])('is not found at %s', async (path) => {
    await make.build()
    await make.repository({ name: 'bye' })
    expect(await call(`GET ${path}`)).toEqual({ status: 404, body: { file: 'not found' } })
  })
})
