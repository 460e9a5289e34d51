import { describe, expect, test } from 'vitest'
import { git, temporaryFolders } from '../local/git-folder.ts'
import { webhookScene } from './webhook-scene.ts'

const { host, received, names, watched, webhookUrl, events } = await webhookScene()
const { makeFolder } = await temporaryFolders()
const zeros = '0'.repeat(40)

describe('a push', () => {
  test('reports both commits, and the new commits between them', async () => {
    const { repository, installation } = await watched()
    const before = await host.commit(repository)
    received.length = 0
    const after = await host.commit(repository, { files: { file: 'y', new: 'x' }, message: 'Do' })
    const page = `${host.url}/octavia/${repository.name}`
    const commit = {
      id: after,
      message: 'Do',
      timestamp: '2026-01-02T12:00:00Z',
      distinct: true,
      author: { name: 'Ada', email: 'ada@example.org' },
      url: `${page}/commit/${after}`,
      added: ['new'],
      modified: ['file'],
      removed: [],
    }
    expect(received).toMatchObject([
      {
        name: 'push',
        payload: {
          ref: 'refs/heads/main',
          before,
          after,
          base_ref: null,
          created: false,
          deleted: false,
          forced: false,
          compare: `${page}/compare/${before.slice(0, 12)}...${after.slice(0, 12)}`,
          commits: [commit],
          head_commit: commit,
          pusher: { name: 'octavia' },
          repository: { id: repository.id, owner: { name: 'octavia' } },
          sender: { login: 'octavia' },
          installation: { id: installation },
        },
      },
    ])
  })

  test('of a new branch reports the commits that no other branch had', async () => {
    const { repository } = await watched()
    const first = await host.commit(repository, { branch: 'greet' })
    expect(names()).toEqual(['create', 'push'])
    expect(received.map(({ payload }) => payload)).toMatchObject([
      { ref: 'greet', ref_type: 'branch', master_branch: 'main' },
      { ref: 'refs/heads/greet', before: zeros, after: first, created: true, forced: false },
    ])
    expect(received[1]?.payload.commits).toMatchObject([{ id: first }])

    received.length = 0
    await host.pushRef(repository, 'refs/heads/same', { sha: first })
    expect(received[1]?.payload).toMatchObject({
      base_ref: 'refs/heads/greet',
      commits: [],
      head_commit: { id: first },
      compare: `${host.url}/octavia/${repository.name}/compare/same`,
    })
  })

  test('back to an earlier commit is a forced push', async () => {
    const { repository } = await watched()
    const first = await host.commit(repository, { branch: 'greet' })
    const second = await host.commit(repository, { branch: 'greet' })
    received.length = 0
    await host.pushRef(repository, 'refs/heads/greet', { sha: first })
    expect(received).toMatchObject([
      { payload: { before: second, after: first, forced: true, head_commit: { id: first } } },
    ])
  })

  test('that deletes a branch has no commit', async () => {
    const { repository } = await watched()
    const before = await host.commit(repository, { branch: 'greet' })
    received.length = 0
    await host.pushRef(repository, 'refs/heads/greet')
    expect(received).toMatchObject([
      { name: 'delete', payload: { ref: 'greet', ref_type: 'branch' } },
      {
        name: 'push',
        payload: { before, after: zeros, deleted: true, head_commit: null, commits: [] },
      },
    ])
  })

  test('of an annotated tag names the tag, and the commit', async () => {
    const { repository } = await watched()
    const sha = await host.commit(repository)
    received.length = 0
    await host.pushRef(repository, 'refs/tags/v1', { sha, message: 'One' })
    const [created, pushed] = received.map(({ payload }) => payload)
    expect(created).toMatchObject({ ref: 'v1', ref_type: 'tag' })
    expect(pushed).toMatchObject({ ref: 'refs/tags/v1', commits: [], head_commit: { id: sha } })
    expect(pushed?.after).not.toBe(sha)
  })

  test('by git is reported like any other, unless it has more than three tags', async () => {
    const { repository } = await watched()
    const clone = await makeFolder()
    const remote = new URL(`${host.url}/octavia/${repository.name}.git`)
    Object.assign(remote, { username: 'octavia', password: host.userToken('octavia') })
    await git(clone, 'fetch', '--quiet', remote.href, 'main')
    const push = async (...tags: string[]) => {
      for (const tag of tags) await git(clone, 'tag', tag, 'FETCH_HEAD')
      await git(clone, 'push', '--quiet', remote.href, ...tags)
      return received.splice(0).map(({ name, payload }) => `${name} ${String(payload.ref)}`)
    }
    expect(await push('a', 'b')).toEqual([
      ...['create a', 'push refs/tags/a', 'create b', 'push refs/tags/b'],
    ])
    expect(await push('c', 'd', 'e', 'f')).toEqual([])
  })
})

test('webhooks arrive late and in another order if they are held back', async () => {
  const { repository } = await watched()
  const release = host.holdWebhooks()
  const first = await host.commit(repository)
  const second = await host.commit(repository)
  expect(received).toEqual([])
  await release((held) => held.toReversed())
  expect(received.map(({ payload }) => payload.after)).toEqual([second, first])
  const third = await host.commit(repository)
  expect(received.at(-1)?.payload.after).toBe(third)
})

describe('a pull request', () => {
  test('reports its changes', async () => {
    const { repository, installation } = await watched()
    const before = await host.commit(repository, { branch: 'greet', files: { other: 'x' } })
    received.length = 0
    const pull = await host.openPull(repository, { head: 'greet', draft: true })
    const after = await host.commit(repository, { branch: 'greet' })
    await host.markDraft(pull, false)
    await host.editPull(pull, { title: 'Another' })
    await host.closePull(pull)
    await host.reopenPull(pull)
    await host.mergePull(pull)
    expect(names()).toEqual([
      ...['pull_request opened', 'push', 'pull_request synchronize'],
      ...['pull_request ready_for_review', 'pull_request edited', 'pull_request closed'],
      ...['pull_request reopened', 'push', 'pull_request closed'],
    ])
    const told = received.filter(({ name }) => name === 'pull_request')
    expect(told.map(({ payload }) => payload)).toMatchObject([
      {
        number: pull.number,
        installation: { id: installation },
        pull_request: {
          state: 'open',
          draft: true,
          mergeable: null,
          mergeable_state: 'unknown',
          merge_commit_sha: null,
          head: { sha: before },
          base: { ref: 'main' },
        },
      },
      { before, after, pull_request: { head: { sha: after } } },
      { pull_request: { draft: false } },
      { changes: { title: { from: 'Change it' } }, pull_request: { title: 'Another' } },
      { pull_request: { state: 'closed', merged: false } },
      { pull_request: { state: 'open' } },
      { pull_request: { state: 'closed', merged: true } },
    ])
  })

  test('enters and leaves the merge queue', async () => {
    const { repository } = await watched()
    const base = await host.commit(repository)
    await host.commit(repository, { branch: 'greet', files: { other: 'x' } })
    const pull = await host.openPull(repository, { head: 'greet' })
    received.length = 0
    const sha = await host.queuePull(pull)
    await host.dequeuePull(pull)
    expect(names()).toEqual([
      ...['create', 'push', 'merge_group checks_requested'],
      ...['merge_group destroyed', 'delete', 'push'],
    ])
    const ref = `refs/heads/gh-readonly-queue/main/pr-${pull.number}-${base}`
    expect(received[2]?.payload).toMatchObject({
      merge_group: {
        head_sha: sha,
        head_ref: ref,
        base_sha: base,
        base_ref: 'refs/heads/main',
        head_commit: { id: sha, author: { name: expect.any(String) } },
      },
      repository: { id: repository.id },
    })
    expect(received[1]?.payload).toMatchObject({ ref, after: sha })
  })

  test('follows the branch of a fork, which the app cannot otherwise see', async () => {
    const { repository } = await watched()
    const fork = await host.fork(repository, 'grace')
    await host.commit(fork, { branch: 'greet', files: { other: 'x' } })
    expect(names()).toEqual([])
    await host.openPull(repository, { head: 'greet', from: fork })
    const sha = await host.commit(fork, { branch: 'greet' })
    expect(names()).toEqual(['pull_request opened', 'pull_request synchronize'])
    expect(received[1]?.payload).toMatchObject({ pull_request: { head: { sha } } })
  })
})

test('an installation reports its owner and its repositories', async () => {
  const one = await host.addRepository({ owner: 'ada', name: 'one', installed: false })
  const two = await host.addRepository({ owner: 'ada', name: 'two', installed: false })
  host.setWebhookUrl(webhookUrl)
  const installation = await host.install('ada', [one])
  await host.choose(installation, { add: [two], remove: [one] })
  await host.suspend(installation)
  await host.commit(two)
  await host.suspend(installation, false)
  await host.uninstall(installation)
  expect(names()).toEqual([
    ...['installation created', 'installation_repositories added'],
    ...['installation_repositories removed', 'installation suspend', 'installation unsuspend'],
    'installation deleted',
  ])
  expect(received.map(({ payload }) => payload)).toMatchObject([
    {
      installation: {
        id: installation.id,
        account: { login: 'ada', type: 'User' },
        repository_selection: 'selected',
        events,
      },
      repositories: [{ id: one.id, name: 'one', full_name: 'ada/one', private: false }],
    },
    { repositories_added: [{ id: two.id }], repositories_removed: [] },
    { repositories_added: [], repositories_removed: [{ id: one.id }] },
    { repositories: [{ id: two.id }], installation: { suspended_at: expect.any(String) } },
    { installation: { suspended_at: null } },
    { repositories: [{ id: two.id }] },
  ])
})

test('repositories, their members and their checks report their changes', async () => {
  host.addOrganization({ login: 'octocats', members: { octavia: 'admin' } })
  const { repository } = await watched({ owner: 'octocats' })
  await host.rename(repository, 'renamed')
  await host.edit(repository, { description: 'Says hello' })
  await host.setPrivate(repository, true)
  await host.setArchived(repository, true)
  await host.setRole(repository, 'grace', 'read')
  await host.setRole(repository, 'grace', 'write')
  await host.setMember(repository.owner, 'linus', 'member')
  await host.renameOrganization(repository.owner, 'octodogs')
  await host.transfer(repository, 'octavia')
  await host.remove(repository)
  expect(names()).toEqual([
    ...['repository renamed', 'repository edited', 'repository privatized'],
    ...['repository archived', 'member added', 'member edited', 'organization member_added'],
    ...['organization renamed', 'installation_target renamed'],
    ...['repository transferred', 'installation_repositories removed'],
    ...['installation_repositories added', 'repository deleted'],
  ])
  expect(received.map(({ payload }) => payload)).toMatchObject([
    {
      changes: { repository: { name: { from: expect.stringMatching(/^hello-/) } } },
      repository: { full_name: 'octocats/renamed' },
      organization: { login: 'octocats' },
    },
    { changes: { description: { from: null } }, repository: { description: 'Says hello' } },
    { repository: { private: true } },
    { repository: { archived: true } },
    { member: { login: 'grace' } },
    { member: { login: 'grace' }, changes: { permission: { from: 'read', to: 'write' } } },
    { membership: { role: 'member', user: { login: 'linus' } } },
    { changes: { login: { from: 'octocats' } }, organization: { login: 'octodogs' } },
    { changes: { login: { from: 'octocats' } }, account: { login: 'octodogs' } },
    {
      changes: { owner: { from: { organization: { login: 'octodogs' } } } },
      repository: { full_name: 'octavia/renamed' },
    },
    ...[{ repositories_removed: [{ id: repository.id }] }, {}],
    { repository: { id: repository.id } },
  ])
})

test('the app receives only events that it subscribed to', async () => {
  const repository = await host.addRepository({ owner: 'linus', installed: false })
  Object.assign(await host.install('linus'), { events: ['push'] })
  host.setWebhookUrl(webhookUrl)
  await host.commit(repository)
  await host.rename(repository, 'renamed')
  expect(names()).toEqual(['push'])
})
