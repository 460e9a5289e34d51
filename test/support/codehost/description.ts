import { readFileSync } from 'node:fs'
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import type { RecordedCall } from './server.ts'
import type { HookDelivery } from './tables.ts'

type Schema = Readonly<Record<string, unknown>>

interface Operation {
  query: Readonly<Record<string, Schema>>
  /** Of what is sent; without one nothing is. */
  body?: Schema
  responses: Readonly<Record<string, { body?: Schema }>>
}

interface Description {
  source: string
  operations: Readonly<Record<string, Operation>>
  webhooks: Readonly<Record<string, { body: Schema }>>
  schemas: Readonly<Record<string, Schema>>
}

/** The published description of GitHub's interface, as far as we use it (`scripts/extract-description.js`). */
const described = read('description.json') as Description

/** The same of its GraphQL, of which we use one query (`scripts/extract-graphql.js`). */
const graphql = read('graphql-description.json') as Pick<Description, 'operations'>

function read(name: string): unknown {
  return JSON.parse(readFileSync(new URL(name, import.meta.url), 'utf8'))
}

const ajv = new Ajv({ strict: false, allowUnionTypes: true, allErrors: true })
const texts = new Ajv({ strict: false, coerceTypes: true })
const compiled = new Map<Schema, ValidateFunction>()

interface Recorded {
  calls: readonly RecordedCall[]
  deliveries: readonly HookDelivery[]
}

/**
 * In what the calls and webhooks so far differ from the published description: unknown calls,
 * parameters and members, wrong values, and answers that the real one would not give.
 */
export function deviations({ calls, deliveries }: Recorded): string[] {
  return [...new Set([...calls.flatMap(ofCall), ...deliveries.flatMap(ofWebhook)])]
}

function ofCall(recorded: RecordedCall): string[] {
  const [method = '', target = ''] = recorded.call.split(' ')
  const { pathname, searchParams } = new URL(target, 'http://codehost')
  // Pages for people, and what belongs to them, are no part of the interface.
  if (/\.git\/|^\/login\/oauth\/|^\/favicon\.ico$/.test(pathname)) return []
  const found = operationAt(method, pathname)
  if (!found) return [`${method} ${pathname} is not described`]
  const [line, operation] = found
  return [
    ...ofQuery(operation, searchParams),
    ...ofBody(operation, recorded),
    ...ofAnswer(operation, recorded),
  ].map((problem) => `${line}: ${problem}`)
}

// A name of a commit may have slashes, so what stands below it comes first.
const operations = Object.entries({ ...described.operations, ...graphql.operations }).toSorted(
  ([a], [b]) => b.length - a.length,
)

/** Repositories can be addressed by their ids as well, which is not described. */
function operationAt(method: string, pathname: string) {
  const path = pathname.replace(/^\/repositories\/\d+/, '/repos/-/-')
  return operations.find(([line]) => {
    const [, pattern = ''] = line.split(' ')
    const parts = pattern.replaceAll('{path}', '.+').replaceAll('{ref}', '.+')
    return (
      line.startsWith(`${method} `) &&
      new RegExp(
        `^${parts.replaceAll(/\{\w+_id\}/g, '\\d+').replaceAll(/\{\w+\}/g, '[^/]+')}$`,
      ).test(path)
    )
  })
}

function ofQuery({ query }: Operation, given: URLSearchParams): string[] {
  return [...given].flatMap(([name, text]) => {
    const schema = query[name]
    if (schema === undefined) return [`there is no parameter ${name}`]
    const isValid: boolean = texts.validate(schema, text)
    return isValid ? [] : [`the parameter ${name} cannot be ${text}`]
  })
}

/** Unknown members would be ignored there, so what was meant by them would not happen. */
function ofBody({ body: schema }: Operation, { body, status }: RecordedCall): string[] {
  // The connection broke before it came.
  if (status === 0) return []
  const names = Object.keys(body)
  if (schema === undefined) return names.map((name) => `the body has no ${name}`)
  const known = membersOf(schema)
  const unknown = names.filter((name) => !known.has(name))
  return [
    ...unknown.map((name) => `the body has no ${name}`),
    ...problemsOf(schema, body).map((problem) => `body${problem}`),
  ]
}

function ofAnswer({ responses }: Operation, { status, answer }: RecordedCall): string[] {
  // Without a response, or by a proxy in between, or as bytes.
  if (status === 0 || status >= 500 || Buffer.isBuffer(answer)) return []
  // Of a repository that was renamed: any call may be redirected, which few descriptions say.
  if (status === 301 || status === 307) return []
  const response = responses[status]
  if (status < 400 && !response) return [`it does not respond with ${status}`]
  const schema = response?.body ?? (status < 400 ? undefined : described.schemas['basic-error'])
  return schema ? problemsOf(schema, answer).map((problem) => `${status}${problem}`) : []
}

function ofWebhook({ event, action, request }: HookDelivery): string[] {
  const name = [event, ...(action === null ? [] : [action])].join('-').replaceAll('_', '-')
  const webhook = described.webhooks[name]
  if (!webhook) return [`webhook ${name} is not described`]
  return problemsOf(webhook.body, request.payload).map((problem) => `webhook ${name}${problem}`)
}

function problemsOf(schema: Schema, value: unknown): string[] {
  const validate = compiled.get(schema) ?? ajv.compile({ ...schema, schemas: described.schemas })
  compiled.set(schema, validate)
  return validate(value) ? [] : (validate.errors ?? []).map(textOf)
}

function textOf({ instancePath, message, params }: ErrorObject): string {
  return ` at ${instancePath || '/'}: ${message} ${JSON.stringify(params)}`
}

/** The names of all members that any branch of a schema knows. */
function membersOf(schema: Schema): Set<string> {
  const branches = ['allOf', 'anyOf', 'oneOf'].flatMap((key) => (schema[key] ?? []) as Schema[])
  const { $ref, properties = {} } = schema as { $ref?: string; properties?: object }
  const target = $ref === undefined ? undefined : described.schemas[$ref.split('/').at(-1) ?? '']
  return new Set([
    ...Object.keys(properties),
    ...(target ? membersOf(target) : []),
    ...branches.flatMap((branch) => [...membersOf(branch)]),
  ])
}
