import { describe, expect, test } from 'vitest'
import { createServer } from '../../../src/http/server.ts'
import { v2Client } from '../../support/client.ts'
import { noon, testContext } from '../../support/context.ts'
import { testDatabase } from '../../support/database.ts'
import { factories } from '../../support/factories.ts'
import { setLastBuild } from '../../support/last-build.ts'

const db = await testDatabase()
const make = factories(db)
const call = v2Client(await createServer(testContext(db)))

const repo = {
  id: 1,
  slug: 'octavia/hello',
  description: 'Says hello',
  active: true,
  last_build_id: null,
  last_build_number: null,
  last_build_state: null,
  last_build_duration: null,
  last_build_language: null,
  last_build_started_at: null,
  last_build_finished_at: null,
  codehost_language: 'Ruby',
}

const hello = () =>
  make.repository({ name: 'hello', description: 'Says hello', codehost_language: 'Ruby' })

describe('GET /repos/{repository}', () => {
  test.each([
    '/repos/1',
    '/repos/001',
    '/repos/1/',
    '/repos/1.json',
    '/repos/octavia/hello',
    '/repos/Octavia/HELLO',
    '/repos/octavia/hello/',
    '/repos/octavia%2Fhello',
    '/repos/octavia%2fhello',
    '/repos/%6Fctavia/hello',
  ])('is found at %s', async (path) => {
    await hello()
    expect(await call(`GET ${path}`)).toEqual({ status: 200, body: { repo } })
  })

  test.each([
    '/repos/2',
    '/repos/0',
    '/repos/99999999999999999999',
    '/repos/octavia/bye',
    '/repos/octavia/hello/x',
    '/repos/octavia%2Fhello%2Fx',
    '/repos/octavia/hello%2Fx',
    '/repos/octavia/hello.json',
    '/repos//hello',
    '/repos/%2F',
    '/Repos/1',
  ])('is not found at %s', async (path) => {
    await hello()
    expect(await call(`GET ${path}`)).toEqual({ status: 404, body: { file: 'not found' } })
  })

  test('reports the build that started last', async () => {
    const repository = await hello()
    const build = await make.build({
      repository,
      state: 'failed',
      duration: 95,
      started_at: noon,
      finished_at: new Date('2026-01-02T12:02:00Z'),
    })
    await setLastBuild(db, build, noon)
    expect(await call('GET /repos/1')).toEqual({
      status: 200,
      body: {
        repo: {
          ...repo,
          last_build_id: 1,
          last_build_number: '1',
          last_build_state: 'failed',
          last_build_duration: 95,
          last_build_started_at: '2026-01-02T12:00:00Z',
          last_build_finished_at: '2026-01-02T12:02:00Z',
        },
      },
    })
  })

  test('hides a last build that was made in private from strangers', async () => {
    const repository = await hello()
    await setLastBuild(db, await make.build({ repository, private: true }), noon)
    const user = await make.user()
    expect(await call('GET /repos/1', { token: user.token })).toEqual({
      status: 200,
      body: { repo },
    })
    await make.permission(user, repository)
    expect(await call('GET /repos/1', { token: user.token })).toMatchObject({
      body: { repo: { last_build_id: 1 } },
    })
  })

  test('returns the most recently updated repository if several have the same name', async () => {
    await make.repository({ provider: 'local', updated_at: noon })
    await make.repository({ provider: 'codehost' })
    expect(await call('GET /repos/octavia/hello')).toMatchObject({ body: { repo: { id: 2 } } })
  })

  test.each([{ deleted_at: noon }, { invalidated_at: noon }])(
    'finds nothing when %j',
    async (gone) => {
      await make.repository(gone)
      expect(await call('GET /repos/1')).toMatchObject({ status: 404 })
      expect(await call('GET /repos/octavia/hello')).toMatchObject({ status: 404 })
    },
  )

  test('reports that a repository is inactive', async () => {
    await make.repository({ active: false })
    expect(await call('GET /repos/1')).toMatchObject({ body: { repo: { active: false } } })
  })
})
