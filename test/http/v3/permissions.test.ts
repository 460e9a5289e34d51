import { describe, expect, test } from 'vitest'
import { anonymous } from '../../../src/access/viewer.ts'
import { registry } from '../../../src/http/v3/resources/index.ts'
import { seen } from '../../access/records.ts'

/** Something of each kind, as much of it as rights are decided by. */
const models: Record<string, object> = {
  allowance: { id: 1 },
  branch: { repository: seen({}) },
  build: { private: false, repository: seen({}) },
  cache: { repository: seen({}) },
  commit: { repository: seen({}) },
  cron: { repository: seen({}) },
  env_var: { repository: seen({}) },
  explanation: { private: false, repository: seen({}) },
  key_pair: { repository: seen({}) },
  membership: { organization_id: 1 },
  message: { private: false, repository: seen({}) },
  organization: { id: 1, membership: null },
  repository: seen({}),
  request: { private: false, repository: seen({}) },
  request_preview: { repository: seen({}) },
  request_raw_configuration: { private: false, repository: seen({}) },
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
