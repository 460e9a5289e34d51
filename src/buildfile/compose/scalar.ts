import type { Node, ScalarNode } from '../tree/node.ts'
import { closeAnchor, openAnchor } from './anchors.ts'
import { blockScalar } from './block-scalar.ts'
import { type Composition, count, type Properties } from './composition.ts'
import { foldLines } from './fold.ts'
import { unexpected } from './mistakes.ts'
import { plainScalar } from './plain-scalar.ts'
import { doubleQuoted, singleQuoted } from './quoted-scalar.ts'
import type { TokenKind, Tokens } from './token.ts'
import { advance } from './tokens.ts'

/** A scalar that was read, but may still turn out to be a key. */
export interface Scalar {
  text: string
  kind: TokenKind
  start: number
  end: number
  line: number
}

/** Takes the scalar at the cursor; `indent` is the column of the collection around it. */
export function takeScalar(tokens: Tokens, indent: number): Scalar {
  const { kind, start, end, line } = tokens.current
  const text = textOf(tokens, indent)
  advance(tokens)
  return { text, kind, start, end, line }
}

function textOf(tokens: Tokens, indent: number): string {
  const { kind, source, start } = tokens.current
  switch (kind) {
    case 'plain':
      if (cannotStart(source)) throw unexpected(tokens)
      return foldLines(source)
    case 'single':
      return singleQuoted(source)
    case 'double':
      return doubleQuoted(source, start)
    case 'block':
      return blockScalar(tokens.text, tokens.current, indent)
    default:
      throw unexpected(tokens)
  }
}

const cannotStart = (source: string) => '@`%,|>'.includes(source.charAt(0))

/** Makes a node of a scalar that is a value. */
export function scalarNode(
  composition: Composition,
  scalar: Scalar,
  properties: Properties | undefined,
): ScalarNode {
  openAnchor(composition, properties)
  composition.lastScalar = scalar.text
  count(composition, scalar.start)
  const node = typed(scalar, properties?.tag)
  closeAnchor(composition, properties, node)
  return node
}

function typed({ text, kind, start, end }: Scalar, tag: string | undefined): ScalarNode {
  if (tag !== undefined) {
    if (strings.has(tag)) return { kind: 'str', value: text, start, end }
    if (tag === '!!binary') return { kind: 'str', value: decode(text), start, end }
  }
  if (kind === 'plain') return plainScalar(text, start, end)
  return { kind: 'str', value: text, start, end }
}

const strings: ReadonlySet<string> = new Set(['!!str', '!str', '!', '!<tag:yaml.org,2002:str>'])

const decode = (base64: string) => Buffer.from(base64, 'base64').toString('utf8')

/** The node for a missing value. */
export function noValue(composition: Composition, at: number, properties?: Properties): Node {
  openAnchor(composition, properties)
  count(composition, at)
  composition.lastScalar = ''
  const tagged = properties?.tag !== undefined && strings.has(properties.tag)
  const node: ScalarNode = tagged
    ? { kind: 'str', value: '', start: at, end: at }
    : { kind: 'none', start: at, end: at }
  closeAnchor(composition, properties, node)
  return node
}
