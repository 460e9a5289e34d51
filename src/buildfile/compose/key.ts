import type { Entry, Node } from '../tree/node.ts'
import type { Properties, Composition } from './composition.ts'
import { aliasAsKey, collectionAsKey } from './mistakes.ts'
import { type Scalar, scalarNode } from './scalar.ts'
import type { Tokens } from './token.ts'

/** A scalar that turned out to be a key, with the anchor or tag before it, if any. */
export interface Key {
  scalar: Scalar
  properties: Properties | undefined
}

export function isCollectionStart({ current: { kind } }: Tokens): boolean {
  return kind === '[' || kind === '{'
}

/** Refuses a token that cannot be a key: only texts can. */
export function refuseAsKey(tokens: Tokens): void {
  const { kind, start } = tokens.current
  if (kind === 'alias') throw aliasAsKey(start)
  if (isCollectionStart(tokens)) throw collectionAsKey(tokens.text, start)
}

/** A key that is left out, as in `: value`. */
export function emptyKey({ current: { start, line } }: Tokens): Key {
  return { scalar: { text: '', kind: 'plain', start, end: start, line }, properties: undefined }
}

/** Records that a key was read: it may have an anchor, or come before an anchor. */
export function noteKey(composition: Composition, { scalar, properties }: Key): void {
  if (properties) scalarNode(composition, scalar, properties)
  else composition.lastScalar = scalar.text
}

/** Makes an entry; its key is the text as written, without a colon at the start. */
export function entryOf({ scalar: { text, start, end, line } }: Key, value: Node): Entry {
  const key = text.charCodeAt(0) === 0x3a && text.length > 1 ? text.slice(1) : text
  return { key, value, line, at: { start, end } }
}
