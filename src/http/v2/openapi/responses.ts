import { type ErrorKind, ServiceError } from '../../../domain/errors.ts'
import { type Answer, htmlType, textType } from '../../core/answer.ts'
import type { Endpoint } from '../../core/endpoint.ts'
import { mergedResponses } from '../../openapi/merge.ts'
import type { MediaContent, Responses } from '../../openapi/operation.ts'
import { anyObject, type JsonSchema, text } from '../../openapi/schema.ts'
import { errorAnswers } from '../errors.ts'
import { resourceType } from '../resource-type.ts'

export function responsesOf(endpoint: Endpoint): Responses {
  const { declared, negotiates, body } = endpoint
  const { status = 200, types = [negotiates ? resourceType : 'application/json'] } = declared
  const besides = Object.entries(declared.besides).map(([other, { description, type }]) => ({
    [other]: { description, ...(type === undefined ? {} : { content: contentOf([type]) }) },
  }))
  const responses = {
    [status]: {
      description: status === 204 ? 'done' : 'success',
      ...(status === 204 ? {} : { content: contentOf(types, declared.schema) }),
    },
    ...(declared.revalidates ? { 304: { description: 'the client has it already' } } : {}),
    ...errorResponses(errorsOf(endpoint)),
  }
  return [
    ...besides,
    ...(declared.refusal === undefined ? [] : [refusedWith(declared.refusal)]),
    ...(body === 'json' ? [unreadable] : []),
  ].reduce(mergedResponses, responses)
}

/** A path with a variable is unknown for values that the router does not match. */
function errorsOf({ declared, paths }: Endpoint): ErrorKind[] {
  const isAny = paths.some((path) => /[:*]/.test(path))
  return [...new Set([...declared.errors, ...(isAny ? (['not_found'] as const) : [])])]
}

const refusedWith = (status: number): Responses => ({
  [status]: { description: 'the right is missing', content: contentOf(['application/json']) },
})

/** Invalid JSON is refused in one line of text where the body is JSON regardless of its content type. */
const unreadable: Responses = {
  400: { description: 'invalid JSON', content: contentOf([textType]) },
}

function contentOf(types: readonly string[], json: JsonSchema = anyObject): MediaContent {
  return Object.fromEntries(
    types.map((type) => [type, { schema: /\bjson\b/.test(type) ? json : text }]),
  )
}

/** Kinds of errors with the same status are one response. */
function errorResponses(kinds: readonly ErrorKind[]): Responses {
  const byStatus = new Map<number, ErrorKind[]>()
  for (const kind of kinds) {
    const { status } = errorAnswers[kind]
    byStatus.set(status, [...(byStatus.get(status) ?? []), kind])
  }
  return Object.fromEntries(
    [...byStatus].map(([status, same]) => {
      const types = [...new Set(same.flatMap(typesOf))]
      const description = same.map((kind) => kind.replaceAll('_', ' ')).join(', ')
      return [
        status,
        types.length === 0 ? { description } : { description, content: contentOf(types) },
      ]
    }),
  )
}

/** Media types of an error response; none if it has no body. */
function typesOf(kind: ErrorKind): string[] {
  if (kind === 'not_acceptable') return []
  const answer: Answer = errorAnswers[kind].answer(
    new ServiceError(kind, '', { resource: { id: 0 } }),
  )
  const type = answer.answer === 'text' ? textType : 'application/json'
  // Browsers get a page.
  return kind === 'too_many_requests' ? [type, htmlType] : [type]
}
