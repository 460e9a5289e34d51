import { beforeEach, expect, test } from 'vitest'
import type { OpenApi } from '../../../src/http/openapi/operation.ts'
import { createServer } from '../../../src/http/server.ts'
import { testContext } from '../../support/context.ts'
import { testDatabase } from '../../support/database.ts'
import { factories } from '../../support/factories.ts'
import { caller } from '../door.ts'
import { audited, clientOf, makeRoles } from './roles.ts'

const db = await testDatabase()
const make = factories(db)
const server = await createServer(testContext(db))

let call: ReturnType<typeof clientOf>

// Build and job 1 are of a head that the fork's pull request has no more.
beforeEach(async () => {
  call = clientOf(server, await makeRoles(db))
  const repository = await db
    .selectFrom('repositories')
    .selectAll()
    .where('id', '=', 1)
    .executeTakeFirstOrThrow()
  const pull = await make.pullRequest(repository, { head_sha: 'b'.repeat(40) })
  const pull_request_id = pull.id
  const build = await make.build({
    repository,
    state: 'failed',
    event_type: 'pull_request',
    pull_request_id,
  })
  await make.job({ build, state: 'failed' })
  await db
    .updateTable('requests')
    .set({ from_fork: true, pull_request_id, head_commit: 'a'.repeat(40) })
    .execute()
})

test.each(['/builds/1/restart', '/jobs/1/restart', '/requests?build_id=1', '/requests?job_id=1'])(
  'POST %s is refused for a head that was replaced',
  async (path) => {
    const error =
      'This can not be restarted: the pull request comes from a fork and has new commits: only its ' +
      'latest commit is built.'
    expect(await call('pusher', `POST ${path}`)).toEqual([
      400,
      { result: false, flash: [{ error }] },
    ])
    expect(await audited(db)).toEqual([])
  },
)

test.each(['/builds/{build}/restart', '/jobs/{job}/restart', '/requests'])(
  'the document describes that POST %s can be refused',
  async (path) => {
    const document = (await caller(server)('GET /docs/v2.1.json')).json<OpenApi>()
    const refused = document.paths[path]?.post?.responses['400']
    expect(refused?.description).toContain('not restartable')
  },
)
