import { type Reporter, reportKey, reportMap, reportValue } from '../messages/report.ts'
import { namedForm, triedForms } from '../schema/values/forms.ts'
import { matches, hasPattern } from '../schema/values/matches.ts'
import type {
  Type,
  AnyType,
  SeqType,
  BoolType,
  NumType,
  SecureType,
  StrType,
  Default,
} from '../schema/values/type.ts'
import { hasContent } from '../tree/has-content.ts'
import { type Location, amongEntries } from '../tree/location.ts'
import { type Node, type SeqNode, nowhere, type StrNode } from '../tree/node.ts'
import { reportDropped, reportEmpty } from './empty.ts'
import { isUnknownValue, reportValueFlags } from './enum.ts'
import { reportEdge } from './flags.ts'
import { isInvalid } from './invalid-type.ts'
import { isEmpty } from './kept-entries.ts'
import { isSupported } from './limits.ts'
import { validateMap } from './map.ts'
import { nothing } from './nothing.ts'
import { validateSecure } from './secure.ts'
import { checkUnique } from './unique.ts'
import { reportUnsupportedValue } from './unsupported.ts'
import type { Validating } from './validating.ts'

/** The validate pass: reports mistakes, and fills in defaults. */
export function validateTree(
  root: Node,
  type: Type,
  anchorNames: ReadonlySet<string>,
  reporter: Reporter,
): Node {
  const conditions = conditionsIn(root)
  const validating: Validating = {
    ...reporter,
    validate,
    anchorNames,
    conditions,
    usedNames: new Set(),
  }
  function validate(node: Node, type: Type, location: Location): Node {
    if (node.kind === 'secure' && !hasContent(node)) {
      reportDropped(node, location, validating)
      return nothing(node)
    }
    switch (type.kind) {
      case 'any':
        return validateAny(node, type, location, validating)
      case 'map':
        return validateMap(node, type, location, validating)
      case 'seq':
        return validateSeq(node, type, location, validating)
      default:
        return validateScalar(node, type, location, validating)
    }
  }
  return validate(root, type, {})
}

function conditionsIn(root: Node): 'v0' | 'v1' {
  if (root.kind !== 'map') return 'v1'
  const version = root.entries.find(({ key }) => key === 'conditions')?.value
  return version?.kind === 'str' && version.value === 'v0' ? 'v0' : 'v1'
}

/** Checks by the form that the value names; else by the first matching form, or the first of all. */
function validateAny(node: Node, type: AnyType, location: Location, validating: Validating): Node {
  const named = namedForm(node, type)
  if (named) return validating.validate(node, named.form, { ...location, provider: named.name })
  const form = formFor(node, triedForms(type))
  return form ? validating.validate(node, form, location) : node
}

function formFor(node: Node, forms: readonly Type[]): Type | undefined {
  const [first] = forms
  if (forms.length === 1) return first
  return forms.find((form) => matches(node, form)) ?? first
}

function validateSeq(node: Node, type: SeqType, location: Location, validating: Validating): Node {
  if (node.kind !== 'seq') {
    const invalid = isInvalid(node, 'seq', location, validating)
    return validating.options.drop && invalid ? nothing(node) : node
  }
  const { of, envStrings } = type
  const inside = amongEntries(location, node.flattened)
  const items = node.items
    .map((item) => validating.validate(item, of, inside))
    .filter((item) => (envStrings ? item.kind !== 'none' : !isEmpty(item)))
  const seq: SeqNode = { kind: 'seq', items, start: node.start, end: node.end }
  reportEmpty(seq, location, validating)
  checkUnique(seq, type, location, validating)
  reportEdge(seq, type, location, validating)
  return seq
}

type ScalarType = StrType | NumType | BoolType | SecureType

function validateScalar(
  node: Node,
  type: ScalarType,
  location: Location,
  validating: Validating,
): Node {
  const { drop, support } = validating.options
  const invalid = isInvalid(node, type.kind, location, validating)
  if (type.kind === 'secure') {
    return drop && invalid ? nothing(node) : validateSecure(node, type, location, validating)
  }
  const unknown = isUnknownValue(node, type, location, validating)
  if (drop && (invalid || unknown)) return nothing(node)
  if (support) reportUnsupportedValue(node, type, location, validating)
  const value = withDefault(node, type, location, validating)
  reportEdge(value, type, location, validating)
  reportValueFlags(value, type, location, validating)
  if (value.kind === 'str' && type.kind === 'str') {
    checkPattern(value, type, location, validating)
    reportUnknownVars(value, type, location, validating)
  }
  return value
}

/** Replaces null by the first supported default of the type, if there is one. */
function withDefault(
  node: Node,
  { defaults }: StrType | NumType | BoolType,
  location: Location,
  validating: Validating,
): Node {
  if (node.kind !== 'none' || !defaults || !validating.options.defaults) return node
  const value = defaults.find((each) => isSupported(each, location))?.value
  if (value === undefined || value === null) return node
  reportDefault(value, location, validating)
  return nodeOf(value)
}

/** The message has the line of the key if that was written, else of its map. */
function reportDefault(value: Default['value'], location: Location, validating: Validating): void {
  const { above = {}, entry } = location
  if (!entry) return
  const args = { key: entry.key, default: value }
  const report = { level: 'info', code: 'default', args } as const
  if (entry.line === undefined) reportMap(validating, above, report)
  else reportKey(validating, above, entry, report)
}

function nodeOf(value: string | number | boolean): Node {
  if (typeof value === 'string') return { kind: 'str', value, ...nowhere }
  if (typeof value === 'number') return { kind: 'num', value, ...nowhere }
  return { kind: 'bool', value, ...nowhere }
}

function checkPattern(
  node: StrNode,
  type: StrType,
  location: Location,
  validating: Validating,
): void {
  if (hasPattern(type, node.value) || !hasContent(node)) return
  const args = { format: type.pattern, value: node.value }
  reportValue(validating, location, node, { level: 'error', code: 'invalid_format', args })
}

/** Reports each `%{name}` with an unknown name. */
function reportUnknownVars(
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
