import { createSign, generateKeyPairSync } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { Repository } from '../../support/codehost/tables.ts'
import { noon } from '../../support/context.ts'
import { fakeScene, named } from './scene.ts'

let time = noon
const { host, asApp, withToken, makeRepository } = await fakeScene({ now: () => time })
const seconds = Math.floor(noon.getTime() / 1000)

/** A token as the app signs it, with the given oddities. */
function appToken({ key = host.app.privateKey, alg = 'RS256', ...claims }: Odd = {}): string {
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const usual = { iat: seconds - 30, exp: seconds + 570, iss: String(host.app.id) }
  const text = `${part({ alg, typ: 'JWT' })}.${part({ ...usual, ...claims })}`
  return `${text}.${createSign('RSA-SHA256').update(text).sign(key, 'base64url')}`
}

interface Odd {
  key?: string
  alg?: string
  iat?: unknown
  exp?: unknown
  iss?: unknown
}

function stranger(): string {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  return privateKey.export({ type: 'pkcs1', format: 'pem' }).toString()
}

/** Creates a token for the installation that a new private repository belongs to. */
async function makeToken(given: Record<string, unknown> = {}, of?: Repository) {
  const repository = of ?? (await makeRepository({ private: true }))
  const installation_id = host.refTo(repository).installation ?? 0
  const call = 'POST /app/installations/{installation_id}/access_tokens'
  const answer = await withToken(appToken()).request(call, { installation_id, ...given })
  return { repository, data: answer.data, octokit: withToken(answer.data.token) }
}

describe('the app', () => {
  test('gets its registration and its permissions', async () => {
    const { data } = await withToken(appToken()).rest.apps.getAuthenticated()
    const { id, permissions, events } = host.app
    expect(data).toMatchObject({ id, slug: 'build-service', permissions, events })
  })

  test('can identify itself by its client id', async () => {
    const { status } = await withToken(appToken({ iss: host.app.clientId })).request('GET /app')
    expect(status).toBe(200)
  })

  test.each([
    ['signed by a stranger', { key: stranger() }, 401, /could not be decoded/],
    ['signed with another algorithm', { alg: 'HS256' }, 401, /could not be decoded/],
    ['that has expired', { exp: seconds }, 401, /'Expiration time' claim .* numeric value/],
    ['with too long a lifetime', { exp: seconds + 601 }, 401, /too far in the future/],
    ['issued in the future', { iat: seconds + 60 }, 401, /'Issued at' claim/],
    ['of another app', { iss: '1' }, 404, /Integration not found/],
  ])('is rejected with a token %s', async (_, odd: Odd, status, message) => {
    await expect(withToken(appToken(odd)).request('GET /app')).rejects.toMatchObject({
      status,
      message: expect.stringMatching(message),
    })
  })

  // The machine's clock is years away from the code host's; the date of a response lets Octokit
  // correct that.
  test('copes with a different clock', async () => {
    const { data } = await (await asApp()).request('GET /app')
    expect(data).toMatchObject({ slug: 'build-service' })
  })

  test('cannot act as an installation, nor an installation as the app', async () => {
    const { octokit, repository } = await makeToken()
    const app = withToken(appToken())
    await expect(app.rest.apps.listReposAccessibleToInstallation()).rejects.toMatchObject({
      status: 403,
      message: expect.stringContaining('not accessible by integration'),
    })
    await expect(app.rest.repos.get(named(repository))).rejects.toMatchObject({ status: 404 })
    await expect(octokit.request('GET /app')).rejects.toMatchObject({
      status: 401,
      message: expect.stringContaining('could not be decoded'),
    })
  })
})

describe('the token of an installation', () => {
  test('reports its permissions and repositories', async () => {
    const { data } = await makeToken()
    expect(data).toEqual({
      token: expect.stringMatching(/^ghs_\w+$/),
      expires_at: '2026-01-02T13:00:00Z',
      permissions: host.app.permissions,
      repository_selection: 'all',
    })
  })

  test('expires after an hour', async () => {
    const { octokit, repository } = await makeToken()
    const read = () => octokit.rest.repos.get(named(repository))
    expect(await read()).toMatchObject({ status: 200 })
    time = new Date(noon.getTime() + 60 * 60 * 1000)
    await expect(read()).rejects.toMatchObject({
      status: 401,
      message: expect.stringContaining('Bad credentials'),
    })
    time = noon
  })

  test('can be limited to a repository and to read access', async () => {
    const other = await makeRepository({ private: true })
    const open = await makeRepository()
    const { octokit, data } = await makeToken({
      repository_ids: [other.id],
      permissions: { contents: 'read' },
    })
    expect(data).toMatchObject({
      repository_selection: 'selected',
      permissions: { metadata: 'read', contents: 'read' },
      repositories: [{ id: other.id, full_name: `octavia/${other.name}`, private: true }],
    })
    const { repositories } = (await octokit.rest.apps.listReposAccessibleToInstallation()).data
    expect(repositories.map(({ id }) => id)).toEqual([other.id])
    expect(await octokit.rest.repos.get(named(open))).toMatchObject({ status: 200 })

    const mine = await makeRepository({ private: true })
    await expect(octokit.rest.repos.get(named(mine))).rejects.toMatchObject({ status: 404 })
    const sha = await host.commit(other)
    const report = { ...named(other), sha, state: 'success' } as const
    await expect(octokit.rest.repos.createCommitStatus(report)).rejects.toMatchObject({
      status: 403,
      message: expect.stringContaining('Resource not accessible by integration'),
      response: { headers: { 'x-accepted-github-permissions': 'statuses=write' } },
    })
  })

  test.each([
    [{ repository_ids: [1] }, /at least one repository that does not exist/],
    [{ repositories: ['hello', 'none'] }, /at least one repository that does not exist/],
    [{ permissions: { contents: 'write' } }, /not granted to this installation/],
  ])('is not created with %j', async (given, message) => {
    await expect(makeToken(given)).rejects.toMatchObject({
      status: 422,
      message: expect.stringMatching(message),
    })
  })

  test('stops working once it is revoked, or its installation is suspended or removed', async () => {
    const repository = await host.addRepository({ owner: 'grace', private: true })
    const { octokit } = await makeToken({}, repository)
    const read = () => octokit.request('GET /repositories/{id}', { id: repository.id })
    expect(await read()).toMatchObject({ status: 200 })

    const [installation] = host.tables.installations.slice(-1)
    if (!installation) throw new Error('the app is not installed')
    await host.suspend(installation)
    await expect(read()).rejects.toMatchObject({
      status: 403,
      message: expect.stringContaining('suspended'),
    })
    await host.suspend(installation, false)
    expect(await read()).toMatchObject({ status: 200 })

    host.revokeTokens(installation)
    const { octokit: other } = await makeToken()
    await expect(read()).rejects.toMatchObject({ status: 401 })
    expect(await other.request('GET /installation/repositories')).toMatchObject({ status: 200 })

    await host.uninstall(installation)
    const app = withToken(appToken())
    const { id: installation_id } = installation
    await expect(app.rest.apps.getInstallation({ installation_id })).rejects.toMatchObject({
      status: 404,
    })
  })
})

test('installations are listed, and found by id, account and repository', async () => {
  const organization = host.addOrganization({ login: 'octocats', members: { octavia: 'admin' } })
  const repository = await host.addRepository({ owner: 'octocats' })
  const app = withToken(appToken())
  const { data } = await app.rest.apps.getRepoInstallation(named(repository))
  expect(data).toMatchObject({
    id: host.refTo(repository).installation,
    account: { id: organization.id, login: 'octocats', type: 'Organization' },
    target_type: 'Organization',
    repository_selection: 'all',
    suspended_at: null,
    permissions: host.app.permissions,
    events: host.app.events,
  })
  expect((await app.rest.apps.getOrgInstallation({ org: 'Octocats' })).data).toEqual(data)
  const all = await app.paginate(app.rest.apps.listInstallations, { per_page: 1 })
  expect(all).toContainEqual(data)
  expect(all).toHaveLength(host.tables.installations.length)

  const nowhere = await host.addRepository({ owner: 'ada', installed: false })
  await expect(app.rest.apps.getRepoInstallation(named(nowhere))).rejects.toMatchObject({
    status: 404,
  })
})
