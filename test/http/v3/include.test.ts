import { expect, test } from 'vitest'
import { readInclude } from '../../../src/http/v3/render/include.ts'

test.each<[unknown, Record<string, string[]>]>([
  [undefined, {}],
  ['', {}],
  ['repository.owner', { repository: ['owner'] }],
  ['repository.owner,branch.last_build', { repository: ['owner'], branch: ['last_build'] }],
  [['repository.owner', 'repository.owner,repository.name'], { repository: ['owner', 'name'] }],
  ['repository.@permissions', { repository: ['@permissions'] }],
  ['owner.allowance', { user: ['allowance'], organization: ['allowance'] }],
  ['owner.a,user.b', { user: ['a', 'b'], organization: ['a'] }],
])('%j includes %j', (given, asked) => {
  const include = [...readInclude(given)].map(([type, names]) => [type, [...names.keys()]])
  expect(Object.fromEntries(include)).toEqual(asked)
})

test.each(['repository', 'a.b.c', '@a.b', 'a.@', 'a..b', 'a-b.c'])(
  '%s is refused as an include',
  (given) => {
    expect(() => readInclude(given)).toThrow(`"${given}" is not of the form type.attribute`)
  },
)
