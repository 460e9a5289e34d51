import type { Call } from '../endpoint.ts'
import { listIn } from '../list-in.ts'
import type { Given } from '../parameters/nest.ts'
import { type Parameters, unknownNames } from '../parameters/parameter.ts'

export interface Warning {
  '@type': 'warning'
  message: string
  warning_type: string
  parameter: string
  value?: string
}

/** Parameters that every endpoint accepts. */
const always = ['@type', 'include', 'representation']

/** Attributes that can still be included, but should not be used any more. */
const deprecated = new Map([
  ['repository.current_build', { parameter: 'current_build', better: 'last_started_build' }],
])

/**
 * The `@warnings` member: deprecated attributes, warnings from reading the parameters, and
 * parameters that are not accepted here. Absent if there are none.
 */
export function warningsFor({ given }: Call, accepts: Parameters, found: readonly Warning[] = []) {
  const all = [...outdated(given.include), ...found, ...ignored(given, accepts)]
  return all.length > 0 ? { '@warnings': all } : {}
}

function outdated(include: unknown): Warning[] {
  return listIn(include).flatMap((item) => {
    const { parameter, better } = deprecated.get(item) ?? {}
    if (parameter === undefined) return []
    return warning('deprecated_parameter', parameter, `${item} is deprecated, use ${better}`)
  })
}

function ignored(given: Given, accepts: Parameters): Warning[] {
  return unknownNames(accepts, given)
    .filter((name) => !always.includes(name))
    .map((name) =>
      warning('ignored_parameter', name, `parameter ${name} is not accepted here, ignored`),
    )
}

export function warning(warning_type: string, parameter: string, message: string): Warning {
  return { '@type': 'warning', message, warning_type, parameter }
}
