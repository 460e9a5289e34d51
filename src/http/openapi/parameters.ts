import type { Endpoint } from '../endpoint.ts'
import { type Parameter, splitName } from '../parameters/parameter.ts'
import type { Content, DocumentedParameter, RequestBody } from './operation.ts'
import type { Schema } from './schema.ts'

type Listed = [name: string, parameter: Parameter<unknown>]

type BodySchema = Schema & { properties: Readonly<Record<string, Schema>> }

/** The parameters of an endpoint that documents show. */
export function listedParameters({ accepts }: Pick<Endpoint, 'accepts'>): Listed[] {
  return Object.entries(accepts).filter(([, { hidden = false }]) => !hidden)
}

/** Whether the parameters of an endpoint are in a body, rather than in the query. */
export function hasBody({ method }: Pick<Endpoint, 'method'>): boolean {
  return method !== 'GET' && method !== 'DELETE'
}

/** The parameters of the query; writes have theirs in the body, but for those that are read there alone. */
export function queryOf(endpoint: Endpoint): DocumentedParameter[] {
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

/** The body in each type that is read; undefined for an endpoint that reads none. */
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

/** What of the example is in the body. */
function exampleIn({ properties }: BodySchema, { declared }: Endpoint): { example?: object } {
  const members = Object.entries(declared.example).filter(([name]) => name in properties)
  return members.length === 0 ? {} : { example: Object.fromEntries(members) }
}

/** Objects are only in forms that can be said to write them as they are read: `hook[active]=true`. */
function formsOf(schema: BodySchema): Content {
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
  const properties: Record<string, Schema> = {}
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
