import { beforeEach, describe, expect, test } from 'vitest'
import type { User } from '../../../src/domain/owner.ts'
import type { Repository } from '../../../src/domain/repository.ts'
import { makeFeedToken } from '../../../src/flow/tokens/make-token.ts'
import { revokeAllTokens } from '../../../src/flow/tokens/revoke-token.ts'
import { createServer } from '../../../src/http/server.ts'
import { putBranch } from '../../../src/store/repositories/branches.ts'
import { noon, testContext } from '../../support/context.ts'
import { testDatabase } from '../../support/database.ts'
import { factories } from '../../support/factories.ts'
import { setLastBuild } from '../../support/last-build.ts'
import { caller } from '../door.ts'

const db = await testDatabase()
const make = factories(db)
const ctx = testContext(db)
const server = await createServer(ctx)
const call = caller(server)

let repository: Repository
let hidden: Repository
let anna: User & { token: string }

beforeEach(async () => {
  anna = await make.user('anna')
  repository = await make.repository({ name: 'hello' })
  hidden = await make.repository({ name: 'hidden', private: true })
  await make.permission(anna, hidden)
})

const actor = () => ({ user: anna, token_id: null, address: '127.0.0.1' })

async function get(path: string, headers: Record<string, string> = {}) {
  const { statusCode, body, headers: sent } = await call(`GET ${path}`, headers)
  return { status: statusCode, body, type: sent['content-type'] }
}

const head = '<?xml version="1.0" encoding="UTF-8"?>\n'

/** A build that has ended, and was started last. */
async function built(of: Repository, given: Parameters<typeof make.build>[0] | object = {}) {
  const times = { started_at: noon, finished_at: new Date(noon.getTime() + 5000) }
  const build = await make.build({
    repository: of,
    state: 'passed',
    private: of.private,
    ...times,
    ...given,
  })
  await setLastBuild(db, build, noon)
  return build
}

describe('cc.xml', () => {
  test('shows the last build of a repository', async () => {
    const build = await built(repository)
    const project =
      `  <Project name="octavia/hello" activity="Sleeping" lastBuildStatus="Success" ` +
      `lastBuildLabel="${build.number}" lastBuildTime="2026-01-02T12:00:05Z" ` +
      'webUrl="https://ci.example.org/octavia/hello"/>\n'
    const expected = {
      status: 200,
      type: 'application/xml;charset=utf-8',
      body: `${head}<Projects>\n${project}</Projects>\n`.replace(
        '2026-01-02T12:00:05Z',
        new Date(noon.getTime() + 5000).toISOString().replace('.000', ''),
      ),
    }
    for (const path of ['/repos/octavia/hello', `/repos/${repository.id}`]) {
      expect(await get(`${path}/cc.xml`)).toEqual(expected)
      expect(await get(`${path}/cc`)).toEqual(expected)
      expect(await get(`${path}/cc.xml`, { accept: 'text/html' })).toEqual(expected)
    }
    expect(await get('/repos/octavia.xml')).toEqual(expected)
  })

  test.each([
    ['started', 'Building', 'Unknown'],
    ['created', 'Sleeping', 'Unknown'],
    ['failed', 'Sleeping', 'Failure'],
    ['errored', 'Sleeping', 'Error'],
    ['canceled', 'Sleeping', 'Canceled'],
  ])('of a build that is %s reports %s and %s', async (state, activity, status) => {
    await built(repository, { state })
    const { body } = await get('/repos/octavia/hello/cc.xml')
    expect(body).toContain(`activity="${activity}" lastBuildStatus="${status}"`)
  })

  test('shows the last finished build of a branch', async () => {
    const { id: branch_id } = await putBranch(db, repository.id, 'next')
    await built(repository, { branch_id, state: 'failed', number: 1 })
    await built(repository, { branch_id, state: 'started', number: 2, finished_at: null })
    await built(repository, { state: 'passed', number: 3 })
    const { body } = await get('/repos/octavia/hello/cc.xml?branch=next')
    expect(body).toContain('lastBuildStatus="Failure" lastBuildLabel="1"')
    const { body: none } = await get('/repos/octavia/hello/cc.xml?branch=none')
    expect(none).toBe(`${head}<Projects>\n</Projects>\n`)
  })

  test('leaves out repositories without a build', async () => {
    const empty = { body: `${head}<Projects>\n</Projects>\n`, status: 200 }
    expect(await get('/repos/octavia/hello/cc.xml')).toMatchObject(empty)
    expect(await get('/repos/octavia.xml')).toMatchObject(empty)
    expect(await get('/repos/nobody.xml')).toMatchObject(empty)
  })
})

describe('builds.atom', () => {
  test('is a feed of the newest builds, with all text from users escaped', async () => {
    const commit = await make.commit(repository, {
      message: '<script>alert("1")</script> & \u0007\ud800',
      author_name: 'Ada <ada@example.org>',
      committer_name: 'Grace & Co',
    })
    const build = await built(repository, { commit_id: commit.id })
    const { status, type, body } = await get('/repos/octavia/hello/builds.atom')
    expect([status, type]).toEqual([200, 'application/atom+xml;charset=utf-8'])
    expect(body).toContain(`<id>repo:${repository.id}:build:${build.id}</id>`)
    expect(body).toContain(`<title>octavia/hello build #${build.number}</title>`)
    expect(body).toContain(`https://ci.example.org/octavia/hello/builds/${build.id}`)
    expect(body).toContain('<author><name>Ada &lt;ada@example.org&gt;</name></author>')
    // Once for HTML, and once for XML.
    expect(body).toContain('&amp;lt;script&amp;gt;alert(&amp;quot;1&amp;quot;)')
    expect(body).toContain('committed by Grace &amp;amp; Co')
    for (const each of ['<script', '\u0007', '\ud800']) expect(body).not.toContain(each)
    expect(body).not.toContain('@example.org"')
  })

  test('is valid without builds, and holds at most 25', async () => {
    const { body } = await get(`/repos/${repository.id}/builds.atom`)
    expect(body).toMatch(/^<\?xml[^]*<feed[^]*<updated>[\dT:-]+Z<\/updated>\n<\/feed>\n$/)
    for (let number = 1; number <= 27; number += 1) await built(repository, { number })
    const many = await get(`/repos/${repository.id}/builds.atom`)
    expect(many.body.match(/<entry>/g)).toHaveLength(25)
    expect(many.body.indexOf('#27')).toBeLessThan(many.body.indexOf('#26'))
  })
})

const feedsOf = ({ id, name }: Repository) => [
  `/repos/${id}/cc.xml`,
  `/repos/octavia/${name}/cc.xml`,
  `/repos/${id}/builds.atom`,
  `/repos/octavia/${name}/builds.atom`,
]

describe('the feed token', () => {
  test('in the query opens the feeds that its user can see', async () => {
    await built(hidden)
    const token = await makeFeedToken(ctx, actor())
    for (const path of feedsOf(hidden)) {
      expect(await get(path)).toMatchObject({ status: 404 })
      const read = await get(`${path}?token=${token}`)
      expect(read).toMatchObject({ status: 200 })
      expect(read.body).toContain('octavia/hidden')
      expect(read.body).not.toContain(token)
    }
    expect((await get('/repos/octavia.xml')).body).not.toContain('hidden')
    expect((await get(`/repos/octavia.xml?token=${token}`)).body).toContain('octavia/hidden')
  })

  test('does not open feeds that its user cannot see', async () => {
    const other = await make.repository({ name: 'other', private: true })
    await built(other)
    const token = await makeFeedToken(ctx, actor())
    for (const path of feedsOf(other)) {
      expect(await get(`${path}?token=${token}`)).toMatchObject({ status: 404 })
    }
  })

  test('opens nothing but feeds, and is refused in the Authorization header', async () => {
    const token = await makeFeedToken(ctx, actor())
    for (const path of [
      `/repos/${hidden.id}`,
      '/users',
      `/repos/${hidden.id}/builds`,
      `/v3/repo/${hidden.id}`,
      '/v3/user',
      '/profile',
    ]) {
      const authorization = `token ${token}`
      const inHeader = await get(path, { authorization })
      expect([path, inHeader.status]).toEqual([path, 403])
      expect((await get(`${path}?token=${token}`)).body).not.toContain('octavia/hidden')
      expect([401, 403, 404]).toContain((await get(`${path}?token=${token}`)).status)
    }
    for (const path of feedsOf(hidden)) {
      expect(await get(path, { authorization: `token ${token}` })).toMatchObject({ status: 403 })
    }
  })

  test('cannot be replaced by an API token, an older feed token or a revoked one', async () => {
    const before = await makeFeedToken(ctx, actor())
    const token = await makeFeedToken(ctx, actor())
    for (const path of feedsOf(hidden)) {
      for (const wrong of [anna.token, before, 'wrong', `${token}a`]) {
        expect(await get(`${path}?token=${wrong}`)).toMatchObject({ status: 403 })
      }
      expect(await get(`${path}?token[]=${token}`)).toMatchObject({ status: 403 })
      expect(await get(`${path}?token=${token}`)).toMatchObject({ status: 200 })
    }
    await revokeAllTokens(ctx, actor())
    expect(await get(`${feedsOf(hidden)[0]}?token=${token}`)).toMatchObject({ status: 403 })
  })

  test('is refused once its user is blocked', async () => {
    const token = await makeFeedToken(ctx, actor())
    await db
      .updateTable('users')
      .set({ blocked_at: new Date() })
      .where('id', '=', anna.id)
      .execute()
    expect(await get(`${feedsOf(hidden)[0]}?token=${token}`)).toMatchObject({ status: 403 })
  })

  test('is stored as a hash, and its creation is recorded', async () => {
    const token = await makeFeedToken(ctx, actor())
    const rows = await db.selectFrom('tokens').selectAll().execute()
    expect(rows.filter(({ purpose }) => purpose === 'feed')).toHaveLength(1)
    expect(JSON.stringify(rows)).not.toContain(token)
    const records = await db.selectFrom('audit_records').selectAll().orderBy('id').execute()
    expect(records).toMatchObject([
      { actor: 'anna', action: 'make_feed_token', subject_type: 'user', subject_id: anna.id },
    ])
    expect(JSON.stringify(records)).not.toContain(token)
  })
})
