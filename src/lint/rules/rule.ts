import type { Path } from '../../buildfile/expand/values.ts'
import type { Span } from '../../buildfile/tree/node.ts'
import type { LintContext } from '../context/context.ts'
import type { Example } from '../example.ts'

/** A rule that advises against input that the reader accepts, but hardly anyone wants. */
export interface LintRule {
  code: string
  level: 'error' | 'warn' | 'info'
  /** What the rule looks for. */
  summary: string
  /** Why that matters, and what to do instead. */
  why: string
  /** Files that the rule reports, and similar files that are fine. */
  examples: readonly Example[]
  /** The rule finds nothing in a file without these keys at its root and in its included jobs. */
  needs?: readonly string[]
  /** The rule finds nothing in a file whose text does not match. */
  mentions?: RegExp
  /** The rule finds nothing in a file none of whose commands matches, without regard to lines. */
  commands?: RegExp
  check: (context: LintContext) => Iterable<Advice>
}

/** A finding of a rule. */
export interface Advice {
  /** The problem and the remedy. Names and values are in double quotes. */
  message: string
  /** Position of the problem in the normal form. */
  path: Path
  /** Whether the advice is about the value at the path, which is the default, or about its key. */
  about?: 'key' | 'value'
  /** Exact position in the prepared text, if the path does not give it. */
  at?: Span
  fix?: ProposedFix
}

/** A fix whose spans are in the prepared text. */
export interface ProposedFix {
  title: string
  edits: readonly (Span & { text: string })[]
  safe: boolean
}
