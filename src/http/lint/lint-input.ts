import qs from 'qs'
import { wrongParams } from '../../domain/errors.ts'
import type { Call } from '../endpoint.ts'
import { readFormParts } from './form-parts.ts'

/** What to lint, and how. */
export interface LintInput {
  text: string
  /** Whether advice is wanted besides the messages (D31). */
  advice: boolean
}

type Parameters = Readonly<Record<string, unknown>>

/**
 * The build file of a call: the parameter `content` of a form, of JSON or of the query; without it
 * the body itself, whatever its content type.
 */
export function readLintInput(call: Call): LintInput {
  const { content, advice } = parametersOf(call)
  const text = typeof content === 'string' ? content : bodyOf(call).toString()
  return { text, advice: advice === true || advice === 'true' || advice === '1' }
}

/** The parameters of the query and the body; the body wins. */
export function parametersOf(call: Call): Parameters {
  const type = call.request.headers['content-type'] ?? ''
  return { ...call.query, ...fromBody(bodyOf(call), type) }
}

function bodyOf({ request: { body } }: Call): Buffer {
  return Buffer.isBuffer(body) ? body : Buffer.alloc(0)
}

function fromBody(body: Buffer, type: string): Parameters {
  if (body.length === 0) return {}
  if (/^application\/(?:[\w.+-]+\+)?json\b/i.test(type)) return fromJson(body)
  if (/^multipart\/form-data\b/i.test(type)) return fromForm(body, type)
  // A body labelled as a form may be the file itself: then there is no `content` in it.
  if (/^application\/x-www-form-urlencoded\b/i.test(type)) {
    return qs.parse(body.toString(), { depth: 1, parameterLimit: 100 })
  }
  return {}
}

function fromJson(body: Buffer): Parameters {
  try {
    const value: unknown = JSON.parse(body.toString())
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      return value as Parameters
    }
  } catch {
    throw wrongParams('Failed to parse body as JSON')
  }
  throw wrongParams('the body must be a JSON object with the member "content"')
}

function fromForm(body: Buffer, type: string): Parameters {
  const fields = readFormParts(body, type)
  if (!fields) throw wrongParams('the form in the body cannot be read')
  return fields
}
