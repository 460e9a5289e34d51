import { Ajv2020 } from 'ajv/dist/2020.js'
import type { OpenApi, Operation } from '../../src/http/openapi/operation.ts'
import type { Schema } from '../../src/http/openapi/schema.ts'

interface Called {
  method: string
  /** As the document writes it, with values for its variables. */
  path: string
  status: number
  /** Of the body; JSON if it is left out. */
  type?: string | undefined
  body: unknown
}

const isoTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{3})?Z$/

const documentId = 'document'

function leadingToDocument(schema: Schema): Schema {
  const text = JSON.stringify(schema)
  return JSON.parse(text.replaceAll('"#/components/', `"${documentId}#/components/`)) as Schema
}

/** Tells what is wrong with answers, as an OpenAPI document has them. */
export function judgeOf(document: OpenApi) {
  const { components } = document
  const ajv = new Ajv2020({
    strict: true,
    allowUnionTypes: true,
    allErrors: true,
    strictRequired: false,
  })
  ajv.addFormat('date-time', isoTime)
  // What references lead into, compiled once for all answers.
  ajv.addKeyword('components')
  ajv.addSchema({ $id: documentId, components })
  const compiled = new Map<Schema, ReturnType<typeof ajv.compile>>()
  const routes = Object.entries(document.paths).map(([path, operations]) => ({
    pattern: new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{[^}]+\}/g, '[^/]+')}$`),
    variables: path.split('{').length - 1,
    operations,
  }))

  function validator(schema: Schema) {
    const known = compiled.get(schema)
    if (known) return known
    const made = ajv.compile(leadingToDocument(schema))
    compiled.set(schema, made)
    return made
  }

  /** The operations of a call: of paths that match, those with the fewest variables are meant. */
  function operationsOf({ method, path }: Called): Operation[] {
    const [plain = ''] = path.split('?')
    const found = routes.filter(({ pattern }) => pattern.test(plain))
    const fewest = Math.min(...found.map(({ variables }) => variables))
    return found
      .filter(({ variables }) => variables === fewest)
      .flatMap(({ operations }) => operations[method.toLowerCase()] ?? [])
  }

  function problemsUnder({ responses }: Operation, { status, type, body }: Called): string[] {
    const possible = [responses[status], responses[`${String(status)[0]}XX`], responses.default]
    const documented = possible.filter((response) => response !== undefined)
    if (documented.length === 0) return [`the document has no ${status}`]
    if (body === '') return []
    const expected = type ?? 'application/json'
    const content = documented.flatMap((response) => response.content?.[expected] ?? [])[0]
    return content ? problemsIn(body, content.schema) : [`${status} is never ${expected}`]
  }

  /** What a schema does not allow in a value. */
  function problemsIn(value: unknown, schema: Schema): string[] {
    const isValid = validator(schema)
    if (isValid(value)) return []
    return (isValid.errors ?? []).map(
      ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
    )
  }

  return {
    problemsIn,
    /**
     * What is wrong with an answer; nothing if the document has it. Where two paths differ only in
     * the names of their variables, one of them has to have it.
     */
    problemsOf(called: Called): string[] {
      const problems = operationsOf(called).map((operation) => problemsUnder(operation, called))
      if (problems.some((each) => each.length === 0)) return []
      return problems[0] ?? ['the document has no such operation']
    },
  }
}

const description = { type: 'string' }
const schemas = { type: 'object' }
const content = {
  type: 'object',
  minProperties: 1,
  additionalProperties: {
    type: 'object',
    properties: { schema: schemas, example: {}, encoding: { $ref: '#/$defs/encoding' } },
    required: ['schema'],
    additionalProperties: false,
  },
}

/** What a document in OpenAPI 3.1 has to look like, as far as ours go. */
export const openApiForm = {
  type: 'object',
  required: ['openapi', 'info', 'servers', 'paths', 'components'],
  additionalProperties: false,
  properties: {
    openapi: { const: '3.1.0' },
    info: {
      type: 'object',
      required: ['title', 'version'],
      properties: { title: description, version: description, description },
      additionalProperties: false,
    },
    servers: {
      type: 'array',
      minItems: 1,
      items: { type: 'object', properties: { url: description }, required: ['url'] },
    },
    paths: {
      type: 'object',
      propertyNames: { pattern: '^/' },
      additionalProperties: {
        type: 'object',
        propertyNames: { enum: ['get', 'post', 'put', 'patch', 'delete'] },
        additionalProperties: { $ref: '#/$defs/operation' },
      },
    },
    components: {
      type: 'object',
      required: ['securitySchemes', 'schemas'],
      properties: {
        securitySchemes: { type: 'object' },
        schemas: {
          type: 'object',
          propertyNames: { pattern: '^[A-Za-z0-9._-]+$' },
          additionalProperties: schemas,
        },
      },
      additionalProperties: false,
    },
  },
  $defs: {
    encoding: {
      type: 'object',
      minProperties: 1,
      additionalProperties: {
        type: 'object',
        required: ['style', 'explode'],
        properties: { style: { const: 'deepObject' }, explode: { const: true } },
        additionalProperties: false,
      },
    },
    operation: {
      type: 'object',
      required: ['operationId', 'responses'],
      additionalProperties: false,
      properties: {
        operationId: { type: 'string', pattern: '^[a-z][a-z0-9_]*$' },
        tags: { type: 'array', items: description },
        summary: description,
        security: { type: 'array', items: { type: 'object' } },
        parameters: {
          type: 'array',
          items: {
            type: 'object',
            required: ['name', 'in', 'required', 'schema'],
            additionalProperties: false,
            properties: {
              name: description,
              in: { enum: ['path', 'query'] },
              required: { type: 'boolean' },
              description,
              schema: schemas,
              example: {},
            },
          },
        },
        requestBody: {
          type: 'object',
          required: ['content'],
          properties: { required: { type: 'boolean' }, content },
          additionalProperties: false,
        },
        responses: {
          type: 'object',
          minProperties: 1,
          propertyNames: { pattern: '^(?:[1-5](?:\\d\\d|XX)|default)$' },
          additionalProperties: {
            type: 'object',
            required: ['description'],
            properties: { description, content },
            additionalProperties: false,
          },
        },
      },
    },
  },
}
