import { expect, test } from 'vitest'
import {
  alice,
  build,
  client,
  commit,
  expectRepository,
  job,
  make,
  ok,
  repo,
  useClient,
} from './official-client.ts'

useClient()

// What the official client does with builds and jobs, and as whom; see `official-client.ts`.

/** What the client keeps of a user. */
const user = () => ({
  id: alice.id,
  login: 'alice',
  name: 'Name of alice',
  email: 'alice@example.org',
  locale: null,
  is_syncing: false,
  correct_scopes: true,
  channels: [`private-user-${alice.id}`],
})

const expectUser = async () =>
  expect(await client('GET /users/')).toMatchObject(ok({ user: user() }))

async function expectPermissions() {
  await expectUser()
  expect(await client('GET /users/permissions')).toEqual(
    ok({ permissions: [1], admin: [1], pull: [1], push: [1] }),
  )
}

/** By its number, with its jobs in the same response or one by one. */
async function expectBuild(number = '7') {
  expect(await client(`GET /builds/?number=${number}&repository_id=1`)).toMatchObject(
    ok({ builds: [build], commits: [commit] }),
  )
  expect(await client('GET /jobs/1')).toMatchObject(ok({ job, commit }))
}

test('whoami', async () => {
  expect(await client('GET /users/')).toMatchObject(ok({ user: user() }))
})

test('login', async () => {
  const other = await make.token(alice)
  expect(await client('GET /users/', { token: other })).toMatchObject(
    ok({ user: { login: 'alice', correct_scopes: true } }),
  )
})

test('accounts', async () => {
  expect(await client('GET /accounts/?all=true')).toEqual(
    ok({
      accounts: [
        {
          id: alice.id,
          login: 'alice',
          name: 'Name of alice',
          type: 'user',
          repos_count: 0,
          avatar_url: null,
        },
        {
          id: 1,
          login: 'acme',
          name: null,
          type: 'organization',
          repos_count: 1,
          avatar_url: null,
        },
      ],
    }),
  )
})

test('repos', async () => {
  expect(await client('GET /hooks')).toMatchObject(
    ok({
      hooks: [{ id: 1, slug: 'acme/web', active: true, description: 'The site', admin: true }],
    }),
  )
  await expectPermissions()
  expect(await client('GET /repos/?ids%5B%5D=1')).toEqual(ok({ repos: [repo] }))
})

test('sync', async () => {
  await expectUser()
  expect(await client(`GET /users/${alice.id}`)).toMatchObject(ok({ user: user() }))
})

test('whatsup', async () => {
  await expectUser()
  for (const path of ['/repos/?member=alice', '/repos/']) {
    expect(await client(`GET ${path}`)).toEqual(ok({ repos: [repo] }))
  }
})

test('branches', async () => {
  await expectRepository()
  expect(await client('GET /branches?repository_id=1')).toMatchObject(
    ok({
      branches: [{ number: '7', state: 'passed', commit_id: 1, pull_request: false }],
      commits: [{ id: 1, branch: 'main', message: 'Say hello' }],
    }),
  )
})

test('history', async () => {
  await expectRepository()
  expect(await client('GET /builds/?repository_id=1')).toMatchObject(
    ok({ builds: [build], commits: [commit] }),
  )
  expect(await client('GET /builds/?after_number=7&repository_id=1')).toEqual(
    ok({ builds: [], jobs: [], commits: [] }),
  )
})

test('show, of a build and of one of its jobs', async () => {
  await expectRepository()
  await expectBuild()
})

test('show a branch', async () => {
  await expectRepository()
  expect(await client('GET /repos/1/branches/main')).toMatchObject(
    ok({ branch: { number: '7' }, commit: { id: 1 } }),
  )
  await expectBuild()
})

test('console', async () => {
  expect(await client('GET /broadcasts/')).toEqual(ok({ broadcasts: [] }))
  expect(await client('GET /builds/?ids%5B%5D=1')).toMatchObject(ok({ builds: [build] }))
  expect(await client('GET /jobs/?ids%5B%5D=1')).toMatchObject(
    ok({ jobs: [job], commits: [commit] }),
  )
})
