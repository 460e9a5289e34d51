import type { Call, Endpoint } from '../endpoint.ts'
import { listIn } from '../list-in.ts'
import type { Given } from '../parameters/nest.ts'
import { type Parameters, unknownNames } from '../parameters/parameter.ts'

export interface Warning {
  '@type': 'warning'
  message: string
  warning_type?: string
  parameter?: string
  value?: string
}

/** Parameters that every endpoint accepts. */
const always = ['@type', 'include', 'representation']

/** Attributes that can still be included, but should not be used any more. */
const deprecated = new Map([
  ['repository.current_build', { parameter: 'current_build', better: 'last_started_build' }],
  ['request.yaml_config', { parameter: 'request.yaml_config', better: 'raw_configs' }],
])

/** Names of which nothing is known that are told one by one. */
const mostIgnored = 100

/** What the steps of a call have warned of. */
const raised = new WeakMap<Call, Warning[]>()

/** Adds a warning to the response of a call. Errors do not show it, nor does what is not JSON. */
export function warn(call: Call, warning: Warning): void {
  raised.set(call, [...(raised.get(call) ?? []), warning])
}

/** The types of records in the document of a call of which something was included. */
const included = new WeakMap<object, Set<string>>()

/** Notes that records of this type are shown, of which something is included. */
export function noteIncluded(call: object, type: string): void {
  included.set(call, (included.get(call) ?? new Set()).add(type))
}

/**
 * The `@warnings` member: deprecated attributes, what the steps of the call warned of, and parameters
 * that are not accepted here. Absent if there are none.
 */
export function warningsFor(call: Call, { accepts }: Endpoint): { '@warnings'?: Warning[] } {
  const all = [
    ...outdated(call),
    ...(raised.get(call) ?? []),
    ...ignoredNames(accepts, call.given).slice(0, mostIgnored).map(ignored),
  ]
  return all.length > 0 ? { '@warnings': all } : {}
}

/** Of what is included in records that the document shows. */
function outdated(call: Call): Warning[] {
  const types = included.get(call)
  if (!types) return []
  return [...new Set(listIn(call.given.include))].flatMap((item) => {
    const { parameter, better } = deprecated.get(item) ?? {}
    if (parameter === undefined || !types.has(item.split('.', 1)[0] ?? '')) return []
    return warning('deprecated_parameter', parameter, `${item} is deprecated, use ${better}`)
  })
}

/** The names of what was given that an action does not accept. */
export const ignoredNames = (accepts: Parameters, given: Given): string[] =>
  unknownNames(accepts, given).filter((name) => !always.includes(name))

const ignored = (name: string) =>
  warning('ignored_parameter', name, `parameter ${name} is not accepted here, ignored`)

export function warning(warning_type: string, parameter: string, message: string): Warning {
  return { '@type': 'warning', message, warning_type, parameter }
}
