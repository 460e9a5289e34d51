// A document of V3 contains all records that its caller includes, so a public one must be refused
// before it is read.
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Repository } from '../../src/domain/repository.ts'
import { createServer } from '../../src/http/server.ts'
import { insertCommit } from '../../src/store/commits/commits.ts'
import { caller } from '../http/door.ts'
import { testContext } from '../support/context.ts'
import { ownDatabase } from '../support/database.ts'
import { factories } from '../support/factories.ts'
import { captureStatements } from '../support/sent-statements.ts'

const { db } = await ownDatabase()
const make = factories(db)
const call = caller(await createServer(testContext(db)))
const v3 = (path: string) => call(`GET ${path}`, { 'service-api-version': '3' })

const tooMany = 'more than 50000 records cannot be shown at once: include less, or lower the limit'
const tooLong =
  'more than 16000000 characters of texts cannot be shown at once: include less, or lower the limit'

/** A request with this stored text as its configuration. */
async function requestOf(repository: Repository, raw_config_id: number): Promise<void> {
  const request = await make.request({ repository })
  await db
    .insertInto('request_configs')
    .values({ request_id: request.id, position: 0, raw_config_id, source: 'api', sha: null })
    .execute()
}

async function storedText(
  { id: repository_id }: Repository,
  sha256: string,
  text: string,
): Promise<number> {
  const { id } = await db
    .insertInto('raw_configs')
    .values({ repository_id, sha256, text })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** The size and the message of the response to a call that is refused. */
async function refused(path: string) {
  const { statements, stop } = captureStatements()
  const answer = await v3(path)
  stop()
  expect(answer.statusCode).toBe(422)
  const { error_type, error_message } = answer.json<Record<string, unknown>>()
  expect(error_type).toBe('unprocessable_entity')
  return { message: error_message, sent: statements.map(({ text }) => text) }
}

/** The first repository has 300 builds with 200 jobs in one stage, each on a branch of its own. */
let web: Repository
beforeAll(async () => {
  web = await make.repository()
  const commit = await make.commit(web)
  await sql`
    insert into branches (id, repository_id, name)
    select n, ${web.id}, 'b' || n from generate_series(1, 300) n`.execute(db)
  await sql`
    insert into requests (id, repository_id, owner_id, owner_type, event_type, state, result, private,
      finished_at)
    select n, ${web.id}, ${web.owner_id}, ${web.owner_type}, 'push', 'finished', 'accepted', false,
      now()
    from generate_series(1, 300) n`.execute(db)
  await sql`
    insert into builds (id, repository_id, request_id, commit_id, branch_id, number, event_type, state,
      private, finished_at)
    select n, ${web.id}, n, ${commit.id}, n, n, 'push', 'passed', false, now()
    from generate_series(1, 300) n
  `.execute(db)
  await sql`
    insert into stages (id, build_id, number, name, state, finished_at)
    select n, n, 1, 'test', 'passed', now() from generate_series(1, 300) n`.execute(db)
  await sql`
    insert into jobs (repository_id, build_id, stage_id, commit_id, owner_id, owner_type, number, state,
      queue, private, finished_at, config)
    select ${web.id}, build, build, ${commit.id}, ${web.owner_id}, ${web.owner_type},
      build || '.' || job, 'passed', 'builds.linux', false, now(),
      case build when 1 then json_build_object('script', repeat('x', 100000)) else '{}' end
    from generate_series(1, 300) build, generate_series(1, 200) job
  `.execute(db)
  await sql`select setval('requests_id_seq', 300)`.execute(db)
  await sql`analyze`.execute(db)
})

describe('too many records', () => {
  test('of jobs, when each stage includes all of its jobs', async () => {
    const path = '/repo/1/builds?limit=25&include=build.jobs,stage.jobs'
    expect((await refused(path)).message).toBe(tooMany)
  })

  // A failure beside other failures must not end the process: the test runner reports unhandled
  // rejections.
  test.each([
    '/build/1?include=build.jobs,stage.jobs,job.stage',
    '/build/1?include=build.jobs,build.stages,stage.jobs,job.stage',
    '/build/1?include=build.stages,stage.jobs,job.build,build.jobs,job.stage',
    '/repo/1/builds?limit=100&include=build.stages,stage.jobs',
  ])('of one build, in several attributes at the same time: %s', async (path) => {
    expect((await refused(path)).message).toBe(tooMany)
    expect((await v3('/build/1?include=build.jobs')).statusCode).toBe(200)
  })

  test('of the jobs of active builds, which are only counted', async () => {
    await sql`update builds set state = 'started', started_at = now(), finished_at = null`.execute(
      db,
    )
    const active = `/owner/${web.owner_name}/active`
    const { message, sent } = await refused(active)
    expect(message).toBe(tooMany)
    expect(sent.filter((text) => text.includes('from jobs'))).toEqual([
      expect.stringMatching(/^\s*select count\(\*\)/),
    ])
  })

  test('of the repositories of an owner, which are not all read', async () => {
    const owner = await make.user('wide')
    await sql`
      insert into repositories (codehost_id, owner_id, owner_type, owner_name, name, private)
      select 1000000 + n, ${owner.id}, 'User', 'wide', 'r' || n, false
      from generate_series(1, 51000) n`.execute(db)
    const { message } = await refused('/owner/wide?include=owner.repositories')
    expect(message).toBe(tooMany)
  }, 30_000)
})

describe('too long texts', () => {
  test('of configurations of jobs', async () => {
    const path = '/build/1/jobs?include=job.config'
    expect((await refused(path)).message).toBe(tooLong)
  })

  test('of build files, which are not read at all', async () => {
    const repository = await make.repository({ name: 'long' })
    for (let number = 0; number < 20; number++) {
      const text = 'x'.repeat(1_000_000)
      await requestOf(repository, await storedText(repository, `own-${number}`, text))
    }
    const path = `/repo/${repository.id}/requests`
    expect((await refused(path)).message).toBe(tooLong)
    expect((await v3(`${path}?limit=10`)).statusCode).toBe(200)
  })

  test('one build file of many requests is read once', async () => {
    const repository = await make.repository({ name: 'same' })
    const id = await storedText(repository, 'same', 'script: make')
    for (let number = 0; number < 3; number++) await requestOf(repository, id)
    const { statements, stop } = captureStatements()
    const answer = await v3(`/repo/${repository.id}/requests`)
    stop()
    const { requests } = answer.json<{ requests: { raw_configs: object[] }[] }>()
    expect(requests.map(({ raw_configs }) => raw_configs)).toEqual(
      Array.from({ length: 3 }, () => [
        expect.objectContaining({ config: 'script: make', source: 'api' }),
      ]),
    )
    const texts = statements.filter(({ text }) => text.includes('octet_length(text)'))
    expect(texts.map(({ values }) => values)).toEqual([[[id], expect.any(Number)]])
  })

  test('messages of commits are cut when they are stored', async () => {
    const commit = await insertCommit(db, {
      repository_id: web.id,
      sha: 'd'.repeat(40),
      ref: 'refs/heads/main',
      branch: 'main',
      message: 'x'.repeat(100_000),
    })
    expect(commit.message).toHaveLength(65_536)
  })
})
