import { isGiven } from '../tree/has-content.ts'
import type { Node, SecureNode } from '../tree/node.ts'
import { plainValue } from '../tree/plain-value.ts'
import type { Spot } from '../tree/location.ts'
import { tellValue } from '../messages/report.ts'
import type { SecureType } from '../value-types/type.ts'
import { tellDropped } from './empty.ts'
import { tellEdge } from './flags.ts'
import { nothing } from './nothing.ts'
import type { Validating } from './validating.ts'

export function validateSecure(
  node: Node,
  type: SecureType,
  spot: Spot,
  validating: Validating,
): Node {
  if (node.kind === 'secure') {
    if (node.value.kind !== 'str') {
      tellDropped(node, spot, validating)
      return nothing(node)
    }
    if (type.strict) checkEncoding(node, node.value.value, spot, validating)
  }
  if (node.kind === 'str' && type.strict) tellPlain(node, node.value, spot, validating)
  tellEdge(node, type, spot, validating)
  return node
}

/** What is encrypted is bytes, exactly as base64 writes them; white space does not count. */
function checkEncoding(node: SecureNode, text: string, spot: Spot, validating: Validating): void {
  const encoded = text.replaceAll(/\s/g, '')
  if (Buffer.from(encoded, 'base64').toString('base64') === encoded) return
  const args = { value: plainValue(node) }
  tellValue(validating, spot, node, { level: 'warn', code: 'invalid_secure', args })
}

/** A reference to a variable is no secret; with a colon behind it, it may be half of one. */
function tellPlain(node: Node, text: string, spot: Spot, validating: Validating): void {
  const refers = text.startsWith('$') && !text.includes(':$')
  if (refers || !isGiven(node)) return
  if (validating.options.alert) {
    tellValue(validating, spot, node, { level: 'alert', code: 'secure', args: { type: 'str' } })
  }
  if (spot.above?.entry?.key !== 'vault') return
  const args = { message: 'the token must be given as a secure value' }
  tellValue(validating, spot, node, { level: 'error', code: 'secure', args })
}
