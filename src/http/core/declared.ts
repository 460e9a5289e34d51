import type { ErrorKind } from '../../domain/errors.ts'
import type { JsonSchema } from '../openapi/schema.ts'

/** Facts about an endpoint for the API documents that its steps do not contain. */
export interface Described {
  /** A short description of the endpoint. */
  summary?: string
  /** Status of a successful response; 200 by default. */
  status?: 200 | 202 | 204
  /** Media types of a successful response; JSON by default. */
  types?: readonly string[]
  /** Schema of a successful JSON response, if not known from elsewhere. */
  schema?: JsonSchema
  /** Errors of its act, in addition to those common to endpoints of its kind. */
  fails?: readonly ErrorKind[]
  /** Further responses that correspond to no kind of error, by status. */
  besides?: Readonly<Record<number, Besides>>
  /** Parameters of a typical call; `$TOKEN` is the caller's token. */
  example?: Readonly<Record<string, unknown>>
}

interface Besides {
  description: string
  /** Media type of the response body, if there is one. */
  type?: string
}

/** The responses of an endpoint. */
export interface Declared {
  summary: string | undefined
  /** Undefined if not declared: 200 for reads. */
  status: number | undefined
  /** Undefined for JSON, whose media type depends on the generation. */
  types: readonly string[] | undefined
  schema: JsonSchema | undefined
  /** Whether a client with a current copy gets 304. */
  revalidates: boolean
  errors: readonly ErrorKind[]
  besides: Readonly<Record<number, Besides>>
  example: Readonly<Record<string, unknown>>
  /** Status of the custom response to a missing right. */
  refusal: number | undefined
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
  refused?: { status: number }
}

/** The responses that the steps of an endpoint can lead to. */
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
    refusal: steps.refused?.status,
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
