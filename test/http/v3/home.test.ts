import { beforeAll, describe, expect, test } from 'vitest'
import { createServer } from '../../../src/http/server.ts'
import { v3Client } from '../../support/client.ts'
import { testContext } from '../../support/context.ts'
import { ownDatabase } from '../../support/database.ts'
import { withRoutes } from '../../support/routes.ts'
import { prefixed } from '../door.ts'

const { db } = await ownDatabase()
const { server, routes } = await withRoutes(() => createServer(testContext(db)))
const call = v3Client(server)

interface Template {
  '@type': 'template'
  request_method: string
  uri_template: string
  accepted_params?: string[]
}

interface Resource {
  '@type': 'resource'
  actions: Record<string, Template[]>
  attributes: string[]
  representations?: Record<string, string[]>
  permissions?: string[]
  sortable_by?: string[]
}

interface Home {
  errors: Record<string, object>
  resources: Record<string, Resource>
}

/** What has no record behind it, with its members. */
const pseudo: [type: string, attributes: string[]][] = [
  ['access_token', ['token']],
  ['email_subscription', []],
  ['error', ['error_type', 'error_message', 'resource_type', 'permission']],
  ['home', ['config', 'errors', 'resources']],
  ['lint', ['warnings']],
  [
    'owner',
    [
      ...['id', 'login', 'name', 'vcs_type', 'ro_mode', 'codehost_id', 'vcs_id', 'avatar_url'],
      ...['education', 'allow_migration', 'allowance', 'custom_keys', 'trial_allowed'],
      'account_env_vars',
      'repositories',
      'installation',
    ],
  ],
  ['resource', ['actions', 'attributes', 'representations', 'access_rights']],
  ['template', ['request_method', 'uri_template']],
]

let home: Home
let models: [type: string, resource: Resource][]
let collections: [type: string, resource: Resource][]
let templates: Template[]

beforeAll(async () => {
  home = (await call('GET /')).body as Home
  const resources = Object.entries(home.resources)
  const known = resources.filter(([type]) => !pseudo.some(([name]) => name === type))
  models = known.filter(([, { representations }]) => representations?.minimal !== undefined)
  collections = known.filter(([, { representations }]) => representations?.minimal === undefined)
  templates = resources.flatMap(([, { actions }]) => Object.values(actions).flat())
})

/** A path of the router or a template of the document, with a star for each parameter. */
function shapeOf(path: string): string {
  return path
    .replace(/\{\?.*\}$/, '')
    .replaceAll(/\{[^}]+\}/g, '*')
    .replaceAll(/:\w+/g, '*')
}

const error = (status: number, default_message: string, additional_attributes: string[] = []) => ({
  status,
  default_message,
  additional_attributes,
})

// Clients show these texts, so each of them is written out here.
const errors = {
  login_required: error(403, 'login required'),
  method_not_allowed: error(405, 'method not allowed'),
  not_found: error(404, 'resource not found (or insufficient access)', ['resource_type']),
  insufficient_access: error(403, 'operation requires write access to <resource_type>', [
    'permission',
    'resource_type',
  ]),
  admin_access_required: error(403, 'only repository admins may do this'),
  already_syncing: error(409, 'a sync is already running'),
  build_already_running: error(409, 'build is running, cannot be restarted'),
  build_not_cancelable: error(409, 'build is not running, cannot be canceled'),
  client_error: error(400, 'bad request'),
  duplicate_resource: error(409, 'resource already exists'),
  job_already_running: error(409, 'job is running, cannot be restarted'),
  job_not_cancelable: error(409, 'job is not running, cannot be canceled'),
  job_unfinished: error(409, 'log of an unfinished job cannot be removed'),
  log_access_denied: error(403, 'the repository settings restrict access to this log'),
  log_already_removed: error(409, 'log was already removed'),
  log_expired: error(403, 'the repository settings hide logs of this age'),
  not_implemented: error(501, 'not implemented yet'),
  payload_too_large: error(413, 'the body is too large'),
  private_repo_feature: error(403, 'available for private repositories only'),
  repo_ssh_key_missing: error(409, 'the repository key is not generated yet'),
  repository_inactive: error(406, 'repository is inactive, no requests can be created'),
  request_limit_reached: error(429, 'too many requests for this resource'),
  server_error: error(500, 'internal server error'),
  service_unavailable: error(503, 'the service is unavailable, try again in a moment'),
  source_unknown: error(400, 'source unknown'),
  timeout_error: error(504, 'upstream timed out'),
  too_many_requests: error(429, 'too many requests'),
  unprocessable_entity: error(422, 'request is well-formed but cannot be processed'),
  wrong_credentials: error(403, 'access denied'),
  wrong_params: error(400, 'wrong parameters'),
}

const config = {
  host: 'ci.example.org',
  codehost: {
    api_url: 'https://ci.example.org/v3',
    web_url: 'https://github.com',
    scopes: ['read:org', 'user:email', 'repo_deployment', 'repo:status', 'write:repo_hook'],
  },
  streaming: {
    key: '278d425bdf160c739803',
    host: 'ci.example.org',
    port: 443,
    scheme: 'https',
    secure: true,
    private: true,
  },
}

test('the home document shows how to connect and which errors can occur', async () => {
  expect(await call('GET /')).toEqual({
    status: 200,
    body: { '@type': 'home', '@href': '/', config, errors, resources: expect.any(Object) },
  })
})

test('the home document lists errors and resources by their names', () => {
  expect(Object.keys(home.errors)).toEqual(Object.keys(errors).toSorted())
  expect(Object.keys(home.resources)).toEqual(Object.keys(home.resources).toSorted())
})

const ofRepository = '{?include,repository.server_type,server_type}'

test('the home document lists a resource’s actions, attributes and permissions', () => {
  expect(home.resources['repository']).toEqual({
    '@type': 'resource',
    actions: {
      find: [
        ...['/repo/{provider}/{repository.id}', '/repo/{provider}/{repository.slug}'],
        ...['/repo/{repository.id}', '/repo/{repository.slug}'],
      ].map((path) => ({
        '@type': 'template',
        request_method: 'GET',
        uri_template: `${path}${ofRepository}`,
      })),
      ...Object.fromEntries(
        ['activate', 'deactivate', 'star', 'unstar'].map((name) => [
          name,
          ['/repo/{provider}', '/repo']
            .flatMap((path) => [`${path}/{repository.id}`, `${path}/{repository.slug}`])
            .map((path) => ({
              '@type': 'template',
              request_method: 'POST',
              uri_template: `${path}/${name}`,
              accepted_params: [],
            })),
        ]),
      ),
    },
    attributes: [
      ...['id', 'name', 'slug', 'description', 'codehost_id', 'vcs_id', 'vcs_type'],
      ...['codehost_language', 'active', 'private', 'owner', 'owner_name', 'vcs_name'],
      ...['default_branch', 'starred', 'managed_by_installation', 'active_on_org'],
      ...['migration_status', 'history_migration_status', 'shared', 'config_validation'],
      ...['server_type', 'scan_failed_at', 'current_build', 'last_started_build'],
      ...['next_build_number', 'build_count', 'allow_migration', 'private_key', 'token'],
      ...['user_settings', 'email_subscribed'],
    ],
    representations: {
      minimal: ['id', 'name', 'slug'],
      standard: [
        ...['id', 'name', 'slug', 'description', 'codehost_id', 'vcs_id', 'vcs_type'],
        ...['codehost_language', 'active', 'private', 'owner', 'owner_name', 'vcs_name'],
        ...['default_branch', 'starred', 'managed_by_installation', 'active_on_org'],
        ...['migration_status', 'history_migration_status', 'shared', 'config_validation'],
        ...['server_type', 'scan_failed_at'],
      ],
      list: [
        ...['id', 'name', 'slug', 'active', 'private', 'owner', 'vcs_id', 'vcs_type'],
        'server_type',
      ],
      minimal_with_build: [
        ...['id', 'name', 'slug', 'active', 'private', 'owner', 'vcs_id', 'vcs_type'],
        ...['server_type', 'managed_by_installation', 'current_build', 'last_started_build'],
      ],
    },
    permissions: [
      ...['read', 'write', 'activate', 'deactivate', 'star', 'unstar', 'create_request'],
      ...['create_cron', 'create_env_var', 'create_key_pair', 'delete_key_pair', 'settings_create'],
      ...['settings_update', 'settings_delete', 'settings_read', 'log_view', 'build_create'],
      ...['build_restart', 'build_cancel', 'build_debug', 'log_delete', 'cache_view'],
      ...['cache_delete', 'check_scan_results', 'migrate', 'admin'],
    ],
  })
})

test.each(pseudo)(
  'the home document lists %s, which only occurs as a form of JSON',
  (type, attributes) => {
    const actions = expect.any(Object) as object
    expect(home.resources[type]).toEqual({ '@type': 'resource', actions, attributes })
  },
)

describe('the actions of the home document', () => {
  test('are exactly the endpoints that the router serves', () => {
    const listed = templates.map((each) => `${each.request_method} ${shapeOf(each.uri_template)}`)
    const served = routes
      // A preview is served at any word, of which the document names one.
      .filter(({ generation, path }) => generation === 'v3' && !path.endsWith('/request/:preview'))
      .map(({ method, path }) => `${method} ${shapeOf(path)}`)
    expect([...new Set(listed)].toSorted()).toEqual([...new Set(served)].toSorted())
    expect(served).toEqual(expect.arrayContaining(['GET /', 'GET /repo/*', 'POST /lint']))
  })

  test('are templates with their parameters in the query or in the body', () => {
    for (const { '@type': type, request_method, uri_template, accepted_params } of templates) {
      const [, query] = /\{\?(.*)\}$/.exec(uri_template) ?? []
      const names = query?.split(',') ?? []
      expect({
        type,
        uri_template,
        names,
        queriesAWrite: query !== undefined && request_method !== 'GET',
        hasBody: Array.isArray(accepted_params),
      }).toEqual({
        type: 'template',
        uri_template,
        names: [...new Set(names)].toSorted(),
        queriesAWrite: false,
        hasBody: ['POST', 'PATCH'].includes(request_method),
      })
    }
  })
})

describe('the resources of the home document', () => {
  test.each(['attributes', 'permissions'] as const)('have %s without duplicates', (member) => {
    for (const [type, { [member]: names = [] }] of models) {
      expect([type, names.length > 0, new Set(names).size]).toEqual([type, true, names.length])
    }
  })

  test('have representations, of which the minimal one is a part of the standard one', () => {
    for (const [type, { attributes, representations = {} }] of models) {
      expect([type, Object.keys(representations).slice(0, 2)]).toEqual([
        type,
        ['minimal', 'standard'],
      ])
      const { minimal = [], standard = [] } = representations
      const others = Object.values(representations).flat()
      expect([type, others.filter((name) => !attributes.includes(name))]).toEqual([type, []])
      expect([type, standard.filter((name) => !attributes.includes(name))]).toEqual([type, []])
      expect([type, minimal.filter((name) => !standard.includes(name))]).toEqual([type, []])
      expect([type, minimal.length > 0]).toEqual([type, true])
    }
  })

  test('have only the list itself as an attribute if they are collections', () => {
    const named = collections.map(([type]) => type)
    expect(named).toEqual(expect.arrayContaining(['active', 'branches', 'builds', 'repositories']))
    for (const [type, { attributes, representations, permissions }] of collections) {
      const [member, representation] = type === 'active' ? ['builds', 'active'] : [type, 'standard']
      expect({ attributes, representations, permissions }).toEqual({
        attributes: [member],
        representations: { [representation]: [member] },
        permissions: undefined,
      })
    }
  })
})

test('the home document lists working paths below a path prefix and in the path form of V3', async () => {
  const below = v3Client(await createServer(prefixed(testContext(db))))
  const at = (prefix: string) => ({
    status: 200,
    body: {
      ...home,
      '@href': `${prefix}/`,
      config: {
        ...config,
        host: 'x.example.org/ci',
        streaming: { ...config.streaming, host: 'x.example.org', path: '/ci' },
        codehost: { ...config.codehost, api_url: 'https://x.example.org/ci/v3' },
      },
      resources: JSON.parse(
        JSON.stringify(home.resources).replaceAll('"uri_template":"', `$&${prefix}`),
      ) as unknown,
    },
  })
  expect(await below('GET /ci/v3/')).toEqual(at('/ci/v3'))
  expect(await below('GET /ci/')).toEqual(at('/ci'))
})

test('templates of the home document name the filters of requests after the list', () => {
  expect(JSON.stringify(home.resources)).toContain('requests.branch')
  expect(JSON.stringify(home.resources)).not.toContain('request.branch,')
})

test('the home document has the connection settings of V2.1', async () => {
  const { body } = await call('GET /config', { headers: { 'service-api-version': '2.1' } })
  const { config } = body as { config: { codehost: object; streaming: object; host: string } }
  expect((await call('GET /')).body).toMatchObject({
    config: { host: config.host, codehost: config.codehost, streaming: config.streaming },
  })
})
