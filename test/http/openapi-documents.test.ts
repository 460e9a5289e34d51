import { Validator } from '@seriousme/openapi-schema-validator'
import { describe, expect, test } from 'vitest'
import type { OpenApi } from '../../src/http/openapi/operation.ts'
import type { JsonSchema } from '../../src/http/openapi/schema.ts'
import { createServer } from '../../src/http/server.ts'
import { testContext } from '../support/context.ts'
import { ownDatabase } from '../support/database.ts'
import { caller } from './door.ts'
import { judgeOf, operationsIn, shapeOf } from './openapi.ts'

const { db } = await ownDatabase()
const call = caller(await createServer(testContext(db)))
const documents = await Promise.all(
  ['/docs/v2.1.json', '/docs/v3.json'].map(
    async (path) => [path, (await call(`GET ${path}`)).json<OpenApi>()] as const,
  ),
)

interface Example {
  place: string
  schema: JsonSchema
  example: unknown
}

/** Every example of parameters, bodies and responses. */
function examplesIn({ paths }: OpenApi): Example[] {
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, { parameters, requestBody, responses }]) =>
      [
        ...parameters.map((each) => [each.name, each] as const),
        ...Object.entries(requestBody?.content ?? {}),
        ...Object.values(responses).flatMap(({ content = {} }) => Object.entries(content)),
      ].flatMap(([name, { schema, example }]) =>
        example === undefined ? [] : [{ place: `${method} ${path} ${name}`, schema, example }],
      ),
    ),
  )
}

describe.each(documents)('%s', (_path, document) => {
  test('is valid OpenAPI 3.1', async () => {
    const validator = new Validator()
    // It changes what it reads.
    const { valid, errors } = await validator.validate(structuredClone({ ...document }))
    expect({ valid, errors, version: validator.version }).toEqual({
      valid: true,
      errors: undefined,
      version: '3.1',
    })
  })

  test('has no two paths that differ only in the names of variables', () => {
    const shapes = Object.keys(document.paths).map(shapeOf)
    expect(shapes.filter((shape, index) => shapes.indexOf(shape) !== index)).toEqual([])
  })

  test('names each operation once', () => {
    const ids = operationsIn(document).map(({ operation }) => operation.operationId)
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids.filter((id) => !/^[a-z]+(_\w+)?$/.test(id))).toEqual([])
  })

  test.each(operationsIn(document))(
    '$call has a parameter for each variable',
    ({ url, operation: { parameters } }) => {
      const variables = [...url.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
      const inPath = parameters.filter((parameter) => parameter.in === 'path')
      expect(inPath.map(({ name }) => name)).toEqual(variables)
      expect(inPath.every(({ required, description }) => required && description !== '')).toBe(true)
      const named = parameters.map(({ name }) => name)
      expect(new Set(named).size).toBe(named.length)
    },
  )

  test('has only examples that match their schemas', () => {
    const { problemsIn } = judgeOf(document)
    const examples = examplesIn(document)
    expect(examples.length).toBeGreaterThan(50)
    const wrong = examples
      .map(({ place, schema, example }) => ({ place, problems: problemsIn(example, schema) }))
      .filter(({ problems }) => problems.length > 0)
    expect(wrong).toEqual([])
  })
})
