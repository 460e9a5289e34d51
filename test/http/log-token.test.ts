import { beforeAll, describe, expect, test } from 'vitest'
import { createServer } from '../../src/http/server.ts'
import { changeSettings } from '../../src/store/repositories/settings.ts'
import { testContext } from '../support/context.ts'
import { ownDatabase } from '../support/database.ts'
import { factories } from '../support/factories.ts'
import { caller } from './door.ts'
import { type BuildScene, makeBuilds } from './v3/build-scene.ts'

const { db } = await ownDatabase()
const make = factories(db)
const ctx = testContext(db)
const call = caller(await createServer(ctx))

let scene: BuildScene

// Job 1 is public; jobs 3 and 4 are private.
beforeAll(async () => {
  scene = await makeBuilds(db)
  for (const job of scene.jobs) await make.log(job, `log of ${job.id}\n`)
})

const as = (who: 'pusher' | 'reader' | 'other') => ({ authorization: `token ${scene.tokens[who]}` })

/** The path of the text, with its token, as V3 shows it. */
async function rawHref(who: 'pusher' | 'reader', jobId = 3): Promise<string> {
  const answer = await call(`GET /v3/job/${jobId}/log`, as(who))
  expect(answer.statusCode).toBe(200)
  return answer.json<Record<string, string>>()['@raw_log_href'] ?? ''
}

const tokenIn = (href: string) => decodeURIComponent(href.split('log.token=')[1] ?? '')

describe('the token of a log', () => {
  test('is in the path of a private log, and opens it without a login', async () => {
    const href = await rawHref('reader')
    expect(href).toMatch(/^\/v3\/job\/3\/log\.txt\?log\.token=[\w-]+$/)
    const answer = await call(`GET ${href}`)
    expect([answer.statusCode, answer.body]).toEqual([200, 'log of 3\n'])
    expect(answer.headers['x-oauth-scopes']).toBe('')
  })

  test('is not in the path of a public log', async () => {
    expect(await rawHref('pusher', 1)).toBe('/v3/job/1/log.txt')
    const { headers } = await call('GET /jobs/1/log', as('pusher'))
    expect(headers).not.toHaveProperty('x-log-access-token')
  })

  test('is a header of V2.1, and is accepted in the query and in the Authorization header', async () => {
    const answer = await call('GET /jobs/3/log', as('reader'))
    expect(answer.headers['access-control-expose-headers']).toBe(
      'Location, Content-Type, Cache-Control, Expires, Etag, Last-Modified, ' +
        'X-Log-Access-Token, X-Request-ID',
    )
    const token = String(answer.headers['x-log-access-token'])
    for (const path of ['/jobs/3/log', '/jobs/3/logs.txt', '/logs/3']) {
      const asked = `GET ${path}?access_token=${token}`
      expect((await call(asked, { accept: 'text/plain' })).body).toBe('log of 3\n')
    }
    for (const authorization of [`token ${token}`, `Bearer ${token}`]) {
      const headers = { authorization, accept: 'application/json; chunked=true' }
      const { statusCode, body } = await call('GET /jobs/3/log', headers)
      expect([statusCode, JSON.parse(body)]).toMatchObject([200, { log: { id: 3 } }])
    }
  })

  test('also shows the parts, but cannot be used to change the log', async () => {
    const token = tokenIn(await rawHref('pusher'))
    const answer = await call(`GET /v3/job/3/log?log.token=${token}`)
    const rights = { write: false, cancel: false, restart: false, delete_log: false }
    expect(answer.json()).toMatchObject({
      '@permissions': { read: true, view_log: true, debug: false, ...rights },
      // The same one, which cannot be made to last longer.
      '@raw_log_href': `/v3/job/3/log.txt?log.token=${token}`,
    })
    expect(answer.json()).not.toHaveProperty('@warnings')
    expect((await call(`GET /v3/job/3/log_parts?log.token=${token}`)).statusCode).toBe(200)
    const removed = await call(`DELETE /v3/job/3/log?log.token=${token}`)
    expect([removed.statusCode, removed.json()]).toMatchObject([
      403,
      { error_type: 'login_required' },
    ])
    const patched = await call(`PATCH /jobs/3/log?access_token=${token}`)
    expect(patched.statusCode).toBe(401)
    expect((await call('GET /jobs/3/log', as('pusher'))).body).toBe('log of 3\n')
  })

  test('is for a single job', async () => {
    const token = tokenIn(await rawHref('pusher'))
    for (const id of [1, 4, 9]) {
      for (const path of ['log', 'log.txt', 'log_parts']) {
        const answer = await call(`GET /v3/job/${id}/${path}?log.token=${token}`)
        expect(answer.statusCode).toBe(id === 1 ? 200 : 404)
      }
      expect((await call(`GET /jobs/${id}/log?access_token=${token}`)).statusCode).toBe(403)
    }
  })

  test('opens nothing but the log', async () => {
    const token = tokenIn(await rawHref('pusher'))
    const header = { authorization: `token ${token}` }
    for (const path of ['/job/3', '/build/2', '/repo/2', '/job/3/attempts', '/jobs']) {
      const answer = await call(`GET /v3${path}?log.token=${token}`)
      expect([path, [403, 404].includes(answer.statusCode)]).toEqual([path, true])
      expect([path, (await call(`GET /v3${path}`, header)).statusCode]).toEqual([path, 403])
    }
    expect((await call(`GET /jobs/3?access_token=${token}`)).statusCode).toBe(403)
    expect((await call('GET /jobs/3', header)).statusCode).toBe(403)
  })

  test('beats the login of the header', async () => {
    const token = tokenIn(await rawHref('reader'))
    const answer = await call(`GET /v3/job/3/log?log.token=${token}`, as('pusher'))
    expect(answer.json()).toMatchObject({ '@permissions': { write: false } })
  })

  test.each(['x', 'bsvc_00000000000000000000000000000000', '%00', 'AAAA', 'log.token=x'])(
    'is ignored when it is %j, and refused by V2.1',
    async (token) => {
      expect((await call(`GET /v3/job/1/log?log.token=${token}`)).statusCode).toBe(200)
      expect((await call(`GET /v3/job/3/log?log.token=${token}`)).statusCode).toBe(404)
      expect((await call(`GET /v3/job/3/log?log.token=${token}`, as('pusher'))).statusCode).toBe(
        200,
      )
      expect((await call(`GET /jobs/1/log?access_token=${token}`)).statusCode).toBe(403)
    },
  )

  test('is refused if it is given twice, and ignored if it is empty', async () => {
    const token = tokenIn(await rawHref('pusher'))
    const twice = `GET /v3/job/3/log?log.token=${token}&log.token=${token}`
    expect((await call(twice)).statusCode).toBe(404)
    expect((await call('GET /v3/job/1/log?log.token=')).statusCode).toBe(200)
    expect((await call('GET /jobs/1/log?access_token=')).statusCode).toBe(200)
  })

  test('is valid for a day', async () => {
    const later = testContext(db)
    const ofLater = caller(await createServer(later))
    const href = await rawHref('reader')
    later.pass(24 * 60 * 60 - 1)
    expect((await ofLater(`GET ${href}`)).statusCode).toBe(200)
    later.pass(1)
    expect((await ofLater(`GET ${href}`)).statusCode).toBe(404)
  })

  test('allows no more than its user can read now', async () => {
    const repository = await make.repository({ name: 'limited' })
    const build = await make.build({ repository, state: 'passed' })
    const job = await make.job({ build, state: 'passed' })
    const user = await make.user()
    await make.permission(user, repository, 'push')
    await changeSettings(db, repository.id, { job_log_access_based_limit: true })
    const path = `/v3/job/${job.id}/log`
    const answer = await call(`GET ${path}`, { authorization: `token ${user.token}` })
    const href = answer.json<Record<string, string>>()['@raw_log_href'] ?? ''
    expect(href).toContain('?log.token=')
    expect((await call(`GET ${href}`)).statusCode).toBe(200)
    await make.permission(user, repository, 'pull')
    expect((await call(`GET ${href}`)).statusCode).toBe(403)
    await db
      .updateTable('repositories')
      .set({ private: true })
      .where('id', '=', repository.id)
      .execute()
    await db.deleteFrom('permissions').where('user_id', '=', user.id).execute()
    expect((await call(`GET ${href}`)).statusCode).toBe(404)
  })

  test('is not returned to users who cannot see the log', async () => {
    const repository = await make.repository({ name: 'kept' })
    const job = await make.job({ build: await make.build({ repository, state: 'passed' }) })
    await make.log(job, 'kept\n')
    const user = await make.user()
    await make.permission(user, repository, 'pull')
    const authorization = `token ${user.token}`
    const paths = [`/v3/job/${job.id}/log`, `/v3/job/${job.id}/log_parts`, `/v3/job/${job.id}`]
    const everywhere = [...paths, `/jobs/${job.id}/log`, `/logs/${job.id}`, `/jobs/${job.id}`]
    const told = async () =>
      Promise.all(
        everywhere.map(async (path) => {
          const { statusCode, headers, body } = await call(`GET ${path}`, { authorization })
          return [statusCode, 'x-log-access-token' in headers || body.includes('log.token')]
        }),
      )
    await changeSettings(db, repository.id, { job_log_access_based_limit: true })
    const refused = [403, false]
    const shown = [200, false]
    expect(await told()).toEqual([refused, refused, shown, refused, refused, shown])
    // With the right there is one, so that its absence means something.
    await make.permission(user, repository, 'push')
    expect(await told()).toEqual([[200, true], shown, shown, [200, true], [200, true], shown])
    await db.deleteFrom('permissions').where('user_id', '=', user.id).execute()
    await db
      .updateTable('repositories')
      .set({ private: true })
      .where('id', '=', repository.id)
      .execute()
    const missing = [404, false]
    expect(await told()).toEqual(everywhere.map(() => missing))
  })

  test('is enough if all calls need a login or nothing is public', async () => {
    const href = await rawHref('reader')
    const token = tokenIn(href)
    const forced = testContext(db)
    const site = { ...forced.site, forceAuthentication: true, publicMode: false }
    const closed = caller(await createServer({ ...forced, site }))
    expect((await closed(`GET ${href}`)).statusCode).toBe(200)
    expect((await closed('GET /v3/job/3/log.txt')).statusCode).toBe(403)
    expect((await closed(`GET /v3/job/3?log.token=${token}`)).statusCode).toBe(403)
    const ofPublic = await closed('GET /v3/job/1/log', as('pusher'))
    expect(ofPublic.json()).toMatchObject({
      '@raw_log_href': expect.stringContaining('?log.token=') as string,
    })
  })

  test('of a public log needs a role of its user if nothing is public', async () => {
    const repository = await make.repository({ name: 'closed' })
    const job = await make.job({ build: await make.build({ repository, state: 'passed' }) })
    const user = await make.user()
    await make.permission(user, repository)
    const site = { ...ctx.site, publicMode: false }
    const closed = caller(await createServer({ ...ctx, site }))
    const authorization = `token ${user.token}`
    const answer = await closed(`GET /v3/job/${job.id}/log`, { authorization })
    const href = answer.json<Record<string, string>>()['@raw_log_href'] ?? ''
    const paths = [href, `/jobs/${job.id}/log?access_token=${tokenIn(href)}`]
    const statuses = async (of: typeof call) =>
      Promise.all(paths.map(async (path) => (await of(`GET ${path}`)).statusCode))
    expect(await statuses(closed)).toEqual([200, 200])
    await db.deleteFrom('permissions').where('user_id', '=', user.id).execute()
    expect(await statuses(closed)).toEqual([404, 404])
    expect(await statuses(call)).toEqual([200, 200])
  })

  test('is not stored', async () => {
    const rows = () => db.selectFrom('tokens').select('id').execute()
    const before = await rows()
    await rawHref('reader')
    expect(await rows()).toEqual(before)
  })
})
