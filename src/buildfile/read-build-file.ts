import { composeText } from './compose/compose-text.ts'
import type { SyntaxProblem } from './compose/problem.ts'
import type { MapNode } from './tree/node.ts'
import { type Normalized, normalize } from './normal-form/normalize.ts'
import type { NormalOptions } from './normal-form/options.ts'
import type { Prepared } from './compose/prepare.ts'

export interface BuildFile extends Normalized {
  /** The file as it was composed; nothing where it cannot be read. */
  root: MapNode | null
  prepared: Prepared
  error: Unreadable | null
}

/** Why a file cannot be read. */
export interface Unreadable extends Omit<SyntaxProblem, 'at'> {
  /** From 1, in the file as written (D30). */
  line: number
  column: number
}

/** Reads a build file into its normal form. Never throws: what cannot be read is told by `error`. */
export function readBuildFile(text: string, options: Partial<NormalOptions> = {}): BuildFile {
  const composed = composeText(text)
  const { prepared } = composed
  if ('error' in composed) {
    const { kind, message, hint, at } = composed.error
    const { line, column } = prepared.written(at)
    const error = { kind, message, hint, line, column }
    return { config: {}, messages: [], positions: () => undefined, root: null, prepared, error }
  }
  const { root, anchorNames } = composed
  return { ...normalize(root, anchorNames, options), root, prepared, error: null }
}
