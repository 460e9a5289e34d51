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
import { advance, outdented, restart, rewind } from './tokens.ts'

/**
 * Composes the flow collection at the cursor, which stands in no other one. Its lines may be
 * indented as they like; the lexer refuses that, unless the collection is all it is given.
 */
export function composeFlow(reading: Reading, properties: Properties | undefined): Node {
  const { tokens } = reading
  const { start, line, lineStart } = tokens
  const { nodes, repeated, depth, lastScalar } = reading
  tokens.flow = true
  try {
    return finish(tokens, composeCollection(reading, properties))
  } catch (error) {
    if (error !== outdented) throw error
  }
  Object.assign(reading, { nodes, repeated, depth, lastScalar })
  rewind(tokens, { start, line, lineStart })
  const node = composeCollection(reading, properties)
  restart(tokens, tokens.end)
  return finish(tokens, node)
}

function finish(tokens: Tokens, node: Node): Node {
  tokens.flow = false
  tokens.lenient = false
  advance(tokens)
  return node
}

/** Leaves the cursor at the closing bracket. */
function composeCollection(reading: Reading, properties: Properties | undefined): Node {
  openAnchor(reading, properties)
  enter(reading, reading.tokens.start)
  const node = sees(reading.tokens, '[')
    ? composeSequence(reading, properties)
    : composeMap(reading, properties)
  leave(reading)
  closeAnchor(reading, properties, node)
  return node
}

function composeSequence(reading: Reading, properties: Properties | undefined): Node {
  const { tokens } = reading
  const { start } = tokens
  const items: Node[] = []
  advance(tokens)
  while (!sees(tokens, ']')) {
    items.push(composeItem(reading))
    if (sees(tokens, ',')) advance(tokens)
    else if (!sees(tokens, ']')) throw notGoingOn(tokens, '[', start)
  }
  return sequenceNode(reading, items, { start, end: tokens.end }, properties)
}

function composeMap(reading: Reading, properties: Properties | undefined): Node {
  const { tokens } = reading
  const { start } = tokens
  const entries = noEntries()
  advance(tokens)
  while (!sees(tokens, '}')) {
    const key = takeKey(reading, '{', start)
    composeEntry(reading, entries, key, '{')
    if (sees(tokens, ',')) advance(tokens)
    else if (!sees(tokens, '}')) throw notGoingOn(tokens, '{', start)
  }
  return mapNode(reading, entries, { start, end: tokens.end }, properties)
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
    return addValue(reading, entries, key, noValue(reading, tokens.after), false)
  }
  if (tokens.line !== key.scalar.line) throw missingComma(tokens, open)
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
    const { start, line, kind } = tokens
    const node = composeContent(reading, properties)
    if (sees(tokens, ':') && tokens.line === line) {
      throw kind === 'alias' ? aliasAsKey(start) : collectionAsKey({ text: tokens.text, start })
    }
    return node
  }
  const scalar = takeScalar(tokens, -1)
  if (!sees(tokens, ':')) return scalarNode(reading, scalar, properties)
  return composePair(reading, { scalar, properties })
}

function composePair(reading: Reading, given?: Key): Node {
  const { tokens } = reading
  const { start } = given?.scalar ?? tokens
  const entries = noEntries()
  enter(reading, start)
  composeEntry(reading, entries, given ?? takeKey(reading, '[', start), '[')
  const node = mapNode(reading, entries, { start, end: tokens.after }, undefined)
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
  switch (tokens.kind) {
    case 'alias': {
      if (properties) throw propertiesTwice(tokens.start)
      return takeAlias(reading)
    }
    case ',':
    case ']':
    case '}':
      return noValue(reading, tokens.after, properties)
    default:
      return scalarNode(reading, takeScalar(tokens, -1), properties)
  }
}

/** Takes the alias at the cursor; what it stands for is null where nothing has that name. */
export function takeAlias(reading: Reading): Node {
  const { tokens } = reading
  nameOf(tokens)
  const { start, end } = tokens
  const node = resolveAlias(reading) ?? { kind: 'none', start, end }
  advance(tokens)
  return node
}

const isBroken = (tokens: Tokens) => isEnd(tokens) || tokens.kind === 'stray'

function isScalar({ kind }: Tokens): boolean {
  return kind === 'plain' || kind === 'single' || kind === 'double'
}

function notGoingOn(tokens: Tokens, open: string, start: number) {
  if (isBroken(tokens)) return unclosedBracket(open, start)
  if (sees(tokens, 'unclosed')) return unexpected(tokens)
  return missingComma(tokens, open)
}
