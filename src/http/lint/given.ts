import qs from 'qs'
import { wrongParams } from '../../domain/errors.ts'
import type { Call } from '../endpoint.ts'

/** What is to be linted, and how. */
export interface Given {
  text: string
  /** Whether advice is wanted besides what the observed service says (D31). */
  advice: boolean
}

type Parameters = Readonly<Record<string, unknown>>

/**
 * The build file of a call: the parameter `content` of a form, of JSON or of the query; without it
 * the body itself, whatever it is labelled (api-v2.1 7.17).
 */
export async function givenOf({ query, request }: Call): Promise<Given> {
  const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
  const type = request.headers['content-type'] ?? ''
  const parameters = { ...query, ...(await parametersOf(body, type)) }
  const { content, advice } = parameters
  const text = typeof content === 'string' ? content : body.toString()
  return { text, advice: advice === true || advice === 'true' || advice === '1' }
}

async function parametersOf(body: Buffer, type: string): Promise<Parameters> {
  if (body.length === 0) return {}
  if (/^application\/(?:[\w.+-]+\+)?json\b/i.test(type)) return fromJson(body)
  if (/^multipart\/form-data\b/i.test(type)) return fromForm(body, type)
  // What a client labels a form may be the file itself: nothing in it is called `content` then.
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

async function fromForm(body: Buffer, type: string): Promise<Parameters> {
  try {
    const form = await new Response(new Uint8Array(body), {
      headers: { 'content-type': type },
    }).formData()
    const entries = [...form].map(async ([name, value]) => {
      return [name, typeof value === 'string' ? value : await value.text()] as const
    })
    return Object.fromEntries(await Promise.all(entries))
  } catch {
    throw wrongParams('the form in the body cannot be read')
  }
}
