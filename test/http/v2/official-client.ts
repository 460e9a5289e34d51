import { beforeAll, expect } from 'vitest'
import type { User } from '../../../src/domain/owner.ts'
import { createServer } from '../../../src/http/server.ts'
import { putBranch, setLastBuildOfBranch } from '../../../src/store/repositories/branches.ts'
import { json } from '../../../src/store/tables.ts'
import { noon, testContext } from '../../support/context.ts'
import { ownDatabase } from '../../support/database.ts'
import { factories } from '../../support/factories.ts'
import { setLastBuild } from '../../support/last-build.ts'

// What the official command-line client finds and calls, with the headers that it sends.

export const { db } = await ownDatabase()
export const make = factories(db)
let base = ''

export let alice: User & { token: string }

/** Repository 1 is acme/web. Both jobs of its build 7, with id 1, have passed. */
export function useClient(): void {
  beforeAll(async () => {
    const server = await createServer(testContext(db))
    base = await server.listen({ port: 0, host: '127.0.0.1' })
    await ownDatabase()
    await fillDatabase()
    return () => server.close()
  })
}

async function fillDatabase(): Promise<void> {
  alice = await make.user('alice')
  const acme = await make.organization('acme')
  await make.membership(alice, acme, 'admin')
  const repository = await make.repository({
    owner_id: acme.id,
    owner_type: 'Organization',
    owner_name: 'acme',
    name: 'web',
    description: 'The site',
    codehost_language: 'Ruby',
    next_build_number: 7,
  })
  await make.permission(alice, repository, 'admin')
  const main = await putBranch(db, repository.id, 'main')
  const build = await make.build({
    repository,
    branch_id: main.id,
    state: 'passed',
    started_at: noon,
    duration: 95,
    config: json({ language: 'ruby', rvm: ['3.2', '3.3'] }),
  })
  for (const [number, rvm] of [
    ['7.1', '3.2'],
    ['7.2', '3.3'],
  ] as const) {
    const job = await make.job({
      build,
      number,
      state: 'passed',
      started_at: noon,
      config: json({ language: 'ruby', rvm }),
    })
    await make.log(job, 'hello\n', 'world\n')
  }
  await setLastBuild(db, build, noon)
  await setLastBuildOfBranch(db, main.id, build.id, repository.id)
  await db
    .insertInto('caches')
    .values({
      repository_id: repository.id,
      branch: 'main',
      slug: 'cache--rvm-3.2',
      object_key: 'x',
      size: 1024,
      last_modified: noon,
    })
    .execute()
}

interface Sent {
  body?: string
  accept?: string
  token?: string | null
  headers?: Record<string, string>
}

/** Calls as the client does: all bodies are labelled as forms, whatever they are. */
export async function client(
  call: string,
  { body, accept = 'application/vnd.service.2+json', token = alice.token, headers }: Sent = {},
) {
  const [method = 'GET', path = '/'] = call.split(' ', 2)
  const answer = await fetch(base + path, {
    method,
    redirect: 'manual',
    headers: {
      accept,
      'user-agent': 'client/1.14.0 (linux; Ruby 3.2.0; RubyGems 3.4.0; command raw) Faraday/2.7',
      ...(token === null ? {} : { authorization: `token ${token}` }),
      ...(method === 'GET' ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body }),
  })
  const text = await answer.text()
  const isJson =
    text !== '' && answer.headers.get('content-type')?.startsWith('application/json') === true
  return { status: answer.status, body: isJson ? (JSON.parse(text) as unknown) : text }
}

export const time = '2026-01-02T12:00:00Z'
const aText = expect.any(String) as string
export const ok = (body: object) => ({ status: 200, body })

export const repo = {
  id: 1,
  slug: 'acme/web',
  description: 'The site',
  active: true,
  last_build_id: 1,
  last_build_number: '7',
  last_build_state: 'passed',
  last_build_duration: 95,
  last_build_language: null,
  last_build_started_at: time,
  last_build_finished_at: time,
  codehost_language: 'Ruby',
}
export const commit = {
  id: 1,
  sha: expect.stringMatching(/^[0-9a-f]{40}$/) as string,
  branch: 'main',
  message: 'Say hello',
  compare_url: 'https://codehost.example/octavia/hello/compare/abc...def',
  author_name: 'Octavia',
}
export const job = {
  id: 1,
  repository_id: 1,
  build_id: 1,
  commit_id: 1,
  log_id: 1,
  number: '7.1',
  config: { language: 'ruby', rvm: '3.2' },
  state: 'passed',
  started_at: time,
  finished_at: time,
  queue: 'builds.linux',
  allow_failure: false,
}
export const build = {
  id: 1,
  repository_id: 1,
  commit_id: 1,
  number: '7',
  pull_request: false,
  pull_request_number: null,
  pull_request_title: null,
  config: { language: 'ruby', rvm: ['3.2', '3.3'] },
  state: 'passed',
  started_at: time,
  finished_at: time,
  duration: 95,
  job_ids: [1, 2],
}

/** What commands on a repository begin with. */
export async function expectRepository() {
  expect(await client('GET /repos/acme/web')).toEqual(ok({ repo }))
}

export async function expectConfig() {
  expect(await client('GET /config', { token: null })).toMatchObject(
    ok({
      config: {
        host: 'ci.example.org',
        codehost: { api_url: aText, scopes: expect.arrayContaining([aText]) as string[] },
        streaming: {
          key: aText,
          host: aText,
          port: 443,
          scheme: 'https',
          secure: true,
          private: true,
        },
      },
    }),
  )
}

export async function expectJob() {
  expect(await client('GET /jobs/1')).toMatchObject(ok({ job, commit }))
}
