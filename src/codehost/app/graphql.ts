/** Only queries are sent, which change nothing. */
export const graphqlRoute = 'POST /graphql'

/** An Enterprise Server has it beside the interface of version 3, not below it. */
export function graphqlUrl(apiUrl: string): string {
  return `${apiUrl.replace(/\/v3\/?$/, '').replace(/\/$/, '')}/graphql`
}

interface GraphqlError {
  message?: unknown
  type?: unknown
  extensions?: { code?: unknown }
}

/** The statuses with which other calls fail for the same reasons. */
const statuses: Readonly<Record<string, number>> = {
  NOT_FOUND: 404,
  FORBIDDEN: 403,
  INSUFFICIENT_SCOPES: 403,
  RATE_LIMITED: 429,
}

/**
 * A query that fails has a response of status 200 all the same. Its error in the form in which the code
 * host refuses other calls; undefined for a query that did not fail.
 */
export function graphqlFailure(
  body: object,
  headers: Readonly<Record<string, unknown>>,
): Error | undefined {
  const { errors } = body as { errors?: readonly GraphqlError[] }
  const [first] = Array.isArray(errors) ? errors : []
  if (!first) return undefined
  const message = String(first.message)
  const response = { headers, data: { message } }
  return Object.assign(new Error(message), { status: statusOf(first), response })
}

/** Where there is a code and no type, the query is not understood there: its version is too old. */
function statusOf({ type, extensions }: GraphqlError): number {
  if (typeof type === 'string') return statuses[type] ?? 502
  return extensions?.code === undefined ? 502 : 422
}
