import { beforeEach, describe, expect, test } from 'vitest'
import type { Branch } from '../../../src/domain/commit/commit.ts'
import type { User } from '../../../src/domain/owner.ts'
import type { Repository } from '../../../src/domain/repository.ts'
import { makeFeedToken } from '../../../src/flow/tokens/make-token.ts'
import { createServer } from '../../../src/http/server.ts'
import { putBranch } from '../../../src/store/repositories/branches.ts'
import { noon, testContext } from '../../support/context.ts'
import { testDatabase } from '../../support/database.ts'
import { factories } from '../../support/factories.ts'
import { caller } from '../door.ts'

const db = await testDatabase()
const make = factories(db)
const ctx = testContext(db)
const call = caller(await createServer(ctx))

let repository: Repository
let main: Branch
let anna: User

beforeEach(async () => {
  anna = await make.user('anna')
  repository = await make.repository({ name: 'hello', default_branch_name: 'main' })
  main = await putBranch(db, repository.id, 'main')
})

async function image(path: string, headers: Record<string, string> = {}) {
  const { statusCode, body, headers: sent } = await call(`GET ${path}`, headers)
  return { status: statusCode, says: /aria-label="build: (\w+)"/.exec(body)?.[1], body, sent }
}

const says = async (path: string) => (await image(path)).says

const built = (given: Parameters<typeof make.build>[0]) =>
  make.build({ repository, branch_id: main.id, private: repository.private, ...given })

describe('a status image', () => {
  test.each([
    ['passed', 'passing', 90],
    ['failed', 'failing', 81],
    ['errored', 'error', 76],
    ['canceled', 'canceled', 97],
  ] as const)('of a build that is %s reads %s', async (state, word, width) => {
    await built({ state })
    for (const path of ['/octavia/hello', '/repos/octavia/hello', `/repos/${repository.id}`]) {
      const { status, body, says: said, sent } = await image(`${path}.svg`)
      expect([status, said]).toEqual([200, word])
      expect(sent['content-type']).toBe('image/svg+xml; charset=utf-8')
      expect(body).toContain(`width="${width}" height="20" role="img"`)
      expect(body).toContain(`<title>build: ${word}</title>`)
    }
  })

  test('is the same image for a browser, not a page', async () => {
    await built({ state: 'passed' })
    const { sent, says: said } = await image('/octavia/hello.svg', { accept: 'text/html' })
    expect([sent['content-type'], said]).toEqual(['image/svg+xml; charset=utf-8', 'passing'])
  })

  test('shows the last finished build of the default branch or of the requested branch', async () => {
    const next = await putBranch(db, repository.id, 'feature/x')
    await built({ state: 'passed' })
    await built({ state: 'failed', branch_id: next.id })
    await built({ state: 'started', finished_at: null })
    await built({ state: 'errored', event_type: 'pull_request' })
    expect(await says('/octavia/hello.svg')).toBe('passing')
    expect(await says('/octavia/hello.svg?branch=feature%2Fx')).toBe('failing')
    expect(await says('/octavia/hello.svg?branch=none')).toBe('unknown')
    await built({ state: 'canceled', event_type: 'cron' })
    expect(await says('/octavia/hello.svg')).toBe('canceled')
  })

  test('is revalidated each time, and sent again only after it has changed', async () => {
    await built({ state: 'passed', finished_at: noon })
    const { sent } = await image('/octavia/hello.svg')
    expect(sent).toMatchObject({
      'cache-control': 'no-cache, max-age=0',
      expires: ctx.now().toUTCString(),
      'last-modified': noon.toUTCString(),
      'content-disposition': 'inline; filename="status.svg"',
      'cross-origin-resource-policy': 'cross-origin',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
      'x-content-type-options': 'nosniff',
    })
    const known = { 'if-none-match': String(sent['etag']) }
    expect(await image('/octavia/hello.svg', known)).toMatchObject({ status: 304, body: '' })
    await built({ state: 'failed' })
    expect(await image('/octavia/hello.svg', known)).toMatchObject({ status: 200, says: 'failing' })
  })

  test('in PNG redirects to the image in SVG', async () => {
    for (const path of ['/octavia/hello', '/repos/octavia/hello', `/repos/${repository.id}`]) {
      const { status, sent } = await image(`${path}.png?branch=feature%2Fx`)
      const name = path.slice(path.lastIndexOf('/') + 1)
      expect([status, sent['location']]).toEqual([302, `${name}.svg?branch=feature%2Fx`])
      expect(sent['cache-control']).toBe('no-cache, max-age=0')
    }
  })
})

describe('the status image of a private repository', () => {
  let hidden: Repository

  beforeEach(async () => {
    hidden = await make.repository({ name: 'hidden', private: true, default_branch_name: 'main' })
    const { id: branch_id } = await putBranch(db, hidden.id, 'main')
    await make.build({ repository: hidden, branch_id, state: 'passed', private: true })
  })

  test('looks like that of a missing repository or one without a build, whatever the token', async () => {
    const missing = await image('/octavia/absent.svg')
    expect([missing.status, missing.says]).toEqual([200, 'unknown'])
    expect(missing.sent['cache-control']).toBe('no-store')
    const foreign = await makeFeedToken(ctx, actor(await make.user('berta')))
    for (const path of [
      ...['/octavia/hello.svg', '/octavia/hidden.svg', '/octavia/hidden.svg?token=wrong'],
      ...[`/octavia/hidden.svg?token=${foreign}`, '/octavia/absent.svg?token=wrong'],
    ]) {
      const { status, body, sent } = await image(path)
      expect([status, body]).toEqual([200, missing.body])
      expect(withoutCall(sent)).toEqual(withoutCall(missing.sent))
    }
  })

  test('shows the state for a feed token of a user who can see the repository', async () => {
    await make.permission(anna, hidden)
    const token = await makeFeedToken(ctx, actor(anna))
    expect(await says(`/octavia/hidden.svg?token=${token}`)).toBe('passing')
    expect(await says('/octavia/hidden.svg')).toBe('unknown')
  })
})

/** Headers, without those about the call and its token. */
const withoutCall = (headers: object) => ({
  ...headers,
  date: '',
  'x-request-id': '',
  'x-oauth-scopes': '',
})

const actor = (user: User) => ({ user, token_id: null, address: '127.0.0.1' })
