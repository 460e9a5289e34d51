import { expect, test } from 'vitest'
import { hiddenIn, loginScene } from '../http/login-scene.ts'
import { testDatabase } from '../support/database.ts'
import { factories } from '../support/factories.ts'

// A link makes a victim log in once more, for an address of the attacker's choice.

const db = await testDatabase()
const make = factories(db)
const { server, host, logIn, visitor } = await loginScene(db)

test('a login that the explorer receives changes nothing', async () => {
  const browser = visitor()
  await logIn(browser)
  const user = await db.selectFrom('users').selectAll().executeTakeFirstOrThrow()
  const repository = await make.repository({ name: 'victim' })
  await make.permission(user, repository, 'push')
  const target = new URL('https://ci.example.org/docs/v3/setting/update')
  target.searchParams.set('address.repository.id', String(repository.id))
  target.searchParams.set('address.setting.name', 'share_encrypted_env_with_forks')
  target.searchParams.set('parameter.setting.value', 'true')
  const begun = `/auth/handshake?redirect_uri=${encodeURIComponent(target.href)}`
  const page = await logIn(browser, begun)
  const [, action = ''] = /action="([^"]*)"/.exec(page.body) ?? []
  const fields = hiddenIn(page.body)
  expect(action).toContain('/docs/v3/setting/update')
  expect(Object.keys(fields)).toContain('token')
  const answer = await browser.post(action.replaceAll('&amp;', '&'), fields)
  expect(answer.body).not.toContain('share_encrypted_env_with_forks&quot;')
  expect(await db.selectFrom('repository_settings').selectAll().execute()).toEqual([])
  const changes = await db.selectFrom('audit_records').select('action').execute()
  expect(changes.map((change) => change.action)).not.toContain('change_settings')
})

test('a login for another site does not log the browser out of our own pages', async () => {
  const browser = visitor()
  await logIn(browser)
  const session = browser.cookies.get('__Host-service.session')
  await logIn(browser, '/auth/handshake?redirect_uri=https%3A%2F%2Fapp.example.org%2Fafter')
  expect(browser.cookies.get('__Host-service.session')).toBe(session)
  expect((await browser.get('/profile')).statusCode).toBe(200)
})

test('no page accepts a token in its address', async () => {
  await logIn(visitor())
  const exchanged = await server.inject({
    method: 'POST',
    url: '/auth/codehost',
    headers: { accept: 'application/json' },
    payload: { codehost_token: host.userToken('octavia') },
  })
  const { access_token: token } = exchanged.json<{ access_token: string }>()
  const headers = { accept: 'text/html', 'content-type': 'application/x-www-form-urlencoded' }
  const explored = await server.inject({
    method: 'POST',
    url: `/docs/v3/user/current?token=${token}&api_token=${token}`,
    headers,
    payload: '',
  })
  expect(explored.body).toContain('login required')
  const taken = await server.inject({
    method: 'POST',
    url: `/auth/handshake?state=x&codehost_token=${token}`,
    headers: { ...headers, cookie: '__Host-service.state-codehost=x' },
    payload: '',
  })
  expect(taken.headers['set-cookie']?.toString() ?? '').not.toContain('__Host-service.session=')
})
