import type { Node } from '../tree/node.ts'
import { closeAnchor, openAnchor, resolveAlias } from './anchors.ts'
import { addValue, mapNode, sequenceNode } from './collection.ts'
import { enter, leave, type Properties, type Composition } from './composition.ts'
import { isCollectionStart, type Key, noteKey, refuseAsKey } from './key.ts'
import { type Entries, noEntries } from './map.ts'
import {
  aliasAsKey,
  collectionAsKey,
  missingComma,
  propertiesTwice,
  unclosedBracket,
  unexpected,
} from './mistakes.ts'
import { nameOf, takeProperties } from './properties.ts'
import { noValue, scalarNode, takeScalar } from './scalar.ts'
import { isEnd, sees, type Tokens } from './token.ts'
import { advance } from './tokens.ts'

/** Composes the flow collection at the cursor, which is not inside another. */
export function composeFlow(composition: Composition, properties: Properties | undefined): Node {
  const { tokens } = composition
  const node = composeCollection(composition, properties)
  advance(tokens)
  return node
}

/** Leaves the cursor at the closing bracket. */
function composeCollection(composition: Composition, properties: Properties | undefined): Node {
  openAnchor(composition, properties)
  enter(composition, composition.tokens.current.start)
  const node = sees(composition.tokens, '[')
    ? composeSequence(composition, properties)
    : composeMap(composition, properties)
  leave(composition)
  closeAnchor(composition, properties, node)
  return node
}

function composeSequence(composition: Composition, properties: Properties | undefined): Node {
  const { tokens } = composition
  const { start } = tokens.current
  const items: Node[] = []
  advance(tokens)
  while (!sees(tokens, ']')) {
    if (sees(tokens, 'stray')) throw unclosedBracket('[', start)
    items.push(composeItem(composition))
    if (sees(tokens, ',')) advance(tokens)
    else if (!sees(tokens, ']')) throw notGoingOn(tokens, '[', start)
  }
  return sequenceNode(composition, items, { start, end: tokens.current.end }, properties)
}

function composeMap(composition: Composition, properties: Properties | undefined): Node {
  const { tokens } = composition
  const { start } = tokens.current
  const entries = noEntries()
  advance(tokens)
  while (!sees(tokens, '}')) {
    const key = takeKey(composition, '{', start)
    composeEntry(composition, entries, key, '{')
    if (sees(tokens, ',')) advance(tokens)
    else if (!sees(tokens, '}')) throw notGoingOn(tokens, '{', start)
  }
  return mapNode(composition, entries, { start, end: tokens.current.end }, properties)
}

function takeKey({ tokens }: Composition, open: string, start: number): Key {
  if (sees(tokens, '?')) advance(tokens)
  const properties = takeProperties(tokens)
  refuseAsKey(tokens)
  if (isBroken(tokens)) throw unclosedBracket(open, start)
  const scalar = takeScalar(tokens, -1)
  return { scalar, properties }
}

/** Reads the value of a key; null if there is no colon. */
function composeEntry(composition: Composition, entries: Entries, key: Key, open: '{' | '['): void {
  const { tokens } = composition
  noteKey(composition, key)
  if (!sees(tokens, ':')) {
    return addValue(composition, entries, key, noValue(composition, tokens.previous.end), false)
  }
  if (tokens.current.line !== key.scalar.line) throw missingComma(tokens, open)
  advance(tokens)
  const aliased = sees(tokens, 'alias')
  addValue(composition, entries, key, composeNode(composition), aliased)
}

/** Reads an entry of a sequence; it may also be a map of one key, without brackets: `[a: b]`. */
function composeItem(composition: Composition): Node {
  const { tokens } = composition
  if (sees(tokens, '?')) return composePair(composition)
  const properties = takeProperties(tokens)
  if (sees(tokens, ',') && !properties) throw unexpected(tokens)
  if (!isScalar(tokens)) {
    const { start, line, kind } = tokens.current
    const node = composeContent(composition, properties)
    if (sees(tokens, ':') && tokens.current.line === line) {
      throw kind === 'alias' ? aliasAsKey(start) : collectionAsKey(tokens.text, start)
    }
    return node
  }
  const scalar = takeScalar(tokens, -1)
  if (!sees(tokens, ':')) return scalarNode(composition, scalar, properties)
  return composePair(composition, { scalar, properties })
}

function composePair(composition: Composition, firstKey?: Key): Node {
  const { tokens } = composition
  const { start } = firstKey?.scalar ?? tokens.current
  const entries = noEntries()
  enter(composition, start)
  composeEntry(composition, entries, firstKey ?? takeKey(composition, '[', start), '[')
  const node = mapNode(composition, entries, { start, end: tokens.previous.end }, undefined)
  leave(composition)
  return node
}

function composeNode(composition: Composition): Node {
  return composeContent(composition, takeProperties(composition.tokens))
}

function composeContent(composition: Composition, properties: Properties | undefined): Node {
  const { tokens } = composition
  if (isCollectionStart(tokens)) {
    const node = composeCollection(composition, properties)
    advance(tokens)
    return node
  }
  switch (tokens.current.kind) {
    case 'alias': {
      if (properties) throw propertiesTwice(tokens.current.start)
      return takeAlias(composition)
    }
    case ',':
    case ']':
    case '}':
      return noValue(composition, tokens.previous.end, properties)
    default:
      return scalarNode(composition, takeScalar(tokens, -1), properties)
  }
}

/** Reads the alias at the cursor; its value is null if the name is unknown. */
export function takeAlias(composition: Composition): Node {
  const { tokens } = composition
  nameOf(tokens.current)
  const { start, end } = tokens.current
  const node = resolveAlias(composition) ?? { kind: 'none', start, end }
  advance(tokens)
  return node
}

const isBroken = (tokens: Tokens) => isEnd(tokens) || sees(tokens, 'stray')

function isScalar({ current: { kind } }: Tokens): boolean {
  return kind === 'plain' || kind === 'single' || kind === 'double'
}

function notGoingOn(tokens: Tokens, open: string, start: number) {
  if (isBroken(tokens)) return unclosedBracket(open, start)
  if (sees(tokens, 'unclosed')) return unexpected(tokens)
  return missingComma(tokens, open)
}
