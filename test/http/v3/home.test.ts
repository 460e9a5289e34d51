import { expect, test } from 'vitest'
import { createServer } from '../../../src/http/server.ts'
import { v3Client } from '../../support/client.ts'
import { testContext } from '../../support/context.ts'
import { ownDatabase } from '../../support/database.ts'
import { prefixed } from '../door.ts'

const { db } = await ownDatabase()
const call = v3Client(await createServer(testContext(db)))

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
  private_repo_feature: error(403, 'available for private repositories only'),
  repo_ssh_key_missing: error(409, 'the repository key is not generated yet'),
  repository_inactive: error(406, 'repository is inactive, no requests can be created'),
  request_limit_reached: error(429, 'too many requests for this resource'),
  server_error: error(500, 'internal server error'),
  source_unknown: error(400, 'source unknown'),
  timeout_error: error(504, 'upstream timed out'),
  too_many_requests: error(429, 'too many requests'),
  unprocessable_entity: error(422, 'request is well-formed but cannot be processed'),
  wrong_credentials: error(403, 'access denied'),
  wrong_params: error(400, 'wrong parameters'),
}

const pseudo = (attributes: string[], actions: object = {}) => ({
  '@type': 'resource',
  actions,
  attributes,
})

const template = (uri_template: string) => ({
  '@type': 'template',
  request_method: 'GET',
  uri_template,
})

const account = ['id', 'login', 'name', 'vcs_type', 'ro_mode']
const wholeAccount = [
  ...account,
  ...['codehost_id', 'vcs_id', 'avatar_url', 'education', 'allow_migration', 'allowance'],
  ...['custom_keys', 'trial_allowed', 'account_env_vars'],
]
const wholeUser = [
  ...wholeAccount,
  ...['email', 'is_syncing', 'synced_at', 'recently_signed_up', 'secure_user_hash'],
  ...['confirmed_at', 'internal', 'last_activity_at', 'memberships'],
]
const wholeAllowance = [
  ...['id', 'subscription_type', 'public_repos', 'private_repos', 'concurrency_limit'],
  ...['user_usage', 'pending_user_licenses', 'payment_changes_block_credit'],
  ...['payment_changes_block_captcha', 'credit_card_block_duration', 'captcha_block_duration'],
]
const build = [
  ...['id', 'number', 'state', 'duration', 'event_type', 'previous_state', 'pull_request_title'],
  ...['pull_request_number', 'started_at', 'finished_at', 'private', 'priority'],
]
const branch = ['name', 'repository', 'default_branch', 'exists_on_codehost', 'last_build']
const repository = [
  ...['id', 'name', 'slug', 'description', 'codehost_id', 'vcs_id', 'vcs_type'],
  ...['codehost_language', 'active', 'private', 'owner', 'owner_name', 'vcs_name'],
  ...['default_branch', 'starred', 'managed_by_installation', 'active_on_org'],
  ...['migration_status', 'history_migration_status', 'shared', 'config_validation'],
  ...['server_type', 'scan_failed_at'],
]
const includable = [
  ...['current_build', 'last_started_build', 'next_build_number', 'build_count'],
  ...['allow_migration', 'private_key', 'token'],
]

const resource = (minimal: string[], standard: string[], permissions: string[], more = {}) => ({
  '@type': 'resource',
  actions: {},
  attributes: standard,
  representations: { minimal, standard },
  permissions,
  ...more,
})

const ofRepository = '{?include,repository.server_type,server_type}'
const repositoryRights = [
  ...['read', 'write', 'activate', 'deactivate', 'star', 'unstar', 'create_request'],
  ...['create_cron', 'create_env_var', 'create_key_pair', 'delete_key_pair', 'settings_create'],
  ...['settings_update', 'settings_delete', 'settings_read', 'log_view', 'build_create'],
  ...['build_restart', 'build_cancel', 'build_debug', 'log_delete', 'cache_view'],
  ...['cache_delete', 'check_scan_results', 'migrate', 'admin'],
]
const organizationRights = [
  ...['read', 'write', 'sync', 'admin', 'settings_create', 'settings_delete', 'plan_view'],
  ...['plan_create', 'plan_usage', 'plan_invoices', 'billing_view', 'billing_update'],
]
const membership = ['organization_id', 'build_permission']

const resources = (prefix: string) => ({
  allowance: resource(['id'], wholeAllowance, ['read', 'write']),
  branch: resource(['name'], branch, ['read', 'write']),
  build: resource(
    build,
    [...build, 'repository'],
    ['read', 'write', 'cancel', 'restart', 'prioritize'],
  ),
  error: pseudo(['error_type', 'error_message', 'resource_type', 'permission']),
  home: pseudo(['config', 'errors', 'resources'], { find: [template(`${prefix}/`)] }),
  lint: pseudo(['warnings'], {
    lint: [
      {
        '@type': 'template',
        request_method: 'POST',
        uri_template: `${prefix}/lint`,
        accepted_params: ['content'],
      },
    ],
  }),
  membership: resource(membership, membership, ['read', 'write']),
  organization: resource(account, wholeAccount, organizationRights),
  repository: resource(['id', 'name', 'slug'], repository, repositoryRights, {
    attributes: [...repository, ...includable],
    actions: {
      find: [
        template(`${prefix}/repo/{provider}/{repository.id}${ofRepository}`),
        template(`${prefix}/repo/{provider}/{repository.slug}${ofRepository}`),
        template(`${prefix}/repo/{repository.id}${ofRepository}`),
        template(`${prefix}/repo/{repository.slug}${ofRepository}`),
      ],
    },
  }),
  resource: pseudo(['actions', 'attributes', 'representations', 'access_rights']),
  template: pseudo(['request_method', 'uri_template']),
  user: resource(account, wholeUser, ['read', 'write', 'sync']),
})

const home = {
  '@type': 'home',
  '@href': '/',
  config: {
    host: 'ci.example.org',
    codehost: {
      api_url: 'https://api.github.com',
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
  },
  errors,
  resources: resources(''),
}

test('the home document tells how to connect, what may go wrong, and what there is', async () => {
  expect(await call('GET /')).toEqual({ status: 200, body: home })
})

test('it lists errors and resources by their names', async () => {
  const body = (await call('GET /')).body as typeof home
  expect(Object.keys(body.errors)).toEqual(Object.keys(errors).toSorted())
  expect(Object.keys(body.resources)).toEqual(Object.keys(resources('')).toSorted())
})

test('below a path, and asked for by path, it names paths that work', async () => {
  const below = v3Client(await createServer(prefixed(testContext(db))))
  expect(await below('GET /ci/v3/')).toEqual({
    status: 200,
    body: {
      ...home,
      '@href': '/ci/v3/',
      config: {
        ...home.config,
        host: 'x.example.org/ci',
        streaming: { ...home.config.streaming, host: 'x.example.org', path: '/ci' },
      },
      resources: resources('/ci/v3'),
    },
  })
  expect(await below('GET /ci/')).toMatchObject({
    body: { '@href': '/ci/', resources: resources('/ci') },
  })
})

test('its connection settings are those of V2.1', async () => {
  const { body } = await call('GET /config', { headers: { 'service-api-version': '2.1' } })
  const { config } = body as { config: { codehost: object; streaming: object; host: string } }
  expect((await call('GET /')).body).toMatchObject({
    config: { host: config.host, codehost: config.codehost, streaming: config.streaming },
  })
})
