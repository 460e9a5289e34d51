// The table of V3's endpoints, and what holds for each of its rows wherever users and repositories come from.
import { describe, expect, test } from 'vitest'
import type { caller } from '../door.ts'

/** Every way to write the path of a repository. */
const repository = [
  '/repo/codehost/1',
  '/repo/codehost/octavia%2Fhello',
  '/repo/1',
  '/repo/octavia%2Fhello',
]

const flags = ['active', 'active_on_org', 'managed_by_installation', 'private', 'starred']

/** What both lists of repositories accept. */
const listed = [
  ...flags.flatMap((flag) => [`${flag}=false`, `repository.${flag}=false`, `${flag}[]=true`]),
  ...['include=repository.owner', 'include[]=repository.owner&include[]=build.branch'],
  ...['limit=1', 'offset=1'],
  ...['id', 'codehost_id', 'vcs_id', 'owner_name', 'name', 'active', 'default_branch.last_build']
    .flatMap((key) => [key, `${key}:desc`])
    .map((key) => `sort_by=${key}`),
  'sort_by=active,name:desc',
]

interface Row {
  method: 'GET' | 'PATCH' | 'POST'
  paths: readonly string[]
  /** The input, each alone. */
  queries?: readonly string[]
  body?: object
  /** What is told of the output. */
  output: object
  login: boolean
}

const setting = ['maximum_number_of_builds', 'build_pushes'] as const
const settingPaths = (name: string) => repository.map((path) => `${path}/setting/${name}`)
const settingOutput = (name: string, value: unknown) => ({
  '@type': 'setting',
  '@href': `/repo/1/setting/${name}`,
  '@representation': 'standard',
  '@permissions': { read: true, write: true },
  name,
  value,
})

const repositoryOutput = {
  '@type': 'repository',
  '@href': '/repo/1',
  '@representation': 'standard',
  '@permissions': expect.objectContaining({ read: true, write: true }) as object,
  id: 1,
  name: 'hello',
  slug: 'octavia/hello',
}

const action = (name: string, changed: object): Row => ({
  method: 'POST',
  paths: repository.map((path) => `${path}/${name}`),
  output: { ...repositoryOutput, ...changed },
  login: true,
})

const repositoriesOutput = {
  '@type': 'repositories',
  '@representation': 'standard',
  repositories: expect.any(Array) as unknown,
}

/** The table of V3's endpoints, row by row. */
export const rows: readonly Row[] = [
  {
    method: 'GET',
    paths: settingPaths(setting[0]),
    queries: ['include=setting.value'],
    output: settingOutput(setting[0], expect.any(Number)),
    login: false,
  },
  {
    method: 'PATCH',
    paths: settingPaths(setting[0]),
    body: { 'setting.value': 7 },
    output: settingOutput(setting[0], 7),
    login: true,
  },
  {
    method: 'GET',
    paths: settingPaths(setting[1]),
    output: settingOutput(setting[1], expect.any(Boolean)),
    login: false,
  },
  {
    method: 'PATCH',
    paths: settingPaths(setting[1]),
    body: { 'setting.value': false },
    output: settingOutput(setting[1], false),
    login: true,
  },
  {
    method: 'GET',
    paths: repository,
    queries: ['include=repository.owner', 'repository.server_type=git', 'server_type=git'],
    output: repositoryOutput,
    login: false,
  },
  action('activate', { active: true }),
  action('deactivate', { active: false }),
  action('star', { starred: true }),
  action('unstar', { starred: false }),
  {
    method: 'GET',
    paths: ['/owner/codehost_id/1/repos', '/owner/codehost/octavia/repos', '/owner/octavia/repos'],
    queries: listed,
    output: repositoriesOutput,
    login: false,
  },
  { method: 'GET', paths: ['/repos'], queries: listed, output: repositoriesOutput, login: true },
]

const v3 = { 'service-api-version': '3' }
const json = { ...v3, 'content-type': 'application/json' }

interface Scene {
  call: ReturnType<typeof caller>
  /** The token of one who can push to repository 1, of the user with number 1 at the code host. */
  token: () => string
}

export function callsIn({ call, token }: Scene) {
  return {
    byCaller: () => ({ ...json, authorization: `token ${token()}` }),
    /** A call of a row; what has no body is sent none. */
    ask: (method: string, path: string, headers: Record<string, string>, body?: object) =>
      call(`${method} ${path}`, headers, body && JSON.stringify(body)),
  }
}

/** The tests of all rows in a scene. */
export function testRows(scene: Scene): void {
  const { ask, byCaller } = callsIn(scene)

  describe.each(rows)(
    '$method $paths.0',
    ({ method, paths, queries = [], body, output, login }) => {
      test.each(paths)('%s', async (path) => {
        const answer = await ask(method, path, byCaller(), body)
        expect([answer.statusCode, answer.headers['content-type']]).toEqual([
          200,
          'application/json',
        ])
        expect(answer.json()).toMatchObject(output)
        expect(answer.json()).not.toHaveProperty('@warnings')
      })

      test.each(paths)('%s by its path, which the answer’s has as well', async (path) => {
        const { 'service-api-version': _version, ...headers } = byCaller()
        const answer = await ask(method, `/v3${path}`, headers, body)
        expect(answer.json()).toMatchObject({
          '@href': expect.stringMatching(/^\/v3\/(?:repo|owner)/) as string,
        })
      })

      test.each(login ? paths : [])('%s needs a login', async (path) => {
        const answer = await ask(method, path, json, body)
        expect([answer.statusCode, answer.json()]).toEqual([
          403,
          { '@type': 'error', error_type: 'login_required', error_message: 'login required' },
        ])
      })

      test.each(login ? [] : paths)('%s needs no login', async (path) => {
        expect((await ask(method, path, json, body)).statusCode).toBe(200)
      })

      test.each(queries)('with %s', async (query) => {
        const answer = await ask(method, `${paths[0]}?${query}`, byCaller(), body)
        expect(answer.statusCode).toBe(200)
        expect(answer.json()).toMatchObject({ '@type': (output as { '@type': string })['@type'] })
        expect(answer.json()).not.toHaveProperty('@warnings')
      })
    },
  )
}
