import { hasContent } from '../tree/has-content.ts'
import type { Node, SecureNode } from '../tree/node.ts'
import { shownValue } from '../messages/shown-value.ts'
import type { Location } from '../tree/location.ts'
import { reportValue } from '../messages/report.ts'
import type { SecureType } from '../value-types/type.ts'
import { reportDropped } from './empty.ts'
import { reportEdge } from './flags.ts'
import { nothing } from './nothing.ts'
import type { Validating } from './validating.ts'

export function validateSecure(
  node: Node,
  type: SecureType,
  location: Location,
  validating: Validating,
): Node {
  if (node.kind === 'secure') {
    if (node.value.kind !== 'str') {
      reportDropped(node, location, validating)
      return nothing(node)
    }
    if (type.strict) checkEncoding(node, node.value.value, location, validating)
  }
  if (node.kind === 'str' && type.strict) reportPlain(node, node.value, location, validating)
  reportEdge(node, type, location, validating)
  return node
}

/** What is encrypted is bytes, exactly as base64 writes them; white space does not count. */
function checkEncoding(
  node: SecureNode,
  text: string,
  location: Location,
  validating: Validating,
): void {
  const encoded = text.replaceAll(/\s/g, '')
  if (Buffer.from(encoded, 'base64').toString('base64') === encoded) return
  const args = { value: shownValue(node) }
  reportValue(validating, location, node, { level: 'warn', code: 'invalid_secure', args })
}

/** A reference to a variable is no secret; with a colon behind it, it may be half of one. */
function reportPlain(node: Node, text: string, location: Location, validating: Validating): void {
  const refers = text.startsWith('$') && !text.includes(':$')
  if (refers || !hasContent(node)) return
  if (validating.options.alert) {
    reportValue(validating, location, node, {
      level: 'alert',
      code: 'secure',
      args: { type: 'str' },
    })
  }
  if (location.above?.entry?.key !== 'vault') return
  const args = { message: 'the token must be given as a secure value' }
  reportValue(validating, location, node, { level: 'error', code: 'secure', args })
}
