import { createRequire } from 'node:module'
import { describe, expect, test } from 'vitest'
import { named } from './scene.ts'
import { webhookScene } from './webhook-scene.ts'

const { host, received, names, answerWith, asApp, asInstallation, watched, webhookUrl } =
  await webhookScene()

describe('a delivery', () => {
  test('is listed, newest first, and returned in full', async () => {
    const { repository, installation } = await watched()
    await host.commit(repository)
    answerWith(500)
    await host.commit(repository)
    host.setWebhookUrl('http://127.0.0.1:9/nobody-is-here')
    await host.commit(repository)

    const app = await asApp()
    const { data } = await app.rest.apps.listWebhookDeliveries({ per_page: 3 })
    expect(data).toMatchObject([
      { status_code: 502, status: 'failed to connect to host' },
      { status_code: 500, status: 'Invalid HTTP Response: 500' },
      {
        status_code: 200,
        status: 'OK',
        event: 'push',
        action: null,
        redelivery: false,
        guid: received[0]?.id,
        installation_id: installation,
        repository_id: repository.id,
      },
    ])
    const delivery_id = data[2]?.id ?? 0
    const full = await app.rest.apps.getWebhookDelivery({ delivery_id })
    expect(full.data).toMatchObject({
      ...data[2],
      url: webhookUrl,
      request: {
        headers: { 'x-github-event': 'push', 'x-github-delivery': received[0]?.id },
        payload: received[0]?.payload,
      },
      response: { payload: 'taken' },
    })
  })

  test('stays at its place in the pages while others arrive', async () => {
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

  test('is redelivered under its guid', async () => {
    const { repository } = await watched()
    answerWith(503)
    await host.commit(repository)
    answerWith(200)
    const app = await asApp()
    const delivery_id = host.deliveries.at(-1)?.id ?? 0
    const { status: answered } = await app.rest.apps.redeliverWebhookDelivery({ delivery_id })
    expect(answered).toBe(202)
    expect(received).toHaveLength(2)
    expect(received[1]).toEqual(received[0])
    expect(host.deliveries.at(-1)).toMatchObject({ redelivery: true, status_code: 200 })
  })

  test('can have any event and payload', async () => {
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

/** The paths of all members; contents of lists and names of permissions are left out. */
function paths(value: unknown, at = ''): string[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return []
  return Object.entries(value).flatMap(([key, inner]) => {
    const path = `${at}.${key}`
    return key === 'permissions' ? [path] : [path, ...paths(inner, path)]
  })
}

test('payloads have the members of the code host’s own examples', async () => {
  host.addOrganization({ login: 'guild', members: { octavia: 'admin' } })
  const { repository } = await watched({ owner: 'guild' })
  const sha = await host.commit(repository, { branch: 'greet', files: { other: 'x' } })
  const pull = await host.openPull(repository, { head: 'greet' })
  await host.commit(repository, { branch: 'greet' })
  await host.closePull(pull)
  await host.pushRef(repository, 'refs/heads/greet')

  const octokit = await asInstallation(repository)
  await octokit.rest.checks.create({ ...named(repository), name: 'config', head_sha: sha })
  const [run] = host.checkRuns(repository, sha)
  if (!run) throw new Error('there is no check run')
  await host.rerequest(run)
  await host.rerequestSuite(repository, sha)

  await host.rename(repository, 'renamed')
  await host.setRole(repository, 'grace', 'read')
  await host.setMember(repository.owner, 'linus', 'member')
  const ada = await host.addRepository({ owner: 'ada', installed: false })
  const installation = await host.install('ada', [])
  await host.choose(installation, { add: [ada] })
  await host.suspend(installation)
  await host.uninstall(installation)

  expect([...new Set(names())]).toEqual([
    ...['create', 'push', 'pull_request opened', 'pull_request synchronize'],
    ...['pull_request closed', 'delete', 'check_run rerequested', 'check_suite rerequested'],
    ...['repository renamed', 'member added', 'organization member_added'],
    ...['installation created', 'installation_repositories added', 'installation suspend'],
    'installation deleted',
  ])
  const missing = received.flatMap(({ name, payload }) => {
    const ours = new Set(paths(payload))
    return commonOf(name, payload.action)
      .filter((path) => !ours.has(path))
      .map((path) => `${name} ${path}`)
  })
  expect(missing).toEqual([])
})

/** The members that all examples of an event share. */
function commonOf(name: string, action: unknown): string[] {
  const all = (examples.find((each) => each.name === name)?.examples ?? [])
    .filter((each) => each.action === action)
    .map((each) => new Set(paths(each)))
  const [first = new Set<string>()] = all
  return [...first].filter((path) => all.every((each) => each.has(path)))
}
