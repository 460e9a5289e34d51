import type { ErrorKind } from '../domain/errors.ts'
import type { Schema } from './openapi/schema.ts'

/** What documents say of an endpoint and its steps do not. */
export interface Described {
  /** What it does, in a few words. */
  summary?: string
  /** Of a successful response; 200 by default. */
  status?: 200 | 202 | 204
  /** Of a successful response; JSON by default. */
  types?: readonly string[]
  /** Of a successful response in JSON, where nothing else tells what it holds. */
  schema?: Schema
  /** What its act can end in besides what all endpoints of its kind can. */
  fails?: readonly ErrorKind[]
  /** Responses that stand for no kind of error, by status. */
  besides?: Readonly<Record<number, Besides>>
  /** Parameters of a call that does what most callers want; `$TOKEN` is the caller's token. */
  example?: Readonly<Record<string, unknown>>
}

interface Besides {
  description: string
  /** Of its body, if it has one. */
  type?: string
}

/** The responses of an endpoint. */
export interface Declared {
  summary: string | undefined
  /** Undefined where nothing says it: 200 for reads. */
  status: number | undefined
  /** None for JSON, whose type each generation has its own of. */
  types: readonly string[] | undefined
  schema: Schema | undefined
  /** Whether a client that has it already is sent 304. */
  revalidates: boolean
  errors: readonly ErrorKind[]
  besides: Readonly<Record<number, Besides>>
  example: Readonly<Record<string, unknown>>
  /** Whether a missing right is reported in a way of its own, with another status perhaps. */
  refuses: boolean
}

interface Steps {
  login?: boolean
  open?: boolean
  rate?: object
  accepts?: object
  negotiates?: boolean
  docs?: Described
  find?: unknown
  version?: unknown
  refused?: unknown
}

/** What the steps of an endpoint can end in. */
export function declaredBy(method: string, steps: Steps): Declared {
  const {
    summary,
    status,
    types,
    schema,
    fails = [],
    besides = {},
    example = {},
  } = steps.docs ?? {}
  return {
    summary,
    status,
    types,
    schema,
    revalidates: steps.version !== undefined,
    errors: [...new Set([...errorsOf(method, steps), ...fails])],
    besides,
    example,
    refuses: steps.refused !== undefined,
  }
}

function errorsOf(method: string, steps: Steps): ErrorKind[] {
  const { login = false, open = false, negotiates = true, accepts = {} } = steps
  const hasBody = method !== 'GET' && method !== 'DELETE'
  const takes = Object.keys(accepts).length > 0
  return [
    'wrong_params',
    ...when(login || !open, 'login_required'),
    'wrong_credentials',
    'insufficient_access',
    ...when(steps.find !== undefined, 'not_found'),
    ...when(negotiates, 'not_acceptable'),
    ...when(hasBody, 'too_large'),
    ...when(hasBody && takes, 'unprocessable_entity'),
    ...when(steps.rate !== undefined, 'too_many_requests'),
    'unavailable',
  ]
}

function when(condition: boolean, kind: ErrorKind): ErrorKind[] {
  return condition ? [kind] : []
}
