import { hasContent } from '../tree/has-content.ts'
import { hasPattern } from '../value-types/matches.ts'
import type { StrNode } from '../tree/node.ts'
import type { Location } from '../tree/location.ts'
import { reportValue } from '../messages/report.ts'
import type { StrType } from '../value-types/type.ts'
import type { Validating } from './validating.ts'

export function checkPattern(
  node: StrNode,
  type: StrType,
  location: Location,
  validating: Validating,
): void {
  if (hasPattern(type, node.value) || !hasContent(node)) return
  const args = { format: type.pattern, value: node.value }
  reportValue(validating, location, node, { level: 'error', code: 'invalid_format', args })
}

/** Reports each `%{name}` that stands for nothing. */
export function reportUnknownVars(
  node: StrNode,
  { vars }: StrType,
  location: Location,
  validating: Validating,
): void {
  if (!vars) return
  for (const [, name = ''] of node.value.matchAll(/%\{([^{}]*)\}/g)) {
    if (vars.includes(name)) continue
    reportValue(validating, location, node, {
      level: 'warn',
      code: 'unknown_var',
      args: { var: name },
    })
  }
}
