import { Ajv2020 } from 'ajv/dist/2020.js'
import type { OpenApi, Operation } from '../../src/http/openapi/operation.ts'
import type { JsonSchema } from '../../src/http/openapi/schema.ts'

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

function leadingToDocument(schema: JsonSchema): JsonSchema {
  const text = JSON.stringify(schema)
  return JSON.parse(text.replaceAll('"#/components/', `"${documentId}#/components/`)) as JsonSchema
}

/** Every operation of a document, with its call. */
export const operationsIn = ({ paths }: OpenApi) =>
  Object.entries(paths).flatMap(([url, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      call: `${method.toUpperCase()} ${url}`,
      url,
      operation,
    })),
  )

/** The operation of a call, such as `GET /repo/{repository}`. */
export function operationIn(document: OpenApi, wanted: string): Operation {
  const found = operationsIn(document).find(({ call }) => call === wanted)
  if (!found) throw new Error(`${wanted} is not in the document`)
  return found.operation
}

/** A path with its variables unnamed: those that have the same are one to OpenAPI. */
export const shapeOf = (path: string) => path.replaceAll(/\{\w+\}/g, '{}')

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
  const compiled = new Map<JsonSchema, ReturnType<typeof ajv.compile>>()
  const routes = Object.entries(document.paths).map(([path, operations]) => ({
    pattern: new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{[^}]+\}/g, '[^/]+')}$`),
    variables: path.split('{').length - 1,
    literals: shapeOf(path).length,
    operations,
  }))

  function validator(schema: JsonSchema) {
    const known = compiled.get(schema)
    if (known) return known
    const made = ajv.compile(leadingToDocument(schema))
    compiled.set(schema, made)
    return made
  }

  /** The operations of a call: of paths that match, those are meant whose own words are the most. */
  function operationsOf({ method, path }: Pick<Called, 'method' | 'path'>): Operation[] {
    const [plain = ''] = path.split('?')
    const found = routes.filter(({ pattern }) => pattern.test(plain))
    const [best] = found.toSorted((a, b) => a.variables - b.variables || b.literals - a.literals)
    return found
      .filter((each) => each.variables === best?.variables && each.literals === best.literals)
      .flatMap(({ operations }) => operations[method.toLowerCase()] ?? [])
  }

  function problemsUnder({ responses }: Operation, { status, type, body }: Called): string[] {
    const documented = responses[status] ?? responses.default
    if (!documented) return [`the document has no ${status}`]
    if (body === '') return []
    const expected = type ?? 'application/json'
    const content = documented.content?.[expected]
    return content ? problemsIn(body, content.schema) : [`${status} is never ${expected}`]
  }

  /** What a schema does not allow in a value. */
  function problemsIn(value: unknown, schema: JsonSchema): string[] {
    const isValid = validator(schema)
    if (isValid(value)) return []
    return (isValid.errors ?? []).map(
      ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
    )
  }

  return {
    operationsOf,
    problemsIn,
    /**
     * What is wrong with an answer; nothing if the document has it. Where two paths can be meant, one of
     * them has to have it.
     */
    problemsOf(called: Called): string[] {
      const problems = operationsOf(called).map((operation) => problemsUnder(operation, called))
      if (problems.some((each) => each.length === 0)) return []
      return problems[0] ?? ['the document has no such operation']
    },
  }
}
