import { reportValue } from '../messages/report.ts'
import { shownValue } from '../messages/shown-value.ts'
import type { SecureType } from '../schema/values/type.ts'
import { hasContent } from '../tree/has-content.ts'
import type { Location } from '../tree/location.ts'
import type { Node, SecureNode } from '../tree/node.ts'
import { reportEdge } from './flags.ts'
import type { Validating } from './validating.ts'

export function validateSecure(
  node: Node,
  type: SecureType,
  location: Location,
  validating: Validating,
): Node {
  if (node.kind === 'secure' && node.value.kind === 'str' && type.strict) {
    checkEncoding(node, node.value.value, location, validating)
  }
  if (node.kind === 'str' && type.strict) reportPlain(node, node.value, location, validating)
  reportEdge(node, type, location, validating)
  return node
}

/** An encrypted value must be bytes in canonical base64; white space does not count. */
function checkEncoding(
  node: SecureNode,
  text: string,
  location: Location,
  validating: Validating,
): void {
  const encoded = text.replaceAll(/\s/g, '')
  if (Buffer.from(encoded, 'base64').toString('base64') === encoded) return
  const args = { value: shownValue(validating, node) }
  reportValue(validating, location, node, { level: 'warn', code: 'invalid_secure', args })
}

/** A reference to a variable is not a secret; with `:$` in it, it may be half of a secret. */
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
