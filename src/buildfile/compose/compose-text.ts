import type { PreparedText } from '../prepared-text.ts'
import type { MapNode, Node } from '../tree/node.ts'
import { composeNode } from './block.ts'
import type { Composition } from './composition.ts'
import { hintForLine } from './hints.ts'
import { controlCharacter, textBehind, unexpected } from './mistakes.ts'
import { prepare } from './prepare.ts'
import { type SyntaxProblem, SyntaxProblemError } from './problem.ts'
import { isEnd, sees } from './token.ts'
import { advance, openTokens } from './tokens.ts'

export interface Composed {
  /** Nodes that aliases repeat are shared by several parts: do not change them. */
  root: MapNode
  /** The texts that precede anchors, mostly names of keys. */
  anchorNames: ReadonlySet<string>
  prepared: PreparedText
}

export interface Uncomposed {
  error: SyntaxProblem
  prepared: PreparedText
}

/**
 * Reads the first document of a build file, with at most `mostValues` values. Never throws: an
 * unreadable file has an `error`.
 */
export function composeText(text: string, mostValues = Infinity): Composed | Uncomposed {
  const prepared = prepare(text)
  try {
    refuseControls(prepared.text)
    const composition = compositionOf(prepared.text, mostValues)
    const root = composeRoot(composition)
    const map = asMap(root)
    if (!map) return { error: notAMap(prepared.text, root), prepared }
    return { root: map, anchorNames: composition.anchorNames, prepared }
  } catch (error) {
    if (!(error instanceof SyntaxProblemError)) throw error
    const { message, hint, at } = error
    return { error: { kind: 'parse', message, hint, at }, prepared }
  }
}

/** YAML does not allow control characters. All other characters below the space are white space, then. */
function refuseControls(text: string): void {
  // eslint-disable-next-line no-control-regex
  const at = text.search(/[\0-\x08\v\f\x0e-\x1f\x7f]/)
  if (at !== -1) throw controlCharacter(text, at)
}

function compositionOf(text: string, mostNodes: number): Composition {
  return {
    tokens: openTokens(text),
    anchors: new Map(),
    anchorNames: new Set(),
    secured: new Map(),
    lastScalar: undefined,
    nodes: 0,
    mostNodes,
    repeated: 0,
    depth: 0,
  }
}

function composeRoot(composition: Composition): Node {
  const { tokens } = composition
  if (sees(tokens, '...')) throw unexpected(tokens)
  if (sees(tokens, '---')) advance(tokens)
  const root = composeNode(composition, { indent: -1, open: false, dashes: false })
  // Content on later lines is ignored, even if it is broken.
  if (!isEnd(tokens) && !tokens.current.first) throw textBehind(tokens)
  return root
}

/** The root as a map; an empty file, null and `false` count as an empty map. */
function asMap(root: Node): MapNode | undefined {
  if (root.kind === 'map') return root
  if (root.kind !== 'none' && !(root.kind === 'bool' && !root.value)) return undefined
  return { kind: 'map', entries: [], start: root.start, end: root.end }
}

/** The message names no kind of file: API requests, imports and linter settings are read the same way. */
function notAMap(text: string, { start, kind }: Node): SyntaxProblem {
  const line = text.slice(start, start + 200).split('\n', 1)[0] ?? ''
  const dashes = line.startsWith('-') ? ', or remove its dashes' : ''
  const advice =
    kind === 'seq' ? `Put the list under a key${dashes}.` : 'Write lines such as "language: ruby".'
  const what = roots[kind] ?? 'a single value'
  return {
    kind: 'format',
    message: `The root of the file must be a mapping of keys to values, but it is ${what}.`,
    hint: hintForLine(line) ?? advice,
    at: start,
  }
}

/** Names of roots that are not mappings, for messages. */
const roots: Partial<Record<Node['kind'], string>> = {
  seq: 'a list',
  str: 'a string',
  num: 'a number',
  bool: 'a boolean',
}
