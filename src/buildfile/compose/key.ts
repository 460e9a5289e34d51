import type { Entry, Node } from '../tree/node.ts'
import { aliasAsKey, collectionAsKey } from './mistakes.ts'
import type { Properties, Composition } from './composition.ts'
import { type Scalar, scalarNode } from './scalar.ts'
import type { Tokens } from './token.ts'

/** A scalar that turned out to be a key, with the anchor that may stand before it. */
export interface Key {
  scalar: Scalar
  properties: Properties | undefined
}

export function isCollectionStart({ current: { kind } }: Tokens): boolean {
  return kind === '[' || kind === '{'
}

/** Refuses what can be no key: only texts can. */
export function refuseAsKey(tokens: Tokens): void {
  const { kind, start } = tokens.current
  if (kind === 'alias') throw aliasAsKey(start)
  if (isCollectionStart(tokens)) throw collectionAsKey(tokens.text, start)
}

/** A key that is left out, as in `: value`. */
export function emptyKey({ current: { start, line } }: Tokens): Key {
  return { scalar: { text: '', kind: 'plain', start, end: start, line }, properties: undefined }
}

/** Makes known that a key was read: it may carry an anchor, or be followed by one. */
export function noteKey(composition: Composition, { scalar, properties }: Key): void {
  if (properties) scalarNode(composition, scalar, properties)
  else composition.lastScalar = scalar.text
}

/** Keys are texts as they are written, without a colon at their start. */
export function entryOf({ scalar: { text, start, end, line } }: Key, value: Node): Entry {
  const key = text.charCodeAt(0) === 0x3a && text.length > 1 ? text.slice(1) : text
  return { key, value, line, at: { start, end } }
}
