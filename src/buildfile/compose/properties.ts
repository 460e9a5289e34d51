import { notAName, propertiesTwice } from './mistakes.ts'
import type { Properties } from './reading.ts'
import type { Tokens } from './token.ts'
import { advance } from './tokens.ts'

export const hasProperties = ({ kind }: Tokens) => kind === 'anchor' || kind === 'tag'

/** Takes the anchor and the tag that stand on this line before a node, if there are any. */
export function takeProperties(tokens: Tokens): Properties | undefined {
  if (!hasProperties(tokens)) return undefined
  const { start, end, line, column, first } = tokens
  const properties: Properties = { start, end, line, column, first }
  do {
    takeProperty(tokens, properties)
    properties.end = tokens.end
    advance(tokens)
  } while (hasProperties(tokens) && !tokens.first)
  return properties
}

function takeProperty(tokens: Tokens, properties: Properties): void {
  if (tokens.kind === 'anchor') {
    if (properties.anchor !== undefined) throw propertiesTwice(tokens.start)
    properties.anchor = nameOf(tokens)
  } else {
    if (properties.tag !== undefined) throw propertiesTwice(tokens.start)
    properties.tag = tokens.source
  }
}

/** The name of an anchor or alias at the cursor. */
export function nameOf(tokens: Tokens): string {
  const name = tokens.source.slice(1)
  if (!/^[\w\u0080-\uffff-]+$/.test(name)) throw notAName(tokens)
  return name
}

/** The mode of merging that a tag on a map or sequence gives. */
export function mergeMode(properties: Properties | undefined): string | undefined {
  const tag = properties?.tag?.slice(1)
  return tag !== undefined && modes.test(tag) ? tag : undefined
}

const modes = /^(?:(?:map|seq)\+.*|replace|append|prepend|(?:deep_)?merge(?:\+.*)?)$/
