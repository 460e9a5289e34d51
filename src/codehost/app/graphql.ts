/** Only queries are sent, never mutations. */
export const graphqlRoute = 'POST /graphql'

/** On an Enterprise Server, the GraphQL API is next to the REST API (version 3), not below it. */
export function graphqlUrl(apiUrl: string): string {
  return `${apiUrl.replace(/\/v3\/?$/, '').replace(/\/$/, '')}/graphql`
}

interface GraphqlError {
  message?: unknown
  type?: unknown
  extensions?: { code?: unknown }
}

/** The statuses of REST calls that fail for the same reasons. */
const statuses: Readonly<Record<string, number>> = {
  NOT_FOUND: 404,
  FORBIDDEN: 403,
  INSUFFICIENT_SCOPES: 403,
  RATE_LIMITED: 429,
}

/**
 * The error of a GraphQL response, in the form of a failed REST call; undefined if the query succeeded.
 * A failed query also has status 200.
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

/** A code without a type means that the server does not understand the query: its version is too old. */
function statusOf({ type, extensions }: GraphqlError): number {
  if (typeof type === 'string') return statuses[type] ?? 502
  return extensions?.code === undefined ? 502 : 422
}
