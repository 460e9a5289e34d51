import { Ajv } from 'ajv'
import { expect, test } from 'vitest'
import { pages } from '../../src/http/pages/index.ts'
import { v2Endpoints } from '../../src/http/v2/endpoints/index.ts'
import { v3Endpoints } from '../../src/http/v3/endpoints.ts'

// A running service compiles them when they are first used.
test('the schemas of all parameters are valid', () => {
  const ajv = new Ajv({ strict: true, allowUnionTypes: true })
  const parameters = [...v2Endpoints, ...v3Endpoints, ...pages].flatMap(({ accepts }) =>
    Object.entries(accepts),
  )
  expect(parameters.length).toBeGreaterThan(100)
  const refused = parameters.filter(([, { schema }]) => {
    try {
      ajv.compile(schema)
      return false
    } catch {
      return true
    }
  })
  expect(refused).toEqual([])
})
