// Whether a pull request comes from a fork is decided by the ids of two repositories, whatever its branch is called.
import { describe, expect, test } from 'vitest'
import { acceptRequest } from '../../src/flow/requests/accept-request.ts'
import { createServer } from '../../src/http/server.ts'
import { textIn } from '../http/pages/reading.ts'
import { v2Client, v3Client } from '../support/client.ts'
import { noon } from '../support/context.ts'
import { putPull } from '../support/memory-codehost.ts'
import { deliver, make, scene, useScene } from './scene.ts'

const merge = '9'.repeat(40)

await useScene()

interface Head {
  ref: string
  sha: string
  repo: { id: number; full_name: string } | null
}

/** The webhook of a pull request that was just opened. */
function opened(head: Head, number = 7) {
  const { codehost_id: id, name, owner_name: login } = scene.repository
  const owner = { id: 1, login, type: 'User' }
  const base = { id, name, private: false, fork: false, default_branch: 'main', owner }
  const pull = {
    ...{ number, title: 'Add it', state: 'open', draft: false, user: owner, merged: false },
    ...{ html_url: 'https://host.example/7', updated_at: noon.toISOString() },
    ...{ mergeable_state: 'clean', head, base: { ref: 'main', sha: 'b'.repeat(40), repo: base } },
  }
  return { action: 'opened', number, repository: base, sender: owner, pull_request: pull }
}

/** Opens a pull request and decides on it. Returns what API and pages show of that. */
async function open(head: Head) {
  putPull(scene.codehost, { head: head.sha, merge })
  scene.codehost.files.set(merge, 'script: make\nenv: {A: 1, B: {secure: c2VjcmV0}}\n')
  await deliver('pull_request', opened(head))
  await acceptRequest(scene.ctx, 1)
  const server = await createServer(scene.ctx)
  const page = await server.inject({
    url: '/octavia/hello/builds/1',
    headers: { accept: 'text/html' },
  })
  const [job, explained] = await Promise.all([
    v2Client(server)('GET /jobs/1'),
    v3Client(server)('GET /repo/1/request/1/explain'),
  ])
  const { config } = (job.body as { job: { config: { env: unknown } } }).job
  const { approval } = explained.body as { approval: { state: string } | null }
  const text = textIn(page.body)
  return {
    env: config.env,
    approval: approval?.state ?? null,
    waits: text.includes('This build waits for approval.'),
    shown: / os linux (A 1(?: B \[secure\])?) /.exec(text)?.[1],
  }
}

const own = { env: 'A=1 B=[secure]', approval: null, waits: false, shown: 'A 1 B [secure]' }
const ofFork = { env: 'A=1', approval: 'waiting', waits: true, shown: 'A 1' }

describe.each([
  ['a', 'a'.repeat(40)],
  ['be', 'be'.repeat(20)],
  ['add', 'add0'.repeat(10)],
  ['topic', 'c'.repeat(40)],
])('a pull request of the branch %s at %s', (ref, sha) => {
  test('of the repository itself is not from a fork', async () => {
    const repo = { id: scene.repository.codehost_id, full_name: 'octavia/hello' }
    expect(await open({ ref, sha, repo })).toEqual(own)
  })

  test('of another repository, though of the same name, is from a fork', async () => {
    const repo = { id: scene.repository.codehost_id + 1, full_name: 'octavia/hello' }
    expect(await open({ ref, sha, repo })).toEqual(ofFork)
  })

  test('of a repository that was deleted is from a fork', async () => {
    expect(await open({ ref, sha, repo: null })).toEqual(ofFork)
  })
})

test('a merge queue builds what a maintainer put there, which its page shows like the API', async () => {
  const { id } = await make.pullRequest(scene.repository, { head_repository_codehost_id: 4711 })
  const build = await make.build({
    repository: scene.repository,
    event_type: 'pull_request',
    pull_request_id: id,
  })
  const config = JSON.stringify({ env: ['A=1', { secure: 'c2VjcmV0' }] })
  await make.job({ build, config })
  const server = await createServer(scene.ctx)
  const job = await v2Client(server)('GET /jobs/1')
  expect(job.body).toMatchObject({ job: { config: { env: 'A=1 [secure]' } } })
  for (const path of ['builds', 'jobs']) {
    const url = `/octavia/hello/${path}/1`
    const { body } = await server.inject({ url, headers: { accept: 'text/html' } })
    expect(textIn(body)).toContain('env A=1 [secure]')
  }
})

test('the approval of a fork’s head is void once the pull request has another one', async () => {
  const sha = 'a'.repeat(40)
  putPull(scene.codehost, {
    ...{ head: 'f'.repeat(40), merge: null },
    changed_at: new Date(noon.getTime() + 1000),
  })
  await deliver('pull_request', opened({ ref: 'topic', sha, repo: { id: 666, full_name: 'a/b' } }))
  await acceptRequest(scene.ctx, 1)
  const explained = await v3Client(await createServer(scene.ctx))('GET /repo/1/request/1/explain')
  expect(explained.body).toMatchObject({
    ...{ result: 'rejected', reason: 'head_moved' },
    approval: {
      state: 'superseded',
      text: 'void: the pull request has new commits, and only the latest one can be approved',
      ...{ by: null, at: null, until: null },
    },
  })
})
