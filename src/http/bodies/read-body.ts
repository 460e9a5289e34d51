import { wrongParams } from '../../domain/errors.ts'
import { text } from '../answer.ts'
import { type Given, nest, nestQuery } from '../parameters/nest.ts'
import { Refusal } from '../refusal.ts'
import { readFormParts } from './form-parts.ts'

/**
 * What an endpoint reads its body as: `parameters` in JSON or a form, as its content type says, or
 * JSON labelled as a form; `json`, whatever its content type says; or `text`, unless its content type
 * says that it holds parameters, and at least one of them is accepted.
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

/** An object in JSON, which the official client labels as a form like all that it sends. */
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

/** More than any configuration has; whatever walks through a body can do so by calling itself. */
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

/** What is JSON whatever its content type says is refused in one line of text (V2.1). */
function invalidJson(): Refusal {
  const message = 'Invalid JSON in request body'
  return new Refusal(wrongParams(message), text(message))
}

function readParts(body: Buffer, contentType: string): Given {
  const fields = readFormParts(body, contentType)
  if (!fields) throw wrongParams('the form in the body cannot be read')
  return nest(fields)
}
