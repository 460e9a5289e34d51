import type { Node } from '../tree/node.ts'
import { closeAnchor, openAnchor, resolveAlias } from './anchors.ts'
import { addValue, mapNode, sequenceNode } from './collection.ts'
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
import { enter, leave, type Properties, type Reading } from './reading.ts'
import { noValue, scalarNode, takeScalar } from './scalar.ts'
import { isEnd, sees, type Tokens } from './token.ts'
import { advance, relexFlow } from './tokens.ts'

/** Composes the flow collection at the cursor, which is in no other one. */
export function composeFlow(reading: Reading, properties: Properties | undefined): Node {
  const { tokens } = reading
  relexFlow(tokens)
  const node = composeCollection(reading, properties)
  advance(tokens)
  return node
}

/** Leaves the cursor at the closing bracket. */
function composeCollection(reading: Reading, properties: Properties | undefined): Node {
  openAnchor(reading, properties)
  enter(reading, reading.tokens.current.start)
  const node = sees(reading.tokens, '[')
    ? composeSequence(reading, properties)
    : composeMap(reading, properties)
  leave(reading)
  closeAnchor(reading, properties, node)
  return node
}

function composeSequence(reading: Reading, properties: Properties | undefined): Node {
  const { tokens } = reading
  const { start } = tokens.current
  const items: Node[] = []
  advance(tokens)
  while (!sees(tokens, ']')) {
    items.push(composeItem(reading))
    if (sees(tokens, ',')) advance(tokens)
    else if (!sees(tokens, ']')) throw notGoingOn(tokens, '[', start)
  }
  return sequenceNode(reading, items, { start, end: tokens.current.end }, properties)
}

function composeMap(reading: Reading, properties: Properties | undefined): Node {
  const { tokens } = reading
  const { start } = tokens.current
  const entries = noEntries()
  advance(tokens)
  while (!sees(tokens, '}')) {
    const key = takeKey(reading, '{', start)
    composeEntry(reading, entries, key, '{')
    if (sees(tokens, ',')) advance(tokens)
    else if (!sees(tokens, '}')) throw notGoingOn(tokens, '{', start)
  }
  return mapNode(reading, entries, { start, end: tokens.current.end }, properties)
}

function takeKey({ tokens }: Reading, open: string, start: number): Key {
  if (sees(tokens, '?')) advance(tokens)
  const properties = takeProperties(tokens)
  refuseAsKey(tokens)
  if (isBroken(tokens)) throw unclosedBracket(open, start)
  const scalar = takeScalar(tokens, -1)
  return { scalar, properties }
}

/** What follows a key; without a colon its value is null. */
function composeEntry(reading: Reading, entries: Entries, key: Key, open: '{' | '['): void {
  const { tokens } = reading
  noteKey(reading, key)
  if (!sees(tokens, ':')) {
    return addValue(reading, entries, key, noValue(reading, tokens.previous.end), false)
  }
  if (tokens.current.line !== key.scalar.line) throw missingComma(tokens, open)
  advance(tokens)
  const aliased = sees(tokens, 'alias')
  addValue(reading, entries, key, composeNode(reading), aliased)
}

/** An entry of a sequence may also be a map of one key, without brackets: `[a: b]`. */
function composeItem(reading: Reading): Node {
  const { tokens } = reading
  if (sees(tokens, '?')) return composePair(reading)
  const properties = takeProperties(tokens)
  if (sees(tokens, ',') && !properties) throw unexpected(tokens)
  if (!isScalar(tokens)) {
    const { start, line, kind } = tokens.current
    const node = composeContent(reading, properties)
    if (sees(tokens, ':') && tokens.current.line === line) {
      throw kind === 'alias' ? aliasAsKey(start) : collectionAsKey(tokens.text, start)
    }
    return node
  }
  const scalar = takeScalar(tokens, -1)
  if (!sees(tokens, ':')) return scalarNode(reading, scalar, properties)
  return composePair(reading, { scalar, properties })
}

function composePair(reading: Reading, firstKey?: Key): Node {
  const { tokens } = reading
  const { start } = firstKey?.scalar ?? tokens.current
  const entries = noEntries()
  enter(reading, start)
  composeEntry(reading, entries, firstKey ?? takeKey(reading, '[', start), '[')
  const node = mapNode(reading, entries, { start, end: tokens.previous.end }, undefined)
  leave(reading)
  return node
}

function composeNode(reading: Reading): Node {
  return composeContent(reading, takeProperties(reading.tokens))
}

function composeContent(reading: Reading, properties: Properties | undefined): Node {
  const { tokens } = reading
  if (isCollectionStart(tokens)) {
    const node = composeCollection(reading, properties)
    advance(tokens)
    return node
  }
  switch (tokens.current.kind) {
    case 'alias': {
      if (properties) throw propertiesTwice(tokens.current.start)
      return takeAlias(reading)
    }
    case ',':
    case ']':
    case '}':
      return noValue(reading, tokens.previous.end, properties)
    default:
      return scalarNode(reading, takeScalar(tokens, -1), properties)
  }
}

/** Takes the alias at the cursor; what it stands for is null where nothing has that name. */
export function takeAlias(reading: Reading): Node {
  const { tokens } = reading
  nameOf(tokens.current)
  const { start, end } = tokens.current
  const node = resolveAlias(reading) ?? { kind: 'none', start, end }
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
