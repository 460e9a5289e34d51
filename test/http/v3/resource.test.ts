import { expect, expectTypeOf, suite, test } from 'vitest'
import { repositoryRights } from '../../../src/access/repository-rights.ts'
import type { Repository, Seen } from '../../../src/domain/repository.ts'
import { attributesOf, type Linked, resourceOf } from '../../../src/http/v3/core/resource.ts'
import { registry } from '../../../src/http/v3/resources/index.ts'

const describe = resourceOf<Seen<Repository>>()
const known = { type: 'repository', rights: repositoryRights, permissions: [] } as const

// Each of these is a mistake that the type checker has to find: without one, the check fails.
test('a name that is missing in the record, the values, the links or the rights does not compile', () => {
  // @ts-expect-error a misspelt attribute
  describe({ ...known, representations: { minimal: ['id', 'nmae'], standard: [] } })
  // @ts-expect-error a misspelt right
  describe({ ...known, permissions: ['raed'], representations: { minimal: [], standard: [] } })
  // @ts-expect-error a time that nothing writes
  describe({ ...known, representations: { minimal: ['created_at'], standard: [] } })
  // @ts-expect-error an object that nothing presents
  describe({ ...known, representations: { minimal: ['role'], standard: [] } })
  describe({
    ...known,
    representations: { minimal: ['id'], standard: ['branch'] },
    // @ts-expect-error a type of resource that there is not
    links: { branch: { to: 'brunch', read: (_view, models) => models.map(() => null) } },
  })
  expectTypeOf<Linked['type']>().toExtend<string>()
})

suite.each(Object.values(registry))('the resource $type', (resource) => {
  test('shows each of its attributes once', () => {
    expect(new Set(attributesOf(resource)).size).toBe(attributesOf(resource).length)
  })

  test('links only to existing resources', () => {
    const linked = Object.values(resource.links ?? {}).flatMap(({ to }) => to)
    expect(linked.filter((type) => !(type in registry))).toEqual([])
  })
})

test('each resource is registered under its own type', () => {
  for (const [type, resource] of Object.entries(registry)) expect(resource.type).toBe(type)
})
