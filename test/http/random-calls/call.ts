// Calls by a client that knows nothing but an OpenAPI document, and the names of a few records.
import fc from 'fast-check'
import type {
  DocumentedParameter,
  OpenApi,
  Operation,
} from '../../../src/http/openapi/operation.ts'
import { anyBody, type Body, pairsOf, textOf } from './body.ts'
import { anyValue, mostly, named, type Names, strangeText } from './values.ts'

const callers = ['admin', 'stranger', 'nobody', 'wrong'] as const

/** How a token is sent, as `securitySchemes` have it. */
const schemes = ['token', 'Bearer', 'Basic'] as const

export interface RandomCall extends Body {
  method: string
  /** Below the address of the server. */
  path: string
  who: (typeof callers)[number]
  scheme: (typeof schemes)[number]
}

/** Any call that a document describes; each of its operations as often as any other. */
export function anyCall({ paths }: Pick<OpenApi, 'paths'>, names: Names): fc.Arbitrary<RandomCall> {
  const calls = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) =>
      callOf(operation, { method: method.toUpperCase(), path, names }),
    ),
  )
  return fc.oneof(...calls)
}

interface Place {
  method: string
  path: string
  names: Names
}

function callOf(operation: Operation, { method, path, names }: Place): fc.Arbitrary<RandomCall> {
  const given = (place: string) =>
    anyOf(
      operation.parameters.filter((each) => each.in === place),
      names,
    )
  return fc
    .record({
      words: given('path'),
      query: given('query'),
      named: given('header'),
      accept: anyAccept(operation),
      body: anyBody(operation.requestBody?.content ?? {}, names),
      who: mostly<RandomCall['who']>(fc.constant('admin'), fc.constantFrom(...callers)),
      scheme: mostly<RandomCall['scheme']>(fc.constant('token'), fc.constantFrom(...schemes)),
    })
    .map(({ words, query, named, accept, body, who, scheme }) => ({
      method,
      path: filled(path, words) + queryOf(query),
      headers: { ...headersOf({ ...named, accept }), ...body.headers },
      ...(body.payload === undefined ? {} : { payload: body.payload }),
      who,
      scheme,
    }))
}

type Given = Readonly<Record<string, unknown>>

/** Values of parameters by name; undefined for those that are left out. */
function anyOf(parameters: readonly DocumentedParameter[], names: Names): fc.Arbitrary<Given> {
  return fc.record(
    Object.fromEntries(
      parameters.map((parameter) => {
        const { name, in: place, required } = parameter
        const value = valueOf(parameter, names)
        return [name, place === 'path' ? value : required ? mostly(value, none) : rarely(value)]
      }),
    ),
  )
}

const none = fc.constant(undefined)

/** So that most calls have few parameters, of which one that is wrong would be the only one looked at. */
const rarely = (value: fc.Arbitrary<unknown>) =>
  fc.oneof({ weight: 3, arbitrary: none }, { weight: 1, arbitrary: value })

function valueOf({ name, in: place, schema, example }: DocumentedParameter, names: Names) {
  const examples = example === undefined ? [] : [example]
  const other =
    place === 'path'
      ? // Clients resolve paths with dots alone before they send them.
        strangeText.filter((text) => !/^\.*$/.test(text))
      : anyValue(schema, names)
  return named(name, other, { [name]: [...(names[name] ?? []), ...examples] })
}

/** What a client accepts that wants one of the documented types, or says nothing of it. */
function anyAccept({ responses }: Operation): fc.Arbitrary<string | undefined> {
  const types = Object.entries(responses)
    .filter(([status]) => status.startsWith('2'))
    .flatMap(([, { content = {} }]) => Object.keys(content))
    .map((type) => type.replace(/;.*/, ''))
  return fc.constantFrom(undefined, '*/*', ...types)
}

function filled(path: string, words: Given): string {
  return path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => escaped(words[name]))
}

function queryOf(given: Given): string {
  const pairs = pairsOf(given)
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`
}

/** But for values that no client can send in a header. */
function headersOf(given: Given): Record<string, string> {
  const texts = Object.entries(given).map(([name, value]) => [name, textOf(value)] as const)
  return Object.fromEntries(texts.filter(([, text]) => /^[\x21-\x7E]+$/.test(text)))
}

/** But for halves of surrogate pairs, which cannot be escaped. */
function escaped(value: unknown): string {
  return encodeURIComponent(Buffer.from(textOf(value)).toString())
}
