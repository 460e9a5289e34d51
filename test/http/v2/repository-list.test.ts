import { describe, expect, test } from 'vitest'
import { createServer } from '../../../src/http/server.ts'
import { v2Client } from '../../support/client.ts'
import { noon, testContext } from '../../support/context.ts'
import { testDatabase } from '../../support/database.ts'
import { factories } from '../../support/factories.ts'
import { setLastBuild } from '../../support/last-build.ts'
import { idsOf, shownRepository } from './shown.ts'

const db = await testDatabase()
const make = factories(db)
const ctx = testContext(db)
const call = v2Client(await createServer(ctx))
const closed = v2Client(await createServer({ ...ctx, site: { ...ctx.site, publicMode: false } }))

const listed = async (path: string, token?: string) =>
  idsOf((await call(`GET ${path}`, { token })).body, 'repos')

const at = (minute: number) => new Date(noon.getTime() + minute * 60_000)

/** Starts a build of a repository, which is its last one from then on. */
async function started(
  repository: Awaited<ReturnType<typeof make.repository>>,
  minute: number,
  state: 'started' | 'passed',
) {
  const build = await make.build({
    repository,
    state,
    started_at: at(minute),
    duration: state === 'passed' ? 9 : null,
  })
  await setLastBuild(db, build, at(minute))
}

test.each(['/repos/none.svg', '/repos/none.png', '/repos/%C3%A4%0D%0Ab.xml'])(
  'an owner has no image, and an unknown owner has no feed: %s',
  async (path) => {
    expect((await call(`GET ${path}`)).status).toBe(404)
  },
)

describe('GET /repos', () => {
  test.each(['/repos', '/repos/', '/repos?ids=1', '/repos?slug=octavia/hello', '/repos/octavia'])(
    'shows repositories with their last builds: %s',
    async (path) => {
      const repository = await make.repository({
        description: 'Says hello',
        codehost_language: 'Ruby',
      })
      await started(repository, 1, 'passed')
      expect(await call(`GET ${path}`)).toEqual({
        status: 200,
        body: {
          repos: [
            {
              ...shownRepository,
              description: 'Says hello',
              codehost_language: 'Ruby',
              last_build_id: 1,
              last_build_number: '1',
              last_build_state: 'passed',
              last_build_duration: 9,
              last_build_started_at: '2026-01-02T12:01:00Z',
              last_build_finished_at: '2026-01-02T12:00:00Z',
            },
          ],
        },
      })
    },
  )

  test('lists repositories with a running build first, then those with the latest starts', async () => {
    const [first, second, third] = [
      await make.repository({ name: 'a' }),
      await make.repository({ name: 'b' }),
      await make.repository({ name: 'c' }),
      await make.repository({ name: 'd' }),
      await make.repository({ name: 'e' }),
    ]
    await started(first, 1, 'started')
    await started(second, 2, 'passed')
    await started(third, 3, 'passed')
    expect(await listed('/repos')).toEqual([1, 3, 2, 5, 4])
    expect(await listed('/repos?limit=2')).toEqual([1, 3])
    // What is looked for by its name is not sorted like that.
    expect(await listed('/repos?owner_name=octavia')).toEqual([3, 2, 1, 5, 4])
    expect(await listed('/repos?search=octavia')).toEqual([3, 2, 1, 5, 4])
    expect(await listed('/repos/octavia')).toEqual([3, 2, 1, 5, 4])
  })

  test.each([
    ['', [6, 5, 3, 2, 1]],
    ['?active=true', [6, 3, 2, 1]],
    ['?active=false', [6, 5, 3, 2, 1]],
    ['?active=0', [6, 5, 3, 2, 1]],
    ['?owner_name=acme', [3, 2]],
    ['?owner_name=Acme', []],
    ['?owner_name=acme&active=true&search=we', [2]],
    ['?slug=ACME/Web', [2]],
    ['?slug=acme', []],
    ['?slug=a/b/c', []],
    ['?search=ACME', [3, 2]],
    ['?search=me%2FW', [2]],
    ['?search=me%5CW', [2]],
    ['?search=100%25', [6]],
    ['?search=a_b', [5]],
    ['?search=e', [6, 5, 3, 2, 1]],
    ['?search=%25', [6]],
    ['?search=_', [5]],
    ['?search=nothing', []],
    ['?member=ANNA', [2]],
    ['?member=nobody', []],
    ['?member=anna&owner_name=octavia', []],
    ['?ids=3,1,9,x', [1, 3]],
    ['?ids[]=1&owner_name=acme', [1]],
    ['?ids=', []],
    ['?ids=4', []],
    ['?owner_name=%00', []],
    ['?slug=%00/%00', []],
    ['?search=%00', []],
    ['?member=%00', []],
    ['?slug=&search=&owner_name=&member=', [6, 5, 3, 2, 1]],
    ['?foo=1', [6, 5, 3, 2, 1]],
  ])('with "%s" lists the repositories %j', async (query, ids) => {
    const anna = await make.user('anna')
    await make.repository()
    const web = await make.repository({ owner_name: 'acme', name: 'web' })
    await make.repository({ owner_name: 'acme', name: 'key' })
    const hidden = await make.repository({ name: 'hidden', private: true })
    await make.repository({ name: 'a_be', active: false })
    await make.repository({ name: '100%e' })
    await make.permission(anna, web)
    await make.permission(anna, hidden)
    expect(await listed(`/repos${query}`)).toEqual(ids)
  })

  test.each([
    ['', 25],
    ['limit=3', 3],
    ['limit=50', 50],
    ['limit=99', 50],
    ['limit=0', 25],
    ['limit=-1', 25],
    ['limit=many', 25],
  ])('with "%s" lists at most %d repositories', async (query, most) => {
    for (let count = 0; count < 52; count += 1) await make.repository({ name: `r${count}` })
    expect(await listed(`/repos?${query}`)).toHaveLength(most)
    expect(await listed(`/repos/octavia?${query}`)).toHaveLength(most)
    const ids = Array.from({ length: 52 }, (_, index) => index + 1)
    expect(await listed(`/repos?${query}&ids=${ids.join(',')}`)).toEqual(ids)
  })

  test('lists the repositories that the caller can see', async () => {
    const anna = await make.user('anna')
    const open = await make.repository()
    const hidden = await make.repository({ name: 'hidden', private: true })
    await make.repository({ name: 'gone', deleted_at: noon })
    await make.repository({ name: 'invalid', invalidated_at: noon })
    await make.permission(anna, hidden)
    await setLastBuild(db, await make.build({ repository: open, private: true }), noon)
    await setLastBuild(db, await make.build({ repository: hidden }), noon)
    const other = await make.user()
    const paths = ['/repos?', '/repos?ids=1,2,3,4', '/repos?owner_name=octavia', '/repos/octavia?']
    for (const path of paths) {
      expect(await listed(path)).toEqual([1])
      expect(await listed(path, other.token)).toEqual([1])
      expect(new Set(await listed(path, anna.token))).toEqual(new Set([1, 2]))
      expect(await listed(path, await make.token(anna, ['public']))).toEqual([1])
      expect(await call(`GET ${path}`, { token: 'wrong' })).toMatchObject({ status: 403 })
      expect(await closed(`GET ${path}`)).toEqual({ status: 200, body: { repos: [] } })
      const { body } = await closed(`GET ${path}`, { token: anna.token })
      expect(idsOf(body, 'repos')).toEqual([2])
    }
    // Of an open repository, a build that was made in private is hidden.
    expect((await call('GET /repos?ids=1')).body).toEqual({ repos: [shownRepository] })
    expect(await listed('/repos?member=anna', other.token)).toEqual([])
    expect(await listed('/repos?member=anna', anna.token)).toEqual([2])
  })

  test.each(['/repos/nobody', '/repos/%00', '/repos/o%27clock', '/repos/constructor'])(
    'lists nothing for an unknown owner: %s',
    async (path) => {
      await make.repository()
      expect(await call(`GET ${path}`)).toEqual({ status: 200, body: { repos: [] } })
    },
  )
})

test.each(['owner_name[]=zzz', 'slug=a/b&slug=a/b', 'member[x]=y', 'search[]='])(
  '%s, which is not a single text, is refused rather than ignored',
  async (query) => {
    const answer = await call(`GET /repos?${query}`)
    expect(answer.status).toBe(400)
  },
)
