// The interface of V2.1 as a table: each row with each of its paths, and with each way of using it.
import { generateKeyPairSync } from 'node:crypto'
import type { LightMyRequestResponse } from 'fastify'
import { expect } from 'vitest'
import type { caller } from '../door.ts'

/** One way of using an endpoint. */
interface Input {
  query?: string
  json?: object
  form?: string
  yaml?: string
  accept?: string
}

interface Row {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** As the interface writes them. */
  paths: readonly string[]
  auth?: true
  /** Without any, it is used once, with nothing. */
  inputs?: readonly Input[]
  status?: number
  /** The members of the response; text for what is no JSON. */
  output: readonly string[] | string
}

const page = 'a page'

const ofRepository = (rest: string) => [
  `/repos/{repository.id}${rest}`,
  `/repos/{+repository.slug}${rest}`,
]

const both = '/settings/env_vars?repository_id={repository.id}'
const inRepos = '/repos/settings/env_vars'
const pages = [{ query: 'limit=1' }, { query: 'older_than=9' }, { query: 'limit=200' }]
const caches = [{}, { query: 'branch=main' }, { query: 'match=cache' }]
const builds = [
  {},
  { query: 'number=1' },
  { query: 'after_number=9' },
  { query: 'event_type=push' },
]
const content = 'language: ruby\n'

const { privateKey } = generateKeyPairSync('ed25519')
const value = String(privateKey.export({ type: 'pkcs8', format: 'pem' }))

const table: readonly Row[] = [
  { method: 'GET', paths: ['/'], output: ['hello'] },
  { method: 'GET', paths: ['/config'], output: ['config'] },
  {
    method: 'POST',
    paths: ['/auth/codehost'],
    inputs: [{ json: { codehost_token: '{codehost_token}' } }],
    output: ['access_token'],
  },
  {
    method: 'GET',
    paths: ['/auth/handshake'],
    inputs: [{ query: 'redirect_uri=https%3A%2F%2Fci.example.org%2Fafter' }],
    output: page,
  },
  // Back to the pages.
  { method: 'GET', paths: ['/auth/handshake'], status: 302, output: '' },
  {
    method: 'GET',
    paths: ['/auth/post_message'],
    inputs: [{ query: 'origin=https%3A%2F%2Fci.example.org' }],
    output: page,
  },
  {
    method: 'GET',
    paths: ['/accounts'],
    auth: true,
    inputs: [{}, { query: 'all=true' }, { query: 'all=false' }],
    output: ['accounts'],
  },
  { method: 'GET', paths: ofRepository('/branches'), output: ['branches', 'commits'] },
  { method: 'GET', paths: ofRepository('/branches/{branch}'), output: ['branch', 'commit'] },
  { method: 'GET', paths: ['/broadcasts'], auth: true, output: ['broadcasts'] },
  {
    method: 'GET',
    paths: ['/builds'],
    inputs: [
      { query: 'ids[]=1&ids[]=2' },
      { query: 'ids=1,2' },
      { query: 'repository_id={repository.id}' },
      { query: 'slug={+repository.slug}' },
      { query: 'repository_id={repository.id}&number=1' },
      { query: 'slug={+repository.slug}&after_number=9' },
      { query: 'slug={+repository.slug}&event_type=push' },
    ],
    output: ['builds', 'jobs', 'commits'],
  },
  {
    method: 'GET',
    paths: ofRepository('/builds'),
    inputs: builds,
    output: ['builds', 'jobs', 'commits'],
  },
  {
    method: 'GET',
    paths: ['/builds/{build.id}', ...ofRepository('/builds/{build.id}')],
    output: ['build', 'commit', 'jobs', 'commits'],
  },
  {
    method: 'POST',
    paths: ['/builds/{running build.id}/cancel'],
    auth: true,
    status: 204,
    output: '',
  },
  {
    method: 'POST',
    paths: ['/builds/{build.id}/restart'],
    auth: true,
    status: 202,
    output: ['result', 'flash'],
  },
  { method: 'GET', paths: ofRepository('/caches'), auth: true, inputs: caches, output: ['caches'] },
  {
    method: 'DELETE',
    paths: ofRepository('/caches'),
    auth: true,
    inputs: caches,
    output: ['caches'],
  },
  { method: 'GET', paths: ['/hooks'], auth: true, output: ['hooks'] },
  {
    method: 'PUT',
    paths: ['/hooks'],
    auth: true,
    inputs: [
      { form: 'hook[id]={hook.id}&hook[active]=true' },
      { form: 'hook[id]={hook.id}' },
      { json: { hook: { id: 1, active: true } } },
    ],
    output: ['result'],
  },
  {
    method: 'PUT',
    paths: ['/hooks/{hook.id}'],
    auth: true,
    inputs: [{}, { form: 'hook[active]=true' }, { json: { hook: { active: false } } }],
    output: ['result'],
  },
  { method: 'GET', paths: ['/jobs/{job.id}'], output: ['job', 'commit'] },
  {
    method: 'GET',
    paths: ['/jobs'],
    inputs: [
      { query: 'ids[]=1&ids[]=2' },
      { query: 'state=started' },
      { query: 'queue=builds.linux' },
      { query: 'state=passed&queue=builds.linux' },
    ],
    output: ['jobs', 'commits'],
  },
  { method: 'POST', paths: ['/jobs/{running job.id}/cancel'], auth: true, status: 204, output: '' },
  {
    method: 'POST',
    paths: ['/jobs/{job.id}/restart'],
    auth: true,
    status: 202,
    output: ['result', 'flash'],
  },
  {
    method: 'GET',
    paths: ['/logs/{log.id}'],
    inputs: [{}, { accept: 'application/vnd.service.2.1+json; chunked=true' }],
    output: ['log'],
  },
  {
    method: 'GET',
    paths: ['/logs/{log.id}', '/jobs/{job.id}/log', '/jobs/{job.id}/logs'],
    inputs: [{ accept: 'text/plain' }],
    output: 'hello\n',
  },
  {
    method: 'GET',
    paths: ['/jobs/{job.id}/log', '/jobs/{job.id}/logs'],
    inputs: [{ accept: 'application/vnd.service.2.1+json; chunked=true' }],
    output: ['log'],
  },
  {
    method: 'GET',
    paths: ['/users/permissions'],
    auth: true,
    output: ['permissions', 'admin', 'pull', 'push'],
  },
  { method: 'GET', paths: ofRepository('/key'), output: ['key', 'fingerprint'] },
  { method: 'POST', paths: ofRepository('/key'), auth: true, output: ['key', 'fingerprint'] },
  { method: 'GET', paths: ofRepository(''), output: ['repo'] },
  {
    method: 'GET',
    paths: ['/repos'],
    inputs: [
      {},
      { query: 'ids[]=1' },
      { query: 'member=admin' },
      { query: 'owner_name=acme' },
      { query: 'slug={+repository.slug}' },
      { query: 'search=we' },
      { query: 'active=true' },
    ],
    output: ['repos'],
  },
  { method: 'GET', paths: ['/requests/{request.id}'], output: ['request', 'commit'] },
  {
    method: 'GET',
    paths: ['/requests?repository_id={repository.id}', '/requests?slug={+repository.slug}'],
    inputs: pages,
    output: ['requests', 'commits'],
  },
  { method: 'GET', paths: ['/repos/{repository.id}/settings'], auth: true, output: ['settings'] },
  {
    method: 'PATCH',
    paths: ['/repos/{repository.id}/settings'],
    auth: true,
    inputs: [{}, { json: {} }, { json: { settings: { build_pushes: false } } }],
    output: ['settings'],
  },
  {
    method: 'GET',
    paths: [both, `${inRepos}?repository_id={repository.id}`],
    auth: true,
    output: ['env_vars'],
  },
  {
    method: 'GET',
    paths: [`${inRepos}/{env_var.id}?repository_id={repository.id}`],
    auth: true,
    output: ['env_var'],
  },
  {
    method: 'POST',
    paths: [`${inRepos}?repository_id={repository.id}`],
    auth: true,
    inputs: [
      { json: { env_var: { name: 'B', value: 'b' } } },
      { json: { env_var: { name: 'B', value: 'b', public: true } } },
    ],
    output: ['env_var'],
  },
  {
    method: 'PATCH',
    paths: [`${inRepos}/{env_var.id}`],
    auth: true,
    inputs: [
      {},
      { json: { env_var: { name: 'B' } } },
      { json: { env_var: { value: 'b' } } },
      { json: { env_var: { public: true } } },
    ],
    output: ['env_var'],
  },
  { method: 'DELETE', paths: [`${inRepos}/{env_var.id}`], auth: true, output: ['env_var'] },
  { method: 'GET', paths: ['/settings/ssh_key/{ssh_key.id}'], auth: true, output: ['ssh_key'] },
  {
    method: 'PATCH',
    paths: ['/settings/ssh_key/{ssh_key.id}'],
    auth: true,
    inputs: [
      { json: { ssh_key: { value } } },
      { json: { ssh_key: { description: 'mine', value } } },
    ],
    output: ['ssh_key'],
  },
  { method: 'DELETE', paths: ['/settings/ssh_key/{ssh_key.id}'], auth: true, output: ['ssh_key'] },
  { method: 'GET', paths: ['/users/', '/users/{user.id}'], auth: true, output: ['user'] },
  { method: 'POST', paths: ['/users/sync'], auth: true, output: ['result'] },
  {
    method: 'POST',
    paths: ['/lint'],
    inputs: [{ json: { content } }, { form: `content=${encodeURIComponent(content)}` }],
    output: ['lint'],
  },
  { method: 'PUT', paths: ['/lint'], inputs: [{ yaml: content }], output: ['lint'] },
]

/** Each row with each of its paths and inputs. */
export const ways = table.flatMap((row) =>
  row.paths.flatMap((path) =>
    (row.inputs ?? [{}]).map((input) => {
      const said = Object.entries(input).map(([name, each]) => ` ${name} ${JSON.stringify(each)}`)
      return { ...row, path, input, title: `${row.method} ${path}${said.join()}` }
    }),
  ),
)
export type Way = (typeof ways)[number]

/** What rows call by a name, such as `repository.id`; `token` is an admin's. */
export type Named = Record<string, string | number>

interface Scene {
  call: ReturnType<typeof caller>
  named: Named
  /** What a browser sees in the end, where it is led to another site and back. */
  arrive?: (answer: LightMyRequestResponse) => Promise<LightMyRequestResponse>
}

/** How the rows are used in a scene. */
export function usesIn({ call, named, arrive = async (answer) => answer }: Scene) {
  const filled = (text: string) =>
    text.replaceAll(/\{([^{}"]+)\}/g, (_, name) => String(named[name]))

  /** Makes the call, with the token of an admin or without. */
  async function use({ method, path, input }: Way, token: boolean) {
    const { query, json, form, yaml, accept = 'application/vnd.service.2.1+json' } = input
    const given = path.includes('?') ? '&' : '?'
    const [type, body] =
      json !== undefined
        ? ['application/json', filled(JSON.stringify(json))]
        : form !== undefined
          ? ['application/x-www-form-urlencoded', filled(form)]
          : ['text/yaml', yaml]
    const answer = await call(
      `${method} ${filled(path)}${query === undefined ? '' : given + filled(query)}`,
      {
        accept: path.startsWith('/auth/') ? '*/*' : accept,
        ...(token ? { authorization: `token ${named.token}` } : {}),
        ...(body === undefined ? {} : { 'content-type': type ?? '' }),
      },
      body,
    )
    return arrive(answer)
  }

  async function expectOutput(way: Way, token: boolean) {
    const { statusCode, body } = await use(way, token)
    expect([statusCode, shown(way, body)]).toEqual([way.status ?? 200, way.output])
  }

  return { use, expectOutput }
}

/** What the table says of a response, or all of one that is not like that. */
function shown({ output }: Way, body: string): string | string[] {
  if (output === page) return /^<!doctype html>/i.test(body) ? page : body
  return typeof output === 'string' || !body.startsWith('{')
    ? body
    : Object.keys(JSON.parse(body) as object)
}
