import { beforeAll, describe, expect, test } from 'vitest'
import { listedParameters } from '../../../../src/http/openapi/parameters.ts'
import { catalogue } from '../../../../src/http/pages/explorer/catalogue.ts'
import { createServer } from '../../../../src/http/server.ts'
import { testContext } from '../../../support/context.ts'
import { ownDatabase } from '../../../support/database.ts'
import { factories } from '../../../support/factories.ts'
import { caller, prefixed } from '../../door.ts'
import { hiddenIn, visitorOf } from '../../login-scene.ts'
import { addressesIn, tagsIn, textIn, withoutTags } from '../reading.ts'

const { db } = await ownDatabase()
const make = factories(db)
const ctx = testContext(db)
const call = caller(await createServer(ctx))
const page = (path: string) => call(`GET ${path}`, { accept: 'text/html' })

let token = ''

beforeAll(async () => {
  const member = await make.user('member')
  token = member.token
  await make.repository({ name: 'hello' })
  const secret = await make.repository({ name: 'secret', private: true })
  await make.permission(member, secret, 'admin')
})

/** Sends the form of an action, as a browser does. */
async function send(action: string, fields: Record<string, string>, to = call, prefix = '') {
  const { statusCode, headers, body } = await to(
    `POST ${prefix}/docs/v3/${action}`,
    { accept: 'text/html', 'content-type': 'application/x-www-form-urlencoded' },
    new URLSearchParams(fields).toString(),
  )
  return { status: statusCode, headers, body, text: textIn(body) }
}

test('lists and objects are typed as JSON', async () => {
  const fields = { 'address.repository.id': '1', api_token: token }
  const field = 'parameter.request_preview.configs'
  const bad = await send('request_preview/create', { ...fields, [field]: '[{"config":' })
  expect([bad.status, bad.text]).toEqual([
    200,
    expect.stringContaining('request_preview.configs must be JSON, such as ["a"] or {"a": "b"}'),
  ])
  const sent = await send('request_preview/create', { ...fields, [field]: '[{"config": 7}]' })
  expect(sent.text).toContain('{"request_preview.configs":[{"config":7}]}')
})

const everyAction = catalogue.flatMap(({ actions }) => actions)

describe('the documentation', () => {
  test.each(['/docs', '/docs/'])('at %s leads to both generations', async (path) => {
    const { statusCode, body } = await page(path)
    expect(statusCode).toBe(200)
    expect(addressesIn(body)).toEqual(
      expect.arrayContaining([
        ...['/docs/v3', '/docs/v3.json', '/docs/v2.1', '/docs/v2.1.json', '/docs/lint'],
      ]),
    )
  })

  test('of V3 lists every resource with its actions', async () => {
    const { statusCode, body } = await page('/docs/v3')
    expect(statusCode).toBe(200)
    const addresses = addressesIn(body)
    for (const { type } of catalogue) expect(addresses).toContain(`/docs/v3/${type}`)
    for (const { resource, name } of everyAction) {
      expect(addresses).toContain(`/docs/v3/${resource}/${name}`)
    }
  })

  test.each(['/docs/v3/nothing', '/docs/v3/repository/nothing', '/docs/v3/__proto__'])(
    'has no %s',
    async (path) => {
      expect((await page(path)).statusCode).toBe(404)
    },
  )
})

describe('the page of a resource', () => {
  test.each(catalogue)('shows $type and its actions', async ({ type, actions }) => {
    const { statusCode, body } = await page(`/docs/v3/${type}`)
    const text = textIn(body)
    expect([statusCode, withoutTags(body).includes('<')]).toEqual([200, false])
    for (const { templates, endpoint } of actions) {
      for (const template of templates) expect(text).toContain(`${endpoint.method} ${template} `)
    }
  })

  test('shows what its attributes hold and in which representations they occur', async () => {
    const text = textIn((await page('/docs/v3/repository')).body)
    expect(text).toContain('slug text minimal standard')
    expect(text).toContain('description text or null standard')
    expect(text).toContain('owner user or organization or null standard list minimal_with_build')
    expect(text).toContain('build_count integer include=repository.build_count')
    expect(textIn((await page('/docs/v3/branch')).body)).toContain(
      'recent_builds list of build or null include=branch.recent_builds',
    )
    expect(textIn((await page('/docs/v3/branches')).body)).toContain(
      'A list of branch , in pages of 25, sorted by name,',
    )
  })
})

describe('the page of an action', () => {
  test.each(everyAction)('shows $resource: $name', async ({ resource, name, endpoint }) => {
    const { statusCode, body } = await page(`/docs/v3/${resource}/${name}`)
    expect([statusCode, withoutTags(body).includes('<')]).toEqual([200, false])
    const text = textIn(body)
    for (const [parameter] of listedParameters(endpoint)) expect(text).toContain(` ${parameter} `)
    expect(tagsIn(body).find((tag) => tag.name === 'form')?.attributes).toEqual({
      class: 'given',
      method: 'post',
      action: `/docs/v3/${resource}/${name}#try`,
    })
  })

  test('has an example, and the possible errors', async () => {
    const text = textIn((await page('/docs/v3/branch/find')).body)
    expect(text).toContain('404 not_found')
    expect(text).toContain('Such as: { "@type": "branch", "@href": "/…", ')
  })
})

describe('the form of an action', () => {
  test('calls anonymously by default', async () => {
    const { status, text, headers } = await send('repository/find', {
      'address.repository.slug': 'octavia/hello',
    })
    expect([status, headers['cache-control']]).toEqual([200, 'no-store'])
    expect(text).toContain('Response: 200 GET /v3/repo/octavia%2Fhello { "@type": "repository"')
    expect(text).toContain('"@href": "/v3/repo/1"')
  })

  test('sends parameters, and shows the values that were entered', async () => {
    const { body, text } = await send('branches/find', {
      'address.repository.id': '1',
      'parameter.limit': '2',
      'parameter.sort_by': 'name:desc',
    })
    expect(text).toContain('GET /v3/repo/1/branches?limit=2&sort_by=name%3Adesc')
    expect(text).toContain('"limit": 2')
    const values = tagsIn(body).filter((tag) => tag.name === 'input')
    expect(values.map(({ attributes }) => [attributes.name, attributes.value])).toEqual(
      expect.arrayContaining([
        ['address.repository.id', '1'],
        ['parameter.limit', '2'],
        ['parameter.offset', ''],
      ]),
    )
  })

  test('calls with the token that was entered, and never shows it', async () => {
    const hidden = { 'address.repository.slug': 'octavia/secret' }
    const { text, body, headers } = await send('repository/find', { ...hidden, api_token: token })
    expect(text).toContain('Response: 200')
    expect(text).toContain('"admin": true')
    expect(body + JSON.stringify(headers)).not.toContain(token)
    expect((await send('repository/find', hidden)).text).toContain('Response: 404')
    expect((await send('repository/find', { ...hidden, api_token: 'x' })).text).toContain(
      'Response: 403',
    )
  })

  // No page of elsewhere can have a browser do something with the credentials that it sends by itself.
  test('ignores a token in the headers', async () => {
    const { body } = await call(
      'POST /docs/v3/repository/find',
      {
        accept: 'text/html',
        authorization: `token ${token}`,
        'content-type': 'application/x-www-form-urlencoded',
      },
      new URLSearchParams({ 'address.repository.slug': 'octavia/secret' }).toString(),
    )
    expect(textIn(body)).toContain('Response: 404')
  })

  test('calls as the user of the session, but only from its own page', async () => {
    const browser = visitorOf(await createServer(ctx))
    await browser.submit('/login', '/auth/handshake', { codehost_token: token })
    const address = '/docs/v3/repository/find'
    expect(textIn((await browser.get(address)).body)).toContain('without one, you call as member')
    const fields = { 'address.repository.slug': 'octavia/secret' }
    const own = await browser.submit(address, `${address}#try`, fields)
    expect(textIn(own.body)).toContain('Response: 200')
    expect(textIn(own.body)).toContain('"admin": true')
    // A call that changes something comes from no form.
    const star = '/docs/v3/repository/star'
    const starred = await browser.submit(star, `${star}#try`, fields)
    expect(textIn(starred.body)).toContain('Response: 200')
    expect(await db.selectFrom('stars').selectAll().execute()).toHaveLength(1)
    const elsewhere = await browser.post(address, fields)
    expect([elsewhere.statusCode, textIn(elsewhere.body)]).toEqual([
      403,
      expect.stringContaining('the form belongs to another session'),
    ])
    // The form of a session that has ended is not sent for a stranger.
    const form = hiddenIn((await browser.get(address)).body, `${address}#try`)
    const ended = await visitorOf(await createServer(ctx)).post(address, { ...form, ...fields })
    expect([ended.statusCode, textIn(ended.body)]).toEqual([
      403,
      expect.stringContaining('the form belongs to another session'),
    ])
    // A token counts more than the session.
    const stranger = await make.user('stranger')
    const other = await browser.submit(address, `${address}#try`, {
      ...fields,
      api_token: stranger.token,
    })
    expect(textIn(other.body)).toContain('Response: 404')
  })

  test('accepts no token in the address', async () => {
    const answer = await page(
      `/docs/v3/repository/find?token=${token}&address.repository.slug=octavia%2Fsecret`,
    )
    expect(answer.statusCode).toBe(200)
    expect(answer.body).not.toContain(token)
    expect(answer.body).not.toContain('Answer:')
  })

  test('sends a body, and shows it', async () => {
    const { text } = await send('lint/lint', { 'parameter.lint.content': 'scirpt: <b>make</b>' })
    expect(text).toContain('POST /v3/lint {"lint.content":"scirpt: <b>make</b>"}')
    expect(text).toContain('"key": [ "scirpt" ]')
  })

  test.each([
    [{}, 'Fill in provider and repository.id, or provider and repository.slug, or repository.id,'],
    [{ 'address.provider': 'codehost' }, 'Fill in provider and repository.id'],
    [{ 'address.repository.id': '..' }, 'Fill in'],
    [{ 'address.repository.id': '.' }, 'Fill in'],
  ])('names missing fields: %j', async (fields, expected) => {
    const { status, text } = await send('repository/find', fields)
    expect(status).toBe(200)
    expect(text).toContain(expected)
    expect(text).not.toContain('Answer:')
  })

  test.each([
    '../../lint',
    '1?x=1',
    '1#x',
    '//evil.example/',
    '1\r\nx: y',
    '\u0000',
    '%2e%2e',
    '"><script>alert(1)</script>',
    'a'.repeat(2000),
  ])('calls only its own action: %j', async (id) => {
    const { status, text, body } = await send('repository/find', { 'address.repository.id': id })
    expect(status).toBe(200)
    expect(text).toContain('Response: 404')
    expect(text).toContain('"error_type": "not_found"')
    expect(tagsIn(body).some(({ name }) => name === 'script')).toBe(false)
    expect(withoutTags(body)).not.toContain('<')
  })

  test('cuts responses that are too long to show', async () => {
    const content = Array.from({ length: 1500 }, (_none, index) => `key${index}: 1\n`).join('')
    const { text } = await send('lint/lint', { 'parameter.lint.content': content })
    expect(text.includes('Only the beginning is shown.')).toBe(true)
  })

  test('works below the path of the installation', async () => {
    const below = caller(await createServer(prefixed(ctx)))
    const { text } = await send('repository/find', { 'address.repository.id': '1' }, below, '/ci')
    expect(text).toContain('Response: 200 GET /ci/v3/repo/1')
    expect(text).toContain('"@href": "/ci/v3/repo/1"')
  })

  test('shares the limit of its action, by the address of the caller', async () => {
    const spent = { ...testContext(db), reader: costly() }
    const to = caller(await createServer(spent))
    const fields = { 'parameter.lint.content': 'script: make' }
    expect((await send('lint/lint', fields, to)).text).toContain('Response: 200')
    expect((await send('lint/lint', fields, to)).text).toContain('Response: 429')
  })

  const costly = (): typeof ctx.reader => ({
    run: async (...reading) => ({ ...(await ctx.reader.run(...reading)), spent: 10_000 }),
  })
})
