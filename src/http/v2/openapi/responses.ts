import { type ErrorKind, ServiceError } from '../../../domain/errors.ts'
import { type Answer, htmlType, textType } from '../../answer.ts'
import type { Endpoint } from '../../endpoint.ts'
import type { Content, Responses } from '../../openapi/operation.ts'
import { anyObject, type Schema, text } from '../../openapi/schema.ts'
import { errorAnswers } from '../errors.ts'
import { resourceType } from '../resource-type.ts'

export function responsesOf({ declared, negotiates, body }: Endpoint): Responses {
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
    ...errorResponses(declared.errors),
    ...(declared.refuses
      ? { '4XX': { description: 'the right is missing', content: contentOf(['application/json']) } }
      : {}),
  }
  return [...besides, ...(body === 'json' ? [unreadable] : [])].reduce(withOthers, responses)
}

/** What is JSON whatever its content type says is refused in one line. */
const unreadable: Responses = {
  400: { description: 'invalid JSON', content: contentOf([textType]) },
}

/** Responses with the same status are one. */
function withOthers(responses: Responses, others: Responses): Responses {
  const added = Object.entries(others).map(([status, { description, content }]) => {
    const known = responses[status]
    const all = { ...known?.content, ...content }
    return [
      status,
      {
        description: known ? `${known.description}, ${description}` : description,
        ...(Object.keys(all).length === 0 ? {} : { content: all }),
      },
    ]
  })
  return { ...responses, ...Object.fromEntries(added) }
}

function contentOf(types: readonly string[], json: Schema = anyObject): Content {
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

/** The types in which an error is reported; none where it has no body. */
function typesOf(kind: ErrorKind): string[] {
  if (kind === 'not_acceptable') return []
  const answer: Answer = errorAnswers[kind].answer(
    new ServiceError(kind, '', { resource: { id: 0 } }),
  )
  const type = answer.answer === 'text' ? textType : 'application/json'
  // Browsers get a page.
  return kind === 'too_many_requests' ? [type, htmlType] : [type]
}
