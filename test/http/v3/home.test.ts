import { beforeAll, describe, expect, test } from 'vitest'
import { createServer } from '../../../src/http/server.ts'
import { insertAuditRecord } from '../../../src/store/audit-records.ts'
import { registerRunner } from '../../../src/store/runners.ts'
import { putBranch } from '../../../src/store/branches.ts'
import { v3Client } from '../../support/client.ts'
import { noon, testContext } from '../../support/context.ts'
import { ownDatabase } from '../../support/database.ts'
import { factories } from '../../support/factories.ts'
import { addOwnerVariable } from '../../support/owner-variable.ts'
import { withRoutes } from '../../support/routes.ts'
import { prefixed } from '../door.ts'
import { keptBy } from './kept.ts'
import { makeScene, type Scene } from './scene.ts'

const { db } = await ownDatabase()
const ctx = testContext(db)
const site = { ...ctx.site, admins: ['codehost:pusher'] }
const { server, routes } = await withRoutes(() => createServer({ ...ctx, site }))
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

const ofBuild = { 'build.id': '1', 'job.id': '1' }

/** Parameters of templates, by records of the scene: a user's and an organization's. */
const recordsOf = ({ people: { pusher }, acme }: Scene): Record<string, string>[] => {
  const accounts = {
    ...ofBuild,
    'user.id': String(pusher.id),
    'organization.id': String(acme.id),
    'token.id': '2',
    'delivery.guid': 'guid-1',
    'installation.codehost_id': '77',
  }
  return [
    {
      ...accounts,
      'preference.name': 'consume_oss_credits',
      login: 'pusher',
      codehost_id: String(pusher.codehost_id),
      'setting.name': 'build_pushes',
      provider: 'codehost',
      'repository.id': '4',
      'repository.slug': 'pusher%2Fown',
      'branch.name': 'main',
    },
    {
      ...accounts,
      'preference.name': 'private_insights_visibility',
      login: 'acme',
      codehost_id: String(acme.codehost_id),
      'setting.name': 'maximum_number_of_builds',
      provider: 'codehost',
      'repository.id': '2',
      'repository.slug': 'acme%2Fweb',
      'branch.name': 'trunk%2Fmain',
    },
  ]
}

let scene: Scene
let records: Record<string, string>[]
/** What acme and the pusher have for all repositories. */
let organizationsVariable: string
let usersVariable: string
let home: Home
let models: [type: string, resource: Resource][]
let collections: [type: string, resource: Resource][]
let templates: Template[]

beforeAll(async () => {
  scene = await makeScene(db)
  await db.insertInto('beta_features').values({ name: 'x', description: 'tries x' }).execute()
  const { id: recipient_id } = scene.acme
  const broadcast = { message: 'Hi', recipient_type: 'Organization', recipient_id } as const
  await db.insertInto('broadcasts').values(broadcast).execute()
  const { acme, people } = scene
  const make = factories(db)
  await db
    .updateTable('memberships')
    .set({ role: 'admin' })
    .where('user_id', '=', people.pusher.id)
    .execute()
  for (const id of [2, 4]) await make.permission(people.pusher, { id }, 'admin')
  await make.delivery({ guid: 'guid-1', repository_codehost_id: 102 })
  await registerRunner(db, {
    id: 'runner-1',
    host: 'here',
    executor: 'process',
    isolation: 'sandbox',
    slots: 2,
    version: '1.0.0',
  })
  await insertAuditRecord(db, {
    actor_id: people.pusher.id,
    actor: 'pusher',
    action: 'sync',
    subject_type: 'user',
    subject_id: people.pusher.id,
    details: { token_id: 2, address: '127.0.0.1', changed: {} },
    created_at: noon,
  })
  await make.installation({ owner_id: acme.id, owner_type: 'Organization' }, { codehost_id: 77 })
  const ofAcme = { owner_id: acme.id, owner_type: 'Organization' } as const
  organizationsVariable = await addOwnerVariable(db, ofAcme)
  const ofPusher = { owner_id: people.pusher.id, owner_type: 'User' } as const
  usersVariable = await addOwnerVariable(db, ofPusher)
  await fillBuild()
  records = await Promise.all(
    recordsOf(scene).map(async (record) => ({
      ...record,
      ...(await keptBy(db, Number(record['repository.id']))),
    })),
  )
  home = (await call('GET /')).body as Home
  const resources = Object.entries(home.resources)
  const known = resources.filter(([type]) => !pseudo.some(([name]) => name === type))
  models = known.filter(([, { representations }]) => representations?.minimal !== undefined)
  collections = known.filter(([, { representations }]) => representations?.minimal === undefined)
  templates = resources.flatMap(([, { actions }]) => Object.values(actions).flat())
})

/** Gives the build of the scene all that a build can have. */
async function fillBuild(): Promise<void> {
  const make = factories(db)
  const tag = await db
    .insertInto('tags')
    .values({ repository_id: 2, name: 'v1', last_build_id: 1 })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { id: branch_id } = await putBranch(db, 2, 'trunk/main')
  const sender_id = scene.people.pusher.id
  const build = await db
    .updateTable('builds')
    .set({ branch_id, sender_id, tag_id: tag.id })
    .where('id', '=', 1)
    .returningAll()
    .executeTakeFirstOrThrow()
  const stage = await make.stage(build, 1)
  await make.job({ build, stage_id: stage.id, restarted_by_id: sender_id })
}

/** A path of the router or a template of the document, with a star for each parameter. */
function shapeOf(path: string): string {
  return path
    .replace(/\{\?.*\}$/, '')
    .replaceAll(/\{[^}]+\}/g, '*')
    .replaceAll(/:\w+/g, '*')
}

interface Shown {
  '@type': string
  '@representation': string
  '@permissions'?: object
}

/** What entries of lists show besides their representation. */
const besides: Readonly<Record<string, readonly string[]>> = {
  repositories: [
    ...['current_build', 'last_started_build', 'next_build_number', 'private_key', 'token'],
    ...['user_settings', 'allow_migration', 'email_subscribed'],
  ],
}

/** Everything with a representation that the reads of the document return, at any depth. */
async function objectsShown(query: string): Promise<ShownSomewhere[]> {
  const reads = templates.filter(
    // It ends what the others are called with.
    (each) => each.request_method === 'GET' && !each.uri_template.startsWith('/logout'),
  )
  const paths = records.flatMap((record) =>
    reads.map(({ uri_template }) =>
      uri_template
        .replace(/\{\?.*\}$/, '')
        .replace(
          '{account_env_var.id}',
          uri_template.startsWith('/user/') ? usersVariable : organizationsVariable,
        )
        .replaceAll(/\{([^}]+)\}/g, (whole, name: string) => record[name] ?? whole),
    ),
  )
  const { token } = scene.people.pusher
  const replies = await Promise.all(paths.map((path) => call(`GET ${path}${query}`, { token })))
  expect(replies.map(({ status }, index) => [paths[index], status])).toEqual(
    paths.map((path) => [path, 200]),
  )
  return replies.flatMap(({ body }) => [...objectsIn(body)])
}

/** An object, and the list that it is an entry of. */
interface ShownSomewhere {
  object: Shown
  list: string | undefined
}

function* objectsIn(value: unknown, list?: string): Generator<ShownSomewhere> {
  if (typeof value !== 'object' || value === null) return
  if ('@representation' in value) yield { object: value as Shown, list }
  const isEntries = (name: string) => '@type' in value && value['@type'] === name
  for (const [name, member] of Object.entries(value)) {
    if (!Array.isArray(member)) yield* objectsIn(member)
    else for (const entry of member) yield* objectsIn(entry, isEntries(name) ? name : undefined)
  }
}

/** Members that describe what is shown. */
const metadata = ['@type', '@href', '@representation', '@permissions', '@pagination', '@warnings']

/** What an object shows, in the words of the document. */
function described(object: Shown) {
  return {
    type: object['@type'],
    attributes: Object.keys(object).filter((name) => !metadata.includes(name)),
    permissions: object['@permissions'] && Object.keys(object['@permissions']),
  }
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
    key: expect.stringMatching(/^[0-9a-f]{20}$/),
    host: 'ci.example.org',
    port: 443,
    path: '',
    scheme: 'https',
    private: true,
    secure: true,
  },
}

test('the home document tells how to connect and what may go wrong', async () => {
  expect(await call('GET /')).toEqual({
    status: 200,
    body: { '@type': 'home', '@href': '/', config, errors, resources: expect.any(Object) },
  })
})

test('it lists errors and resources by their names', () => {
  expect(Object.keys(home.errors)).toEqual(Object.keys(errors).toSorted())
  expect(Object.keys(home.resources)).toEqual(Object.keys(home.resources).toSorted())
})

const ofRepository = '{?include,repository.server_type,server_type}'

test('of a resource it tells what one can do with it, what it shows, and what rights there are', () => {
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

test.each(pseudo)('it lists %s, which is only a form of JSON', (type, attributes) => {
  const actions = expect.any(Object) as object
  expect(home.resources[type]).toEqual({ '@type': 'resource', actions, attributes })
})

describe('its actions', () => {
  test('are what the router serves, and the router serves nothing else', () => {
    const listed = templates.map((each) => `${each.request_method} ${shapeOf(each.uri_template)}`)
    const served = routes
      // A preview is served at any word, of which the document names one.
      .filter(({ generation, path }) => generation === 'v3' && !path.endsWith('/request/:preview'))
      .map(({ method, path }) => `${method} ${shapeOf(path)}`)
    expect([...new Set(listed)].toSorted()).toEqual([...new Set(served)].toSorted())
    expect(served).toEqual(expect.arrayContaining(['GET /', 'GET /repo/*', 'POST /lint']))
  })

  test('are templates that accept parameters in the query or in the body', () => {
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

describe('its resources', () => {
  test.each(['attributes', 'permissions'] as const)('have %s, each once', (member) => {
    for (const [type, { [member]: names = [] }] of models) {
      expect([type, names.length > 0, new Set(names).size]).toEqual([type, true, names.length])
    }
  })

  test('have representations, the short one a part of the full one', () => {
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

  test('have one member besides, where they are lists of others', () => {
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

  test('look as the document says, in short and in full', async () => {
    const shown = await objectsShown('')
    expect(shown.length).toBeGreaterThan(0)
    for (const { object, list = '' } of shown) {
      const isActive = object['@representation'] === 'active'
      const isList = object['@type'] === 'builds'
      const resource = home.resources[isActive && isList ? 'active' : object['@type']]
      // Of a build it is what `standard` is, and nothing that callers can choose.
      const representation = isActive && !isList ? 'standard' : object['@representation']
      const attributes = resource?.representations?.[representation] ?? []
      expect(described(object)).toEqual({
        type: object['@type'],
        attributes: [...attributes, ...(besides[list] ?? [])],
        permissions: resource?.permissions,
      })
    }
  })

  test('show all their attributes when all are included', async () => {
    const all = models.flatMap(([type, { attributes }]) =>
      attributes.map((attribute) => `${type}.${attribute}`),
    )
    const shown = await objectsShown(`?include=${all.join(',')}`)
    for (const [name, { attributes, permissions }] of models) {
      // Nothing that only reads shows it.
      if (name === 'request_preview') continue
      const type = name === 'key_pair_generated' ? 'key_pair' : name
      const fullest = shown
        .filter(({ object }) => object['@type'] === type)
        .map(({ object }) => described(object))
        .toSorted((a, b) => b.attributes.length - a.attributes.length)[0]
      expect(fullest).toEqual({ type, attributes, permissions })
    }
  })
})

test('below a path, and asked for by path, it names paths that work', async () => {
  const below = v3Client(await createServer(prefixed(testContext(db))))
  const at = (prefix: string) => ({
    status: 200,
    body: {
      ...home,
      '@href': `${prefix}/`,
      config: {
        ...config,
        host: 'x.example.org/ci',
        codehost: { ...config.codehost, api_url: 'https://x.example.org/ci/v3' },
        streaming: { ...config.streaming, host: 'x.example.org', path: '/ci' },
      },
      resources: JSON.parse(
        JSON.stringify(home.resources).replaceAll('"uri_template":"', `$&${prefix}`),
      ) as unknown,
    },
  })
  expect(await below('GET /ci/v3/')).toEqual(at('/ci/v3'))
  expect(await below('GET /ci/')).toEqual(at('/ci'))
})

test('its connection settings are those of V2.1', async () => {
  const { body } = await call('GET /config', { headers: { 'service-api-version': '2.1' } })
  const { config } = body as { config: { codehost: object; streaming: object; host: string } }
  expect((await call('GET /')).body).toMatchObject({
    config: { host: config.host, codehost: config.codehost, streaming: config.streaming },
  })
})
