/**
 * A part of the prepared text, in UTF-16 units: `start` is inclusive, `end` exclusive. Both are -1 for
 * content that is in no file, such as defaults.
 */
export interface Span {
  start: number
  end: number
}

/** A value of a build file, with the span that it was written in. */
export type Node = ScalarNode | SecureNode | SeqNode | MapNode

export type ScalarNode = StrNode | NumNode | BoolNode | NoneNode

export interface StrNode extends Span {
  kind: 'str'
  value: string
}

export interface NumNode extends Span {
  kind: 'num'
  value: number
}

export interface BoolNode extends Span {
  kind: 'bool'
  value: boolean
}

/** Null. */
export interface NoneNode extends Span {
  kind: 'none'
}

/** A map whose only key is `secure`. */
export interface SecureNode extends Span {
  kind: 'secure'
  value: Node
  /** Set if `secure` was given more than once: the span of the last key, whose value counts. */
  duplicate?: Span
}

export interface SeqNode extends Span {
  kind: 'seq'
  items: Node[]
  /** Whether its entries came from nested lists: keys in them have no line of their own. */
  flattened?: true
  /** The tag for merging this part with a lower source, without its `!`. */
  merge?: string
}

export interface MapNode extends Span {
  kind: 'map'
  /** In order; each key occurs once. */
  entries: Entry[]
  merge?: string
}

export interface Entry {
  key: string
  value: Node
  /** Line of the key, from 0 in the prepared text; absent for a key that is in no file. */
  line?: number
  /** The key before its correction; removed once the value has been changed. */
  corrected?: Corrected
  /** The key as written, quotes included. */
  at: Span
  /** Set if the key was given more than once: the span of the last key, whose value counts. */
  duplicate?: Span
  /** The position of the key, if it was written again after it was merged with `<<`. */
  rewritten?: Span
  /** The file it comes from, if that is not the build file itself. */
  src?: string
}

export interface Corrected {
  /** The key as written. */
  written: string
  /** The entry that already had the right key; its value is lost. */
  replaced?: Entry | undefined
}

/** The span of content that is in no file. */
export const nowhere: Span = { start: -1, end: -1 }
