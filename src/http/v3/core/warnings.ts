import type { Call, Endpoint } from '../../core/endpoint.ts'
import { listIn } from '../../core/list-in.ts'
import type { Given } from '../../parameters/nest.ts'
import { type Parameters, unknownNames } from '../../parameters/parameter.ts'

export interface Warning {
  '@type': 'warning'
  message: string
  warning_type?: string
  parameter?: string
  value?: string
}

/** Parameters that every endpoint accepts. */
const always = ['@type', 'include', 'representation']

/** Attributes that can still be included, but are deprecated. */
const deprecated = new Map([
  ['repository.current_build', { parameter: 'current_build', better: 'last_started_build' }],
  ['request.yaml_config', { parameter: 'request.yaml_config', better: 'raw_configs' }],
])

/** Maximum number of ignored parameters that are reported, with one warning each. */
const mostIgnored = 100

/** Warnings that the steps of a call have raised. */
const raised = new WeakMap<Call, Warning[]>()

/** Adds a warning to the response of a call. Errors and responses other than JSON do not show warnings. */
export function warn(call: Call, warning: Warning): void {
  raised.set(call, [...(raised.get(call) ?? []), warning])
}

/** Types of the records in a call's document for which attributes were included. */
const included = new WeakMap<object, Set<string>>()

/** Notes that records of this type are shown with included attributes. */
export function noteIncluded(call: object, type: string): void {
  included.set(call, (included.get(call) ?? new Set()).add(type))
}

/**
 * The `@warnings` member: deprecated attributes, warnings of the call's steps, and parameters that are
 * not accepted here. Absent if there are none.
 */
export function warningsFor(call: Call, { accepts }: Endpoint): { '@warnings'?: Warning[] } {
  const all = [
    ...outdated(call),
    ...(raised.get(call) ?? []),
    ...ignoredNames(accepts, call.given).slice(0, mostIgnored).map(ignored),
  ]
  return all.length > 0 ? { '@warnings': all } : {}
}

/** Warnings about deprecated attributes that are included in records of the document. */
function outdated(call: Call): Warning[] {
  const types = included.get(call)
  if (!types) return []
  return [...new Set(listIn(call.given.include))].flatMap((item) => {
    const { parameter, better } = deprecated.get(item) ?? {}
    if (parameter === undefined || !types.has(item.split('.', 1)[0] ?? '')) return []
    return warning('deprecated_parameter', parameter, `${item} is deprecated, use ${better}`)
  })
}

/** The names of given parameters that an action does not accept. */
export const ignoredNames = (accepts: Parameters, given: Given): string[] =>
  unknownNames(accepts, given).filter((name) => !always.includes(name))

const ignored = (name: string) =>
  warning('ignored_parameter', name, `parameter ${name} is not accepted here, ignored`)

export function warning(warning_type: string, parameter: string, message: string): Warning {
  return { '@type': 'warning', message, warning_type, parameter }
}
