import { describe, expect, test } from 'vitest'
import { createServer } from '../../../src/http/server.ts'
import { json } from '../../../src/store/tables.ts'
import { v2Client } from '../../support/client.ts'
import { noon, testContext } from '../../support/context.ts'
import { testDatabase } from '../../support/database.ts'
import { factories } from '../../support/factories.ts'

const db = await testDatabase()
const make = factories(db)
const call = v2Client(await createServer(testContext(db)))

const sha = 'a0265b98'.repeat(5)

describe('GET /jobs/{id}', () => {
  test('returns the job with its commit', async () => {
    const repository = await make.repository({ owner_name: 'octavia', name: 'hello' })
    const commit = await make.commit(repository, { sha, branch: 'greet' })
    const build = await make.build({ repository, commit_id: commit.id, state: 'started' })
    const stage = await make.stage(build, 1)
    await make.job({
      build,
      number: '1.1',
      stage_id: stage.id,
      state: 'started',
      started_at: noon,
      queue: 'builds.linux',
      allow_failure: true,
      config: json({
        language: 'ruby',
        rvm: '3.2',
        env: ['DB=pg', { A: { secure: 'c2VhbGVk' } }],
        deploy: { provider: 'heroku', api_key: { secure: 'c2VhbGVk' } },
      }),
    })

    expect(await call('GET /jobs/1')).toEqual({
      status: 200,
      body: {
        job: {
          id: 1,
          repository_id: 1,
          repository_slug: 'octavia/hello',
          build_id: 1,
          stage_id: 1,
          commit_id: 1,
          log_id: 1,
          number: '1.1',
          config: { language: 'ruby', rvm: '3.2', env: 'DB=pg A=[secure]' },
          state: 'started',
          started_at: '2026-01-02T12:00:00Z',
          finished_at: null,
          queue: 'builds.linux',
          allow_failure: true,
          tags: null,
        },
        commit: {
          id: 1,
          sha,
          branch: 'greet',
          tag: null,
          message: 'Say hello',
          committed_at: '2026-01-02T12:00:00Z',
          author_name: 'Octavia',
          author_email: 'octavia@example.org',
          committer_name: 'Octavia',
          committer_email: 'octavia@example.org',
          compare_url: 'https://codehost.example/octavia/hello/compare/abc...def',
          pull_request_number: null,
          branch_is_default: false,
        },
      },
    })
  })

  test('leaves out secure values for a pull request from a fork', async () => {
    const build = await make.build()
    await db.updateTable('requests').set({ from_fork: true }).execute()
    await make.job({ build, config: json({ env: ['A=1', { B: { secure: 'c2VhbGVk' } }] }) })
    expect(await call('GET /jobs/1')).toMatchObject({ body: { job: { config: { env: 'A=1' } } } })
  })

  test.each(['1', '7x', 'x', '999999999999999', '9999999999999999999999'])(
    'reports that there is no job %s',
    async (id) => {
      expect(await call(`GET /jobs/${id}`)).toEqual({
        status: 404,
        body: { error: { message: `The job(${id}) couldn't be found` } },
      })
    },
  )

  test('reports a hidden job as missing', async () => {
    const build = await make.build({ repository: await make.repository({ private: true }) })
    await make.job({ build })
    expect(await call('GET /jobs/1')).toEqual({
      status: 404,
      body: { error: { message: "The job(1) couldn't be found" } },
    })
  })
})
