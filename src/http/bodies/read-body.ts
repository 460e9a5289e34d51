import { wrongParams } from '../../domain/errors.ts'
import { text } from '../core/answer.ts'
import { Refusal } from '../core/refusal.ts'
import { type Given, nest, nestQuery } from '../parameters/nest.ts'

/**
 * How an endpoint parses its body: `parameters` in JSON or a form, by its content type, or JSON labelled
 * as a form; `json`, regardless of its content type; or `text`, unless its content type declares
 * parameters, and at least one of them is accepted.
 */
export type BodyKind = 'parameters' | 'json' | 'text'

/** The parameters in a body. Throws if it cannot be read. */
export function readBody(body: Buffer, contentType: string, kind: BodyKind): Given {
  if (body.length === 0) return {}
  if (kind === 'json') return readJson(body, invalidJson)
  const type = contentType.toLowerCase()
  if (/^\s*(?:application\/(?:[\w.+-]+\+)?json|text\/json)\s*(?:;|$)/.test(type)) {
    return readJson(body, wrongParams)
  }
  if (/^\s*multipart\/form-data\b/.test(type)) return readParts(body, contentType)
  if (!/^\s*application\/x-www-form-urlencoded\b/.test(type)) return {}
  return (kind === 'parameters' ? mislabelled(body) : undefined) ?? nestQuery(body.toString())
}

/** A JSON object labelled as a form: the official client labels everything it sends as a form. */
function mislabelled(body: Buffer): Given | undefined {
  if (body[0] !== '{'.charCodeAt(0)) return undefined
  try {
    return readJson(body, wrongParams)
  } catch {
    return undefined
  }
}

function readJson(body: Buffer, refuse: (message: string) => Error): Given {
  let value: unknown
  try {
    value = JSON.parse(body.toString())
  } catch {
    throw refuse('Failed to parse body as JSON')
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw refuse('the body must be a JSON object')
  }
  if (isDeeperThan(mostLevels, value)) {
    throw refuse(`the body must not be nested more than ${mostLevels} levels deep`)
  }
  return value as Given
}

/** Most levels of nesting: more than any configuration has, and few enough for recursive functions. */
const mostLevels = 200

function isDeeperThan(levels: number, value: object): boolean {
  let level: unknown[] = [value]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > levels) return true
    level = level.flatMap((each) =>
      typeof each === 'object' && each !== null ? Object.values(each) : [],
    )
  }
  return false
}

/** The refusal of a `json` body that cannot be parsed: one line of text (V2.1). */
function invalidJson(): Refusal {
  const message = 'Invalid JSON in request body'
  return new Refusal(wrongParams(message), text(message))
}

function readParts(body: Buffer, contentType: string): Given {
  const fields = readFormParts(body, contentType)
  if (!fields) throw wrongParams('the form in the body cannot be read')
  return nest(fields)
}

/**
 * The fields of a multipart form (RFC 7578), files as their text; undefined if it is not one. Node's
 * own form reader rejects short boundaries, which some clients use.
 */
function readFormParts(body: Buffer, type: string): [name: string, value: string][] | undefined {
  const boundary = boundaryIn(type)
  if (boundary === undefined) return undefined
  // Latin-1 has one character for each byte, so no byte is lost before the values are found.
  const [, ...parts] = `\r\n${body.toString('latin1')}`.split(`\r\n--${boundary}`)
  const end = parts.findIndex((part) => part.startsWith('--'))
  if (end < 0) return undefined
  return parts.slice(0, end).flatMap(readPart)
}

function boundaryIn(type: string): string | undefined {
  const [, quoted, plain] = /;\s*boundary=(?:"([^"]{1,70})"|([^;\s"]{1,70}))/i.exec(type) ?? []
  return quoted ?? plain
}

function readPart(part: string): [name: string, value: string][] {
  const headersEnd = part.indexOf('\r\n\r\n')
  const disposition = /^content-disposition:.*$/im.exec(part.slice(0, headersEnd))?.[0] ?? ''
  const [, quoted, plain] = /;\s*name=(?:"([^"]*)"|([^;\s"]+))/i.exec(disposition) ?? []
  const name = quoted ?? plain
  if (headersEnd < 0 || name === undefined) return []
  return [[utf8(name), utf8(part.slice(headersEnd + 4))]]
}

function utf8(text: string): string {
  return Buffer.from(text, 'latin1').toString('utf8')
}
