/**
 * A part of the prepared text, in UTF-16 units: `start` is inclusive, `end` exclusive. Both are -1
 * for what no file says, defaults for example.
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
  /** That key was given more than once, here is where the value that counts stood. */
  duplicate?: Span
}

export interface SeqNode extends Span {
  kind: 'seq'
  items: Node[]
  /** Its entries stood in lists within it: keys in them have no line of their own. */
  flattened?: true
  /** The tag that says how this part is merged with a lower source, without its `!`. */
  merge?: string
}

export interface MapNode extends Span {
  kind: 'map'
  /** In their order; a key stands here once. */
  entries: Entry[]
  merge?: string
}

export interface Entry {
  key: string
  value: Node
  /** Of the key, from 0 in the prepared text; absent for a key that no file has. */
  line?: number
  /** What the key was before it was corrected, until its value is changed. */
  corrected?: Corrected
  /** The key as written, quotes included. */
  at: Span
  /** The key was given more than once, here is where the value that counts stood. */
  duplicate?: Span
  /** The key came by a `<<`, and was then written here. */
  rewritten?: Span
  /** The file it comes from, where that is not the build file itself. */
  src?: string
}

export interface Corrected {
  /** The key as written. */
  written: string
  /** The entry that had the right key; its value is lost. */
  replaced?: Entry | undefined
}

/** The span of what no file says. */
export const nowhere: Span = { start: -1, end: -1 }
