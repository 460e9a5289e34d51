import type { Path } from '../../buildfile/expand/values.ts'
import type { Span } from '../../buildfile/tree/node.ts'
import type { Context } from '../context/context.ts'
import type { Example } from '../example.ts'

/** Advice on what the reader lets pass, but hardly anyone wants. */
export interface Rule {
  code: string
  level: 'error' | 'warn' | 'info'
  /** What it looks for. */
  summary: string
  /** Why that matters, and what to do instead. */
  why: string
  /** Some that it reports, and some that look alike but are fine. */
  examples: readonly Example[]
  /** In a file that has none of these keys, at its root or in an included job, it finds nothing. */
  needs?: readonly string[]
  /** In a file whose text has none of this it finds nothing. */
  mentions?: RegExp
  check: (context: Context) => Iterable<Advice>
}

/** What a rule found. */
export interface Advice {
  /** What is wrong and what to do about it. Names and values stand in double quotes. */
  message: string
  /** Where, in the normal form. */
  path: Path
  /** Whether it is about the value at that path, which is what holds without this, or its key. */
  about?: 'key' | 'value'
  /** Where exactly in the prepared text, if the path does not say. */
  at?: Span
  fix?: ProposedFix
}

/** A fix whose spans are in the prepared text. */
export interface ProposedFix {
  title: string
  edits: readonly (Span & { text: string })[]
  safe: boolean
}
