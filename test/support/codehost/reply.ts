export interface Reply {
  status: number
  /** JSON, unless it is text or bytes. */
  body?: unknown
  headers?: Readonly<Record<string, string>>
}

export function ok(body: unknown, headers: Reply['headers'] = {}): Reply {
  return { status: 200, body, headers }
}

export function created(body: unknown): Reply {
  return { status: 201, body }
}

export const noContent: Reply = { status: 204 }

/** A response of the code host other than the usual one. */
export class Refusal extends Error {
  readonly reply: Reply

  constructor({ status, message, headers = {}, ...details }: Refused) {
    super(message)
    const body = { message, ...details, documentation_url: documentation, status: String(status) }
    this.reply = { status, body, headers }
  }
}

interface Refused {
  status: number
  message: string
  headers?: Readonly<Record<string, string>>
  errors?: readonly unknown[]
  url?: string
}

const documentation = 'https://docs.github.com/rest'

export function notFound(message = 'Not Found'): Refusal {
  return new Refusal({ status: 404, message })
}

export function badCredentials(message = 'Bad credentials'): Refusal {
  return new Refusal({ status: 401, message })
}

/** A token that reaches what is asked about, but may not do that with it. */
export function notForIntegrations(permission: string): Refusal {
  return new Refusal({
    status: 403,
    message: 'Resource not accessible by integration',
    headers: { 'x-accepted-github-permissions': permission },
  })
}

export function unprocessable(message: string): Refusal {
  return new Refusal({ status: 422, message })
}

export function validationFailed(resource: string, field: string, message: string): Refusal {
  return new Refusal({
    status: 422,
    message: 'Validation Failed',
    errors: [{ resource, field, code: 'custom', message }],
  })
}
