import { describe, expect, test } from 'vitest'
import { anonymous } from '../../../src/access/viewer.ts'
import { registry } from '../../../src/http/v3/resources/index.ts'
import { seen } from '../../access/records.ts'

const record = { private: false, repository: seen({}) }

/** Something of each kind, as much of it as rights are decided by. */
const models: Record<string, object> = {
  account_env_var: { owner: { type: 'user', model: { id: 1 } } },
  allowance: { id: 1 },
  attempt: { job: record },
  audit_record: {},
  beta_feature: { user: { id: 1 } },
  branch: record,
  broadcast: {},
  build: record,
  cache: { repository: seen({}) },
  commit: record,
  cron: { repository: seen({}) },
  delivery: {},
  env_var: { repository: seen({}) },
  explanation: record,
  installation: { owner: { type: 'user', model: { id: 1 } } },
  job: record,
  key_pair: { repository: seen({}) },
  log: record,
  membership: { organization_id: 1 },
  message: record,
  notification: { repository: seen({}) },
  organization: { id: 1, membership: null },
  preference: { owner: { type: 'user', model: { id: 1 } } },
  queue: {},
  repository: seen({}),
  request: record,
  request_preview: { repository: seen({}) },
  request_raw_configuration: record,
  runner: {},
  setting: { repository: seen({}) },
  stage: record,
  tag: record,
  token: { user_id: 1, repository: null },
  user: { id: 1 },
}

describe.each(Object.entries(registry))('the permissions of a %s', (type, resource) => {
  const rights = resource.rights(anonymous, models[type] as never)

  test('are the rights there are, in the order in which they are shown', () => {
    expect(Object.keys(rights)).toEqual(resource.permissions)
  })

  test('always begin with reading and writing', () => {
    expect(resource.permissions.slice(0, 2)).toEqual(['read', 'write'])
  })

  test('belong to the type that it goes by', () => {
    expect(resource.type).toBe(type)
  })
})
