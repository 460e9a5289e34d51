import type { ErrorKind } from '../../../domain/errors.ts'
import type { Endpoint } from '../../endpoint.ts'
import { exampleOf } from '../../openapi/example.ts'
import type { Content, Responses } from '../../openapi/operation.ts'
import {
  anyObject,
  anyOf,
  constant,
  objectOf,
  refTo,
  type Schema,
  text,
} from '../../openapi/schema.ts'
import { shownBy, statusOf } from '../action.ts'
import { errorNameOf, errorTypes } from '../errors.ts'
import type { Shown } from '../presented.ts'
import { schemaName } from './resource-schemas.ts'
import { schemas } from './schemas.ts'

const jsonType = 'application/json'

const descriptions: Readonly<Record<number, string>> = { 201: 'created', 202: 'accepted' }

export function responsesOf(endpoint: Endpoint): Responses {
  const { declared, method } = endpoint
  const status = statusOf(endpoint)
  return {
    [status]: {
      description: method === 'GET' ? 'found' : (descriptions[status] ?? 'done'),
      ...(status === 204 ? {} : { content: contentOf(endpoint) }),
    },
    ...(declared.revalidates ? { 304: { description: 'the client has it already' } } : {}),
    ...errorResponses(declared.errors),
    default: errorResponse('any other error'),
  }
}

function contentOf(endpoint: Endpoint): Content {
  const { types = [jsonType] } = endpoint.declared
  const schema = schemaOf(endpoint)
  const json = { schema, example: exampleOf(schema, schemas) }
  return Object.fromEntries(
    types.map((type) => [type, /\bjson\b/.test(type) ? json : { schema: text }]),
  )
}

function schemaOf(endpoint: Endpoint): Schema {
  const { schema } = endpoint.declared
  if (schema) return schema
  if (statusOf(endpoint) === 202) return pendingOf(shownBy(endpoint))
  const [only = anyObject, ...others] = shownBy(endpoint).map(shownSchema)
  return others.length === 0 ? only : anyOf(only, ...others)
}

/** What is accepted for later, with the record that will change. */
function pendingOf(shown: readonly Shown[]): Schema {
  const [only] = shown
  if (!only || !('resource' in only)) return refTo('pending')
  const { type } = only.resource
  return objectOf({
    '@type': constant('pending'),
    [type]: shownSchema(only),
    state_change: text,
    resource_type: constant(type),
  })
}

function shownSchema(shown: Shown): Schema {
  return 'collection' in shown
    ? refTo(shown.collection.type)
    : refTo(schemaName(shown.resource, shown.representation))
}

/** Errors with the same status are one response. V3 answers whatever is accepted. */
function errorResponses(kinds: readonly ErrorKind[]): Responses {
  const byStatus = new Map<number, Set<string>>()
  for (const kind of kinds) {
    if (kind === 'not_acceptable') continue
    const name = errorNameOf(kind)
    const { status } = errorTypes[name]
    byStatus.set(status, (byStatus.get(status) ?? new Set()).add(name))
  }
  return Object.fromEntries(
    [...byStatus].map(([status, names]) => [status, errorResponse([...names].join(', '))]),
  )
}

function errorResponse(description: string): Responses[string] {
  return { description, content: { [jsonType]: { schema: refTo('error') } } }
}
