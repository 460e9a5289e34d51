import { expect, test } from 'vitest'
import { offendingKey } from '../../src/lint/finding-of.ts'

// The key itself is added where the message's path leads to the map that holds it (D9).
test.each([
  ['unknown_key', [], { key: 'foo', value: 'bar' }, ['foo']],
  ['find_key', ['git'], { original: 'depht', key: 'depth' }, ['git', 'depht']],
  ['alias_key', ['env'], { alias: 'matrix', key: 'jobs' }, ['env', 'matrix']],
  ['overwrite', [], { key: 'matrix', other: 'jobs' }, ['matrix']],
  ['required', ['deploy'], { key: 'provider' }, ['deploy', 'provider']],
  ['default', [], { key: 'os', default: 'linux' }, ['os']],
  ['unknown_value', ['os'], { value: 'dos' }, ['os']],
  ['empty', ['env', 'global', 'secure'], { key: 'env.global.secure' }, ['env', 'global']],
  ['invalid_secure', ['env', 'jobs', 'secure'], { value: {} }, ['env', 'jobs']],
  ['invalid_type', ['script', 'secure'], { expected: 'str', actual: 'secure' }, ['script']],
  [
    'invalid_type',
    ['env', 'jobs', 'secure'],
    { expected: 'str', actual: 'map' },
    ['env', 'jobs', 'secure'],
  ],
])('%s at %j with %j has the offending key %j', (code, key, args, offending) => {
  expect(offendingKey({ code, key, args })).toEqual(offending)
})
