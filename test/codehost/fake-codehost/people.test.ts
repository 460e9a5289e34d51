import { describe, expect, test } from 'vitest'
import { fakeScene, named } from './scene.ts'

const { host, asInstallation, withToken } = await fakeScene()

describe('people', () => {
  test('are found by login and id', async () => {
    const grace = host.addUser({ login: 'grace', name: 'Grace Hopper', email: 'grace@example.org' })
    const nobody = withToken()
    const { data } = await nobody.rest.users.getByUsername({ username: 'Grace' })
    expect(data).toMatchObject({
      id: grace.id,
      login: 'grace',
      type: 'User',
      name: 'Grace Hopper',
      email: 'grace@example.org',
    })
    expect((await nobody.request('GET /user/{id}', { id: grace.id })).data).toEqual(data)
    await expect(nobody.rest.users.getByUsername({ username: 'none' })).rejects.toMatchObject({
      status: 404,
    })
  })

  test('see their own records', async () => {
    const octocats = host.addOrganization({ login: 'octocats', members: { linus: 'admin' } })
    const theirs = await host.addRepository({ owner: 'octocats', private: true })
    const linus = withToken(host.userToken('linus'))
    expect((await linus.rest.users.getAuthenticated()).data).toMatchObject({ login: 'linus' })
    expect((await linus.rest.orgs.listForAuthenticatedUser()).data).toMatchObject([
      { id: octocats.id, login: 'octocats' },
    ])
    const { data } = await linus.rest.repos.listForAuthenticatedUser()
    expect(data).toMatchObject([
      { id: theirs.id, permissions: { admin: true, push: true, pull: true } },
    ])
    await expect(withToken().rest.users.getAuthenticated()).rejects.toMatchObject({ status: 401 })
  })

  test('are members of organizations, which the app can read', async () => {
    const members = { 'owner-1': 'admin', 'member-1': 'member' } as const
    host.addOrganization({ login: 'guild', members })
    const octokit = await asInstallation(await host.addRepository({ owner: 'guild' }))
    const { data } = await octokit.rest.orgs.listMembers({ org: 'guild', role: 'admin' })
    expect(data.map(({ login }) => login)).toEqual(['owner-1'])
    const of = { org: 'guild', username: 'member-1' }
    expect((await octokit.rest.orgs.getMembershipForUser(of)).data).toMatchObject({
      state: 'active',
      role: 'member',
      user: { login: 'member-1' },
    })
    await expect(withToken().rest.orgs.listMembers({ org: 'guild' })).rejects.toMatchObject({
      status: 403,
    })
  })

  test.each([
    ['octavia', 'admin', 'admin'],
    ['maintainer', 'maintain', 'write'],
    ['writer', 'write', 'write'],
    ['triager', 'triage', 'read'],
    ['reader', 'read', 'read'],
    ['stranger', 'none', 'none'],
  ])('%s have the role %s, or %s in the older field', async (username, role_name, permission) => {
    const collaborators = {
      ...({ maintainer: 'maintain', writer: 'write' } as const),
      ...({ triager: 'triage', reader: 'read' } as const),
    }
    if (username === 'stranger') host.userToken('stranger')
    const repository = await host.addRepository({ name: username, private: true, collaborators })
    const octokit = await asInstallation(repository)
    const wanted = { ...named(repository), username }
    const { data } = await octokit.rest.repos.getCollaboratorPermissionLevel(wanted)
    expect(data).toMatchObject({ permission, role_name, user: { login: username } })
  })
})
