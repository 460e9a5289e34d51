import type { Call } from '../endpoint.ts'

/** Parameters that every endpoint takes. */
const always = ['@type', 'representation']

/** The `@warnings` member for parameters that an endpoint does not know; nothing if there are none. */
export function warningsFor({ query }: Call, accepted: readonly string[]) {
  const known = new Set([...always, ...accepted])
  const ignored = Object.keys(query).filter((name) => !known.has(name))
  if (ignored.length === 0) return {}
  return {
    '@warnings': ignored.map((parameter) => ({
      '@type': 'warning',
      message: `parameter ${parameter} is not accepted here, ignored`,
      warning_type: 'ignored_parameter',
      parameter,
    })),
  }
}
