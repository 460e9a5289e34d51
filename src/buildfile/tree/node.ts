/**
 * What a build file says, with where it says it. Offsets are UTF-16 units in the prepared text
 * (`start` inclusive, `end` exclusive); both are -1 for what no file says, but a rule made up.
 */
export interface Place {
  start: number
  end: number
}

export type Node = ScalarNode | SecureNode | SeqNode | MapNode

export type ScalarNode = StrNode | NumNode | BoolNode | NoneNode

export interface StrNode extends Place {
  kind: 'str'
  value: string
}

export interface NumNode extends Place {
  kind: 'num'
  value: number
}

export interface BoolNode extends Place {
  kind: 'bool'
  value: boolean
}

/** Null. */
export interface NoneNode extends Place {
  kind: 'none'
}

/** A map whose only key is `secure`. */
export interface SecureNode extends Place {
  kind: 'secure'
  value: Node
  /** That key was given more than once, here is where the value that counts stood. */
  duplicate?: Place
}

export interface SeqNode extends Place {
  kind: 'seq'
  items: Node[]
  /** The tag that says how this part is merged with a lower source, without its `!`. */
  merge?: string
}

export interface MapNode extends Place {
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
  /** The key as written, quotes included. */
  at: Place
  /** The key was given more than once, here is where the value that counts stood. */
  duplicate?: Place
  /** The file it comes from, where that is not the build file itself. */
  src?: string
}

/** The place of what no file says. */
export const nowhere: Place = { start: -1, end: -1 }
