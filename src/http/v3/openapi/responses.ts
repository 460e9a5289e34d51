import type { ErrorKind } from '../../../domain/errors.ts'
import { textType } from '../../core/answer.ts'
import type { Endpoint } from '../../core/endpoint.ts'
import { isTextPath } from '../../core/text-path.ts'
import { exampleOf } from '../../openapi/example.ts'
import type { MediaContent, Responses } from '../../openapi/operation.ts'
import {
  anyObject,
  anyOf,
  constant,
  objectOf,
  refTo,
  type JsonSchema,
  text,
} from '../../openapi/schema.ts'
import { shownBy, statusOf } from '../core/action.ts'
import { errorNameOf, errorTypes } from '../core/errors.ts'
import type { Shown } from '../core/presented.ts'
import { schemaName } from './resource-schemas.ts'
import { schemas } from './schemas.ts'

const jsonType = 'application/json'

const descriptions: Readonly<Record<number, string>> = { 201: 'created', 202: 'accepted' }

export function responsesOf(endpoint: Endpoint, path: string): Responses {
  const { declared, method } = endpoint
  const status = statusOf(endpoint)
  const types = typesOf(endpoint, path)
  return {
    [status]: {
      description: method === 'GET' ? 'found' : (descriptions[status] ?? 'done'),
      ...(status === 204 ? {} : { content: contentOf(endpoint, types) }),
    },
    ...(declared.revalidates ? { 304: { description: 'the client has it already' } } : {}),
    ...errorResponses(declared.errors, types),
    default: errorResponse('any other error', types),
  }
}

/** Media types of a successful response; `.txt` paths have only text. */
function typesOf({ declared }: Endpoint, path: string): readonly string[] {
  return isTextPath({ url: path }) ? [textType] : (declared.types ?? [jsonType])
}

function contentOf(endpoint: Endpoint, types: readonly string[]): MediaContent {
  const schema = schemaOf(endpoint)
  const json = { schema, example: exampleOf(schema, schemas) }
  return Object.fromEntries(
    types.map((type) => [type, /\bjson\b/.test(type) ? json : { schema: text }]),
  )
}

function schemaOf(endpoint: Endpoint): JsonSchema {
  const { schema } = endpoint.declared
  if (schema) return schema
  if (statusOf(endpoint) === 202) return pendingOf(shownBy(endpoint))
  const [only = anyObject, ...others] = shownBy(endpoint).map(shownSchema)
  return others.length === 0 ? only : anyOf(only, ...others)
}

/** Response of an accepted change, with the record that will change. */
function pendingOf(shown: readonly Shown[]): JsonSchema {
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

function shownSchema(shown: Shown): JsonSchema {
  return 'collection' in shown
    ? refTo(shown.collection.type)
    : refTo(schemaName(shown.resource, shown.representation))
}

/** Errors with the same status are one response. V3 never responds `not_acceptable`. */
function errorResponses(kinds: readonly ErrorKind[], types: readonly string[]): Responses {
  const byStatus = new Map<number, Set<string>>()
  for (const kind of kinds) {
    if (kind === 'not_acceptable') continue
    const name = errorNameOf(kind)
    const { status } = errorTypes[name]
    byStatus.set(status, (byStatus.get(status) ?? new Set()).add(name))
  }
  return Object.fromEntries(
    [...byStatus].map(([status, names]) => [status, errorResponse([...names].join(', '), types)]),
  )
}

/** An error in JSON, labelled as text, for calls that request text. */
const labelled: JsonSchema = { ...text, contentMediaType: jsonType, contentSchema: refTo('error') }

function errorResponse(description: string, types: readonly string[]): Responses[string] {
  const content = {
    ...(types.includes(jsonType) ? { [jsonType]: { schema: refTo('error') } } : {}),
    ...(types.includes(textType) ? { 'text/plain': { schema: labelled } } : {}),
  }
  return { description, content }
}
