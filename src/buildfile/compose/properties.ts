import type { Properties } from './composition.ts'
import { notAName, propertiesTwice } from './mistakes.ts'
import type { Token, Tokens } from './token.ts'
import { advance } from './tokens.ts'

export const hasProperties = ({ current: { kind } }: Tokens) => kind === 'anchor' || kind === 'tag'

/** Takes the anchor and the tag that stand on this line before a node, if there are any. */
export function takeProperties(tokens: Tokens): Properties | undefined {
  if (!hasProperties(tokens)) return undefined
  const { start, end, line, column, first } = tokens.current
  const properties: Properties = { start, end, line, column, first }
  do {
    takeProperty(tokens, properties)
    properties.end = tokens.current.end
    advance(tokens)
  } while (hasProperties(tokens) && !tokens.current.first)
  return properties
}

function takeProperty({ current }: Tokens, properties: Properties): void {
  const { kind, start, source } = current
  if (kind === 'anchor') {
    if (properties.anchor !== undefined) throw propertiesTwice(start)
    properties.anchor = nameOf(current)
  } else {
    if (properties.tag !== undefined) throw propertiesTwice(start)
    properties.tag = source
  }
}

/** The name of an anchor or alias. */
export function nameOf(token: Token): string {
  const name = token.source.slice(1)
  if (!/^[\w\u0080-\uffff-]+$/.test(name)) throw notAName(token)
  return name
}

/** The mode of merging that a tag on a map or sequence sets. */
export function mergeMode(properties: Properties | undefined): string | undefined {
  const tag = properties?.tag?.slice(1)
  return tag !== undefined && modes.test(tag) ? tag : undefined
}

const modes = /^(?:(?:map|seq)\+.*|replace|append|prepend|(?:deep_)?merge(?:\+.*)?)$/
