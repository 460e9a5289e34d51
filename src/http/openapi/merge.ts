import type {
  MediaContent,
  DocumentedParameter,
  Operation,
  RequestBody,
  Responses,
} from './operation.ts'
import { anyOf } from './schema.ts'

/** Merges two operations that have the same method and the same path. */
export function mergedOperation(one: Operation, other: Operation): Operation {
  const requestBody = mergedBody(one.requestBody, other.requestBody)
  const summary = joined([one.summary, other.summary], '; or ')
  return {
    operationId: one.operationId,
    tags: distinct([...one.tags, ...other.tags]),
    ...(summary === '' ? {} : { summary }),
    security: distinct([...one.security, ...other.security]),
    parameters: mergedParameters(one.parameters, other.parameters),
    ...(requestBody === undefined ? {} : { requestBody }),
    responses: mergedResponses(one.responses, other.responses),
  }
}

/** Merges responses with the same status; the merged body can be either body. */
export function mergedResponses(some: Responses, others: Responses): Responses {
  const added = Object.entries(others).map(([status, response]) => {
    const known = some[status]
    const content = mergedContent(known?.content ?? {}, response.content ?? {})
    return [
      status,
      {
        description: joined([known?.description, response.description], ', '),
        ...(Object.keys(content).length === 0 ? {} : { content }),
      },
    ]
  })
  return { ...some, ...Object.fromEntries(added) }
}

function mergedContent(some: MediaContent, others: MediaContent): MediaContent {
  const added = Object.entries(others).map(([type, other]) => {
    const known = some[type]
    const isNew = known === undefined || isSame(known.schema, other.schema)
    return [type, isNew ? other : { ...known, schema: anyOf(known.schema, other.schema) }]
  })
  return { ...some, ...Object.fromEntries(added) }
}

/** Merges parameters; parameters of only one operation become optional. */
function mergedParameters(
  some: readonly DocumentedParameter[],
  others: readonly DocumentedParameter[],
): DocumentedParameter[] {
  const both = some.map((one) => {
    const other = others.find(isLike(one))
    if (!other) return { ...one, required: false }
    const schema = isSame(one.schema, other.schema) ? one.schema : anyOf(one.schema, other.schema)
    return { ...one, required: one.required && other.required, schema }
  })
  const added = others.filter((one) => !some.some(isLike(one)))
  return [...both, ...added.map((one) => ({ ...one, required: false }))]
}

function isLike(one: DocumentedParameter) {
  return (each: DocumentedParameter) => each.name === one.name && each.in === one.in
}

function mergedBody(
  one: RequestBody | undefined,
  other: RequestBody | undefined,
): RequestBody | undefined {
  if (!one || !other) return one ?? other
  const content = mergedContent(one.content, other.content)
  return { required: one.required && other.required, content }
}

function joined(texts: readonly (string | undefined)[], between: string): string {
  return distinct(texts.filter((text) => text !== undefined)).join(between)
}

function distinct<T>(values: readonly T[]): T[] {
  return values.filter((value, index) => values.findIndex((each) => isSame(each, value)) === index)
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
