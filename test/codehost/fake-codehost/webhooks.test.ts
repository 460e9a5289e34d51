import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { fakeScene } from './scene.ts'

const every = [
  ...['push', 'pull_request', 'create', 'delete', 'repository', 'public', 'member'],
  'organization',
]
const { host, probot, asApp, makeRepository } = await fakeScene({ app: { events: every } })
await probot.ready()

interface Received {
  name: string
  id: string
  payload: Record<string, unknown>
}

/** Webhooks as they came in, verified as Probot does. */
const received: Received[] = []
let status = 200

const receiver = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => void verify(Buffer.concat(chunks).toString(), request.headers))
  const verify = async (body: string, headers: Record<string, unknown>) => {
    const signature = String(headers['x-hub-signature-256'])
    if (!(await probot.webhooks.verify(body, signature))) return response.writeHead(401).end()
    received.push({
      name: String(headers['x-github-event']),
      id: String(headers['x-github-delivery']),
      payload: JSON.parse(body) as Record<string, unknown>,
    })
    return response.writeHead(status).end('taken')
  }
})
await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
const webhookUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/webhooks`
afterAll(() => void receiver.close())
afterEach(() => {
  received.length = 0
  status = 200
  host.setWebhookUrl(undefined)
})

/** A repository with a commit, and the app told of what happens from now on. */
async function watched(given: Parameters<typeof makeRepository>[0] = {}) {
  const repository = await makeRepository({ files: { file: 'x' }, ...given })
  const { installation } = host.refTo(repository)
  host.setWebhookUrl(webhookUrl)
  return { repository, installation }
}

const names = () => received.map(({ name, payload }) => [name, payload.action].join(' ').trim())
const zeros = '0'.repeat(40)

describe('a push', () => {
  test('tells from where to where, and what is new', async () => {
    const { repository, installation } = await watched()
    const before = await host.commit(repository)
    received.length = 0
    const after = await host.commit(repository, { files: { file: 'y', new: 'x' }, message: 'Do' })
    const page = `${host.url}/octavia/${repository.name}`
    const commit = {
      ...{ id: after, message: 'Do', timestamp: '2026-01-02T12:00:00Z', distinct: true },
      author: { name: 'Ada', email: 'ada@example.org' },
      ...{ url: `${page}/commit/${after}`, added: ['new'], modified: ['file'], removed: [] },
    }
    expect(received).toMatchObject([
      {
        name: 'push',
        payload: {
          ...{ ref: 'refs/heads/main', before, after, base_ref: null },
          ...{ created: false, deleted: false, forced: false },
          compare: `${page}/compare/${before.slice(0, 12)}...${after.slice(0, 12)}`,
          ...{ commits: [commit], head_commit: commit, pusher: { name: 'octavia' } },
          repository: { id: repository.id, owner: { name: 'octavia' } },
          ...{ sender: { login: 'octavia' }, installation: { id: installation } },
        },
      },
    ])
  })

  test('of a new branch tells what no other branch had', async () => {
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
      ...{ base_ref: 'refs/heads/greet', commits: [], head_commit: { id: first } },
      compare: `${host.url}/octavia/${repository.name}/compare/same`,
    })
  })

  test('that goes back is one by force', async () => {
    const { repository } = await watched()
    const first = await host.commit(repository, { branch: 'greet' })
    const second = await host.commit(repository, { branch: 'greet' })
    received.length = 0
    await host.pushRef(repository, 'refs/heads/greet', { sha: first })
    expect(received).toMatchObject([
      { payload: { before: second, after: first, forced: true, head_commit: { id: first } } },
    ])
  })

  test('that takes a branch away has no commit', async () => {
    const { repository } = await watched()
    const before = await host.commit(repository, { branch: 'greet' })
    received.length = 0
    await host.pushRef(repository, 'refs/heads/greet')
    expect(received).toMatchObject([
      { name: 'delete', payload: { ref: 'greet', ref_type: 'branch' } },
      {
        ...{ name: 'push' },
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
})

describe('a pull request', () => {
  test('tells what becomes of it', async () => {
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
        ...{ number: pull.number, installation: { id: installation } },
        pull_request: {
          ...{ state: 'open', draft: true, mergeable: null, mergeable_state: 'unknown' },
          ...{ merge_commit_sha: null, head: { sha: before }, base: { ref: 'main' } },
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

  test('follows the branch of a fork, of which the app knows nothing else', async () => {
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

test('an installation tells to whom it belongs, and which repositories it has', async () => {
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
        ...{ id: installation.id, account: { login: 'ada', type: 'User' } },
        ...{ repository_selection: 'selected', events: every },
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

test('repositories, their people and their checks tell what becomes of them', async () => {
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
    ...['organization renamed', 'repository transferred', 'installation_repositories removed'],
    ...['installation_repositories added', 'repository deleted'],
  ])
  expect(received.map(({ payload }) => payload)).toMatchObject([
    {
      changes: { repository: { name: { from: expect.stringMatching(/^hello-/) } } },
      ...{ repository: { full_name: 'octocats/renamed' }, organization: { login: 'octocats' } },
    },
    { changes: { description: { from: null } }, repository: { description: 'Says hello' } },
    { repository: { private: true } },
    { repository: { archived: true } },
    { member: { login: 'grace' } },
    { member: { login: 'grace' }, changes: { permission: { from: 'read', to: 'write' } } },
    { membership: { role: 'member', user: { login: 'linus' } } },
    { changes: { login: { from: 'octocats' } }, organization: { login: 'octodogs' } },
    {
      changes: { owner: { from: { organization: { login: 'octodogs' } } } },
      repository: { full_name: 'octavia/renamed' },
    },
    ...[{ repositories_removed: [{ id: repository.id }] }, {}],
    { repository: { id: repository.id } },
  ])
})

test('what the app did not ask for it is not told', async () => {
  const repository = await host.addRepository({ owner: 'linus', installed: false })
  Object.assign(await host.install('linus'), { events: ['push'] })
  host.setWebhookUrl(webhookUrl)
  await host.commit(repository)
  await host.rename(repository, 'renamed')
  expect(names()).toEqual(['push'])
})

describe('what was delivered', () => {
  test('is listed, newest first, and told in full', async () => {
    const { repository, installation } = await watched()
    await host.commit(repository)
    status = 500
    await host.commit(repository)
    host.setWebhookUrl('http://127.0.0.1:9/nobody-is-here')
    await host.commit(repository)

    const app = await asApp()
    const { data } = await app.rest.apps.listWebhookDeliveries({ per_page: 3 })
    expect(data).toMatchObject([
      { status_code: 502, status: 'failed to connect to host' },
      { status_code: 500, status: 'Invalid HTTP Response: 500' },
      {
        ...{ status_code: 200, status: 'OK', event: 'push', action: null, redelivery: false },
        ...{ guid: received[0]?.id, installation_id: installation, repository_id: repository.id },
      },
    ])
    const delivery_id = data[2]?.id ?? 0
    const full = await app.rest.apps.getWebhookDelivery({ delivery_id })
    expect(full.data).toMatchObject({
      ...{ ...data[2], url: webhookUrl },
      request: {
        headers: { 'x-github-event': 'push', 'x-github-delivery': received[0]?.id },
        payload: received[0]?.payload,
      },
      response: { payload: 'taken' },
    })
  })

  test('is turned over page by page, whatever comes in meanwhile', async () => {
    const { repository } = await watched()
    for (let count = 0; count < 4; count += 1) await host.commit(repository)
    const wanted = host.deliveries.map(({ id }) => id).toReversed()
    const app = await asApp()
    const route = 'GET /app/hook/deliveries'
    const first = await app.request(route, { per_page: 2 })
    await host.commit(repository)
    const [, next = ''] = /<([^>]+)>; rel="next"/.exec(first.headers.link ?? '') ?? []
    const second = await app.request(`GET ${next}`)
    const ids = [...first.data, ...(second.data as { id: number }[])].map(({ id }) => id)
    expect(ids).toEqual(wanted.slice(0, 4))
    const failed = await app.request(route, { status: 'failure', per_page: 100 })
    expect(failed.data.every(({ status_code }) => status_code >= 400)).toBe(true)
  })

  test('is delivered again under its guid', async () => {
    const { repository } = await watched()
    status = 503
    await host.commit(repository)
    status = 200
    const app = await asApp()
    const delivery_id = host.deliveries.at(-1)?.id ?? 0
    const { status: answered } = await app.rest.apps.redeliverWebhookDelivery({ delivery_id })
    expect(answered).toBe(202)
    expect(received).toHaveLength(2)
    expect(received[1]).toEqual(received[0])
    expect(host.deliveries.at(-1)).toMatchObject({ redelivery: true, status_code: 200 })
  })

  test('may be anything at all', async () => {
    host.setWebhookUrl(webhookUrl)
    await host.deliver({ event: 'star', payload: { action: 'created' }, guid: 'g-1' })
    expect(received).toEqual([{ name: 'star', id: 'g-1', payload: { action: 'created' } }])
  })
})

interface Example {
  name: string
  examples: Record<string, unknown>[]
}

const examples = createRequire(import.meta.url)('@octokit/webhooks-examples') as Example[]

/** The paths of all members; lists have others each time. */
function paths(value: unknown, at = ''): string[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return []
  return Object.entries(value).flatMap(([key, inner]) => {
    const path = `${at}.${key}`
    return [path, ...paths(inner, path)]
  })
}

test('payloads have the members of the code host’s own examples', async () => {
  host.addOrganization({ login: 'guild', members: { octavia: 'admin' } })
  const { repository } = await watched({ owner: 'guild' })
  await host.commit(repository, { branch: 'greet', files: { other: 'x' } })
  const pull = await host.openPull(repository, { head: 'greet' })
  await host.commit(repository, { branch: 'greet' })
  await host.closePull(pull)
  await host.pushRef(repository, 'refs/heads/greet')
  await host.rename(repository, 'renamed')
  const missing = received.flatMap(({ name, payload }) => {
    const ours = new Set(paths(payload))
    const theirs = (examples.find((each) => each.name === name)?.examples ?? [])
      .filter(({ action }) => action === payload.action)
      .map((each) => new Set(paths(each)))
    // What all examples of an event have.
    const [first = new Set<string>()] = theirs
    const common = [...first].filter((path) => theirs.every((each) => each.has(path)))
    return common.filter((path) => !ours.has(path)).map((path) => `${name} ${path}`)
  })
  expect(missing).toEqual([])
})
