import { idempotencyKey, longestKey } from '../caching/idempotency.ts'
import type { Endpoint } from '../core/endpoint.ts'
import { type Parameter, splitName } from '../parameters/parameter.ts'
import type { MediaContent, DocumentedParameter, RequestBody } from './operation.ts'
import type { JsonSchema } from './schema.ts'

type Listed = [name: string, parameter: Parameter<unknown>]

type BodySchema = JsonSchema & { properties: Readonly<Record<string, JsonSchema>> }

/** The parameters of an endpoint that documents show. */
export function listedParameters({ accepts }: Pick<Endpoint, 'accepts'>): Listed[] {
  return Object.entries(accepts).filter(([, { hidden = false }]) => !hidden)
}

/** Whether the parameters of an endpoint are in a body, rather than in the query. */
export function hasBody({ method }: Pick<Endpoint, 'method'>): boolean {
  return method !== 'GET' && method !== 'DELETE'
}

/**
 * The parameters of the query and the headers. Writes have their parameters in the body, except for
 * those read only from the query.
 */
export function besideBody(endpoint: Endpoint): DocumentedParameter[] {
  return [...queryOf(endpoint), ...(endpoint.once ? [keyParameter] : [])]
}

const keyParameter: DocumentedParameter = {
  name: idempotencyKey,
  in: 'header',
  required: false,
  description:
    'a text of your choice: for 24 hours the same call with it gets the same answer, and nothing is done twice',
  schema: { type: 'string', minLength: 1, maxLength: longestKey },
}

function queryOf(endpoint: Endpoint): DocumentedParameter[] {
  const { example } = endpoint.declared
  return listedParameters(endpoint)
    .filter((listed) => !isInBody(endpoint, listed))
    .map(([name, { schema, required = false }]) => ({
      name,
      in: 'query',
      required,
      schema,
      ...plainExample(example[name]),
    }))
}

function plainExample(example: unknown): { example?: string | number } {
  return typeof example === 'string' || typeof example === 'number' ? { example } : {}
}

function isInBody(endpoint: Endpoint, [, { inQuery = false }]: Listed): boolean {
  return hasBody(endpoint) && !inQuery
}

/** The body in each accepted media type; undefined for an endpoint without a body. */
export function bodyOf(endpoint: Endpoint): RequestBody | undefined {
  const parameters = listedParameters(endpoint).filter((listed) => isInBody(endpoint, listed))
  if (parameters.length === 0) return undefined
  const required = parameters.some(([, parameter]) => parameter.required)
  const schema = bodySchema(parameters)
  const json = { 'application/json': { schema, ...exampleIn(schema, endpoint) } }
  if (endpoint.body === 'json') return { required, content: json }
  const types = { ...json, ...formsOf(schema) }
  const content =
    endpoint.body === 'text' ? { ...types, '*/*': { schema: { type: 'string' } } } : types
  return { required, content }
}

/** The part of the example that is in the body. */
function exampleIn({ properties }: BodySchema, { declared }: Endpoint): { example?: object } {
  const members = Object.entries(declared.example).filter(([name]) => name in properties)
  return members.length === 0 ? {} : { example: Object.fromEntries(members) }
}

/** Media types of forms. Objects need a form type whose encoding can be declared: `hook[active]=true`. */
function formsOf(schema: BodySchema): MediaContent {
  const type = 'application/x-www-form-urlencoded'
  const objects = Object.entries(schema.properties).filter(([, each]) => each.type === 'object')
  if (objects.length === 0) return { [type]: { schema }, 'multipart/form-data': { schema } }
  const written = { style: 'deepObject', explode: true } as const
  return {
    [type]: { schema, encoding: Object.fromEntries(objects.map(([name]) => [name, written])) },
  }
}

/** `type.name` is a member of the object `type`. */
function bodySchema(parameters: readonly Listed[]): BodySchema {
  const properties: Record<string, JsonSchema> = {}
  const nested = new Map<string, Listed[]>()
  for (const [name, parameter] of parameters) {
    const { type, key } = splitName(name)
    if (type === undefined) properties[name] = parameter.schema
    else nested.set(type, [...(nested.get(type) ?? []), [key, parameter]])
  }
  for (const [type, members] of nested) properties[type] = bodySchema(members)
  const required = parameters.flatMap(([name, each]) =>
    each.required && splitName(name).type === undefined ? [name] : [],
  )
  return { type: 'object', ...(required.length > 0 ? { required } : {}), properties }
}
