// Bodies of calls, in each type that a document has for them.
import fc from 'fast-check'
import type { MediaContent } from '../../../src/http/openapi/operation.ts'
import { anyValue, type Names } from './values.ts'

export interface Body {
  headers: Readonly<Record<string, string>>
  payload?: string
}

const none: Body = { headers: {} }
const cut: Body = { headers: { 'content-type': 'application/json' }, payload: '{"a":' }

/** The example of a body, any other one, none, or one that cannot be read. */
export function anyBody(content: MediaContent, names: Names): fc.Arbitrary<Body> {
  const bodies = Object.entries(content).flatMap(([type, { schema, example }]) => {
    const values = [
      anyValue(schema, names),
      ...(example === undefined ? [] : [fc.constant(example)]),
    ]
    return values.map((value) => value.map((each) => bodyIn(type, each)))
  })
  if (bodies.length === 0) return fc.constant(none)
  const written = { weight: 12, arbitrary: fc.oneof(...bodies) }
  return fc.oneof(written, { weight: 1, arbitrary: fc.constantFrom(none, cut) })
}

const boundary = 'a-boundary'

/** A value as a body of this type: of the text of a file for what is neither JSON nor a form. */
export function bodyIn(type: string, value: unknown): Body {
  switch (type) {
    case 'application/json':
      return { headers: { 'content-type': type }, payload: JSON.stringify(value) }
    case 'application/x-www-form-urlencoded':
      return {
        headers: { 'content-type': type },
        payload: new URLSearchParams(pairsOf(value)).toString(),
      }
    case 'multipart/form-data':
      return {
        headers: { 'content-type': `${type}; boundary=${boundary}` },
        payload: [...pairsOf(value).map(partOf), `--${boundary}--\r\n`].join(''),
      }
    default:
      return { headers: { 'content-type': 'text/yaml' }, payload: textOf(value) }
  }
}

function partOf([name, text]: [name: string, text: string]): string {
  const disposition = `content-disposition: form-data; name="${encodeURI(name)}"`
  return `--${boundary}\r\n${disposition}\r\n\r\n${text}\r\n`
}

/** As forms and queries write values: members in brackets, and lists by repeated names. */
export function pairsOf(value: unknown, name = ''): [name: string, text: string][] {
  if (value === undefined) return []
  if (Array.isArray(value)) return value.flatMap((each) => pairsOf(each, name))
  if (typeof value !== 'object' || value === null) return [[name, textOf(value)]]
  return Object.entries(value).flatMap(([key, each]) =>
    pairsOf(each, name === '' ? key : `${name}[${key}]`),
  )
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}
