import type { Call } from '../endpoint.ts'
import { listIn } from '../list-in.ts'

/** Parameters that every endpoint takes. */
const always = ['@type', 'include', 'representation']

/** Attributes that are still included, but should not be asked for any more. */
const deprecated = new Map([
  ['repository.current_build', { parameter: 'current_build', better: 'last_started_build' }],
])

/** The `@warnings` member, for what is outdated or not known here; nothing if there is nothing. */
export function warningsFor({ query }: Call, accepted: readonly string[]) {
  const warnings = [...outdated(query.include), ...ignored(query, [...always, ...accepted])]
  return warnings.length > 0 ? { '@warnings': warnings } : {}
}

function outdated(include: unknown) {
  return listIn(include).flatMap((item) => {
    const { parameter, better } = deprecated.get(item) ?? {}
    if (parameter === undefined) return []
    return warning('deprecated_parameter', parameter, `${item} is deprecated, use ${better}`)
  })
}

function ignored(query: Call['query'], known: readonly string[]) {
  return Object.keys(query)
    .filter((name) => !known.includes(name))
    .map((name) =>
      warning('ignored_parameter', name, `parameter ${name} is not accepted here, ignored`),
    )
}

function warning(warning_type: string, parameter: string, message: string) {
  return { '@type': 'warning', message, warning_type, parameter }
}
