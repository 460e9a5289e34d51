import type { Node } from '../tree/node.ts'
import { closeAnchor, openAnchor } from './anchors.ts'
import { addValue, mapNode, sequenceNode } from './collection.ts'
import { enter, leave, type Properties, type Composition } from './composition.ts'
import { composeFlow, takeAlias } from './flow.ts'
import { emptyKey, type Key, noteKey, refuseAsKey } from './key.ts'
import { type Entries, noEntries } from './map.ts'
import {
  aliasAsKey,
  collectionAsKey,
  colonInValue,
  dashAmongKeys,
  dashBehindKey,
  indentedTooFar,
  missingColon,
  notAnEntry,
  propertiesTwice,
  tabIndents,
  textBehind,
  unexpected,
} from './mistakes.ts'
import { hasProperties, takeProperties } from './properties.ts'
import { noValue, scalarNode, takeScalar } from './scalar.ts'
import { isEnd, sees, type Tokens } from './token.ts'
import { advance, lookAhead, takeAgain } from './tokens.ts'

/** The place of a node, as far as it decides how the node is read. */
interface Site {
  /** The column of the collection that the node belongs to; -1 at the root. */
  indent: number
  /** Whether a map or sequence in block style may start on the line of the previous token. */
  open: boolean
  /** Whether a sequence may start in the same column as that collection, as below a key. */
  dashes: boolean
  /** Whether the node is an entry of a sequence. */
  entry?: true
}

export function composeNode(composition: Composition, site: Site): Node {
  const { tokens } = composition
  if (isMissing(tokens, site)) return noValue(composition, tokens.previous.end)
  if (tokens.current.first && tokens.current.tab) throw tabIndents(tokens.current)
  if (!hasProperties(tokens)) return composeContent(composition, site, undefined, undefined)

  const outer = takeProperties(tokens)
  if (isMissing(tokens, site)) return noValue(composition, outer?.end ?? tokens.previous.end, outer)
  if (!tokens.current.first) return composeContent(composition, site, undefined, outer)
  if (tokens.current.tab) throw tabIndents(tokens.current)
  const inner = takeProperties(tokens)
  if (inner && tokens.current.first) throw propertiesTwice(inner.start)
  return composeContent(composition, site, outer, inner)
}

/** Whether the file continues with something other than the value that could be here. */
function isMissing(tokens: Tokens, { indent, dashes, entry }: Site): boolean {
  if (isEnd(tokens)) return true
  const { first, column } = tokens.current
  if (!first || column > indent) return false
  if (column < indent) return true
  if (entry && startsInColumn(tokens)) return false
  return !(dashes && sees(tokens, '-')) && !sees(tokens, 'block')
}

/** Whether the value of an entry starts here, in the column of its dash: any value that is not a key. */
function startsInColumn(tokens: Tokens): boolean {
  const { line, column } = tokens.current
  const ahead = lookAhead(tokens)
  takeProperties(ahead)
  if (ahead.current.line === line && !isValue(ahead)) return false
  // The value's other lines are indented further.
  if (sees(tokens, 'plain')) takeAgain(tokens, column + 1)
  else tokens.scan.least = column + 1
  return true
}

function isValue(ahead: Tokens): boolean {
  const { kind, line } = ahead.current
  if (kind === 'alias' || kind === '[' || kind === '{') return true
  if (kind !== 'plain' && kind !== 'single' && kind !== 'double') return false
  advance(ahead)
  return !isKey(ahead, line)
}

/**
 * Anchor and tag belong to the node if they are on a line before it (`outer`). On the node's own line
 * (`inner`) they belong to its first key, if the node is a map.
 */
function composeContent(
  composition: Composition,
  site: Site,
  outer: Properties | undefined,
  inner: Properties | undefined,
): Node {
  const { tokens } = composition
  const { start, line, kind, source } = tokens.current
  const { column, first } = inner ?? tokens.current
  const open = site.open || first
  switch (kind) {
    case '-':
      if (!open || inner) throw dashBehindKey(tokens.current)
      return composeSequence(composition, site, outer)
    case '?':
      if (!open || inner) throw unexpected(tokens)
      return composeMap(composition, column, outer, undefined)
    case '[':
    case '{': {
      const node = composeFlow(composition, oneOf(outer, inner))
      if (isKey(tokens, line)) throw collectionAsKey(tokens.text, start)
      return node
    }
    case 'alias': {
      if (source.endsWith(':')) throw aliasAsKey(start)
      if (oneOf(outer, inner)) throw propertiesTwice(start)
      const node = takeAlias(composition)
      if (isKey(tokens, line)) throw aliasAsKey(start)
      return node
    }
    default: {
      const scalar = takeScalar(tokens, site.indent)
      if (!isKey(tokens, line)) return scalarNode(composition, scalar, oneOf(outer, inner))
      if (!open) throw colonInValue(tokens, start)
      return composeMap(composition, column, outer, { scalar, properties: inner })
    }
  }
}

/** Whether a colon is at the cursor, on the line where the last taken node started. */
function isKey(tokens: Tokens, line: number): boolean {
  return sees(tokens, ':') && tokens.current.line === line
}

function oneOf(outer: Properties | undefined, inner: Properties | undefined) {
  if (!outer || !inner) return outer ?? inner
  throw propertiesTwice(inner.start)
}

function composeSequence(
  composition: Composition,
  site: Site,
  properties: Properties | undefined,
): Node {
  const { tokens } = composition
  const { start, column } = tokens.current
  openAnchor(composition, properties)
  enter(composition, start)
  const items: Node[] = []
  const inside: Site = { indent: column, open: true, dashes: false, entry: true }
  do {
    advance(tokens)
    items.push(composeNode(composition, inside))
  } while (goesOn(tokens, column) && isDash(tokens, column === site.indent))
  const node = sequenceNode(composition, items, { start, end: tokens.previous.end }, properties)
  leave(composition)
  closeAnchor(composition, properties, node)
  return node
}

/** Whether a sequence continues. In the column of its key, it ends when another key follows. */
function isDash(tokens: Tokens, beneathKey: boolean): boolean {
  if (sees(tokens, '-')) return true
  if (beneathKey) return false
  throw notAnEntry(tokens)
}

function composeMap(
  composition: Composition,
  column: number,
  properties: Properties | undefined,
  firstKey: Key | undefined,
): Node {
  const { tokens } = composition
  const { start } = firstKey ? (firstKey.properties ?? firstKey.scalar) : tokens.current
  openAnchor(composition, properties)
  enter(composition, start)
  const entries = noEntries()
  const site: Site = { indent: column, open: false, dashes: true }
  if (firstKey) composeEntry(composition, entries, site, firstKey)
  else composeNextEntry(composition, entries, site)
  while (goesOn(tokens, column)) composeNextEntry(composition, entries, site)
  const node = mapNode(composition, entries, { start, end: tokens.previous.end }, properties)
  leave(composition)
  closeAnchor(composition, properties, node)
  return node
}

function composeNextEntry(composition: Composition, entries: Entries, site: Site): void {
  const { tokens } = composition
  if (sees(tokens, '-')) throw dashAmongKeys(tokens.current)
  if (sees(tokens, '?')) return composeExplicitEntry(composition, entries, site)
  const { line, start } = tokens.current
  const key = takeKey(composition, site)
  if (!isKey(tokens, line)) throw missingColon(tokens, start)
  composeEntry(composition, entries, site, key)
}

function takeKey({ tokens }: Composition, { indent }: Site): Key {
  const properties = takeProperties(tokens)
  refuseAsKey(tokens)
  return { scalar: takeScalar(tokens, indent), properties }
}

/** The cursor is at the colon. */
function composeEntry(composition: Composition, entries: Entries, site: Site, key: Key): void {
  const { tokens } = composition
  noteKey(composition, key)
  advance(tokens)
  const aliased = sees(tokens, 'alias')
  addValue(composition, entries, key, composeNode(composition, site), aliased)
}

/** Reads a key after `?`; its value follows a colon on a line of its own. */
function composeExplicitEntry(composition: Composition, entries: Entries, site: Site): void {
  const { tokens } = composition
  advance(tokens)
  const key =
    isMissing(tokens, site) || sees(tokens, ':') ? emptyKey(tokens) : takeKey(composition, site)
  noteKey(composition, key)
  if (goesOn(tokens, site.indent) && sees(tokens, ':')) {
    advance(tokens)
    const aliased = sees(tokens, 'alias')
    const value = composeNode(composition, { ...site, open: true })
    return addValue(composition, entries, key, value, aliased)
  }
  addValue(composition, entries, key, noValue(composition, tokens.previous.end), false)
}

/** Whether the collection in this column has another entry, which is then at the cursor. */
function goesOn(tokens: Tokens, column: number): boolean {
  if (isEnd(tokens)) return false
  const { current } = tokens
  if (!current.first) throw textBehind(tokens)
  if (current.tab) throw tabIndents(current)
  if (current.column > column) throw indentedTooFar(tokens)
  return current.column === column
}
