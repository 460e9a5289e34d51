import { isGiven } from '../tree/has-content.ts'
import { hasPattern } from '../value-types/matches.ts'
import type { StrNode } from '../tree/node.ts'
import type { Spot } from '../tree/location.ts'
import { tellValue } from '../messages/report.ts'
import type { StrType } from '../value-types/type.ts'
import type { Validating } from './validating.ts'

export function checkPattern(
  node: StrNode,
  type: StrType,
  spot: Spot,
  validating: Validating,
): void {
  if (hasPattern(type, node.value) || !isGiven(node)) return
  const args = { format: type.pattern, value: node.value }
  tellValue(validating, spot, node, { level: 'error', code: 'invalid_format', args })
}

/** Tells of each `%{name}` that stands for nothing. */
export function tellUnknownVars(
  node: StrNode,
  { vars }: StrType,
  spot: Spot,
  validating: Validating,
): void {
  if (!vars) return
  for (const [, name = ''] of node.value.matchAll(/%\{([^{}]*)\}/g)) {
    if (vars.includes(name)) continue
    tellValue(validating, spot, node, { level: 'warn', code: 'unknown_var', args: { var: name } })
  }
}
