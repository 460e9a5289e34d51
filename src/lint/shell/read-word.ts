import {
  deeper,
  isAt,
  isAtEnd,
  need,
  peek,
  type ShellReader,
  refuse,
  skipSpace,
  take,
  unknown,
} from './reader.ts'

const plain = /[^\s;&|<>()'"`$\\]+/y
/** Characters that end a word; other white space does not. */
const wordEnds = ' \t\n;&|<>)'
const text = /[^"`$\\]+/y
const substitution = /\$[({]/y
const ansi = /\$'(?:[^'\\]|\\[^])*'/y
const backquoted = /`(?:[^`\\]|\\[^])*`/y
const parameter = /\$\{[#!]?[\w@*#?!$-]*(?:\[[\w@*]*\])?[^{}'"`\\$()<>;&|\n]*/y
const nested = /\$\{/y
const afterNested = /[^{}'"`\\$()<>;&|\n]*/y
const closingBrace = /\}/y
const closingBracket = /\)/y
const beginsArithmetic = /\$\(\(/y
const arithmetic = /\$\(\((?:[\w\s+*/%=!?:,<>~^|&$-]|\([\w\s+*/%$-]*\))*\)\)/y

/** Reads a command list in brackets, including its closing bracket; false if there is none. */
export type ReadInner = (reader: ShellReader) => boolean

/** Reads a word; empty if none begins here. */
export function readWord(reader: ShellReader, inner: ReadInner): string {
  const start = reader.at
  while (skipPlain(reader)) {
    const { text, at } = reader
    const two = text.slice(at, at + 2)
    if (two === '<(' || two === '>(') readBracket(reader, 2, inner)
    else if (two.startsWith('(')) {
      const before = text.slice(start, at)
      // Patterns that need an option of the shell, which files and programs may have set.
      if (/[?*+@!]$/.test(before)) unknown()
      if (!/^\w+\+?=$/.test(before)) break
      readArray(reader, inner)
    } else if (isAt(reader, wordEnds)) break
    else readUnit(reader, inner)
  }
  const word = reader.text.slice(start, reader.at)
  // An array index continues up to its bracket, whatever it contains.
  if (/^\w+\[[^\]]*$/.test(word)) unknown()
  return word
}

/** Skips plain characters; false at the end of the text. */
function skipPlain(reader: ShellReader): boolean {
  plain.lastIndex = reader.at
  if (plain.test(reader.text)) reader.at = plain.lastIndex
  return !isAtEnd(reader)
}

/** Reads one unit of a word: something quoted, a substitution, or plain characters. */
export function readUnit(reader: ShellReader, inner: ReadInner): void {
  const { text, at } = reader
  const one = text.charAt(at)
  if (one === "'") readQuoted(reader)
  else if (one === '"') readDoubleQuoted(reader, inner)
  else if (one === '`') readBackquoted(reader)
  else if (one === '$') readDollar(reader, inner)
  else if (one === '\\') reader.at = Math.min(at + 2, text.length)
  else if (take(reader, plain) === '') reader.at += 1
}

function readQuoted(reader: ShellReader): void {
  const end = reader.text.indexOf("'", reader.at + 1)
  if (end < 0) refuseQuote(reader, reader.at)
  reader.at = end + 1
}

function readBackquoted(reader: ShellReader): void {
  const start = reader.at
  if (take(reader, backquoted) === '') refuseQuote(reader, start)
}

function readDoubleQuoted(reader: ShellReader, inner: ReadInner): void {
  const start = reader.at
  reader.at += 1
  while (!isAtEnd(reader)) {
    const one = reader.text.charAt(reader.at)
    if (one === '"') {
      reader.at += 1
      return
    }
    if (one === '`') need(reader, backquoted)
    else if (one === '$' && peek(reader, substitution)) readDollar(reader, inner)
    else if (take(reader, text) === '') reader.at += one === '\\' ? 2 : 1
  }
  refuseQuote(reader, start)
}

function refuseQuote(reader: ShellReader, start: number): never {
  refuse(reader, { kind: 'quote', found: reader.text.charAt(start), other: '', start })
}

function readDollar(reader: ShellReader, inner: ReadInner): void {
  const two = reader.text.slice(reader.at, reader.at + 2)
  if (two === "$'") need(reader, ansi)
  else if (two === '$[') unknown()
  else if (two === '${') readParameter(reader)
  else if (peek(reader, beginsArithmetic)) need(reader, arithmetic)
  else if (two === '$(') readBracket(reader, 2, inner)
  else reader.at += 1
}

/** `${…}`, including nested ones. If it contains quotes, only bash knows where it ends. */
function readParameter(reader: ShellReader): void {
  substituted(reader, '${', '}', () => {
    take(reader, parameter)
    while (peek(reader, nested)) {
      readParameter(reader)
      take(reader, afterNested)
    }
    if (isAtEnd(reader)) return false
    need(reader, closingBrace)
    return true
  })
}

function readBracket(reader: ShellReader, opening: number, inner: ReadInner): void {
  const opener = reader.text.slice(reader.at, reader.at + opening)
  substituted(reader, opener, ')', () => {
    reader.at += opening
    return inner(reader)
  })
}

function readArray(reader: ShellReader, inner: ReadInner): void {
  substituted(reader, '(', ')', () => {
    reader.at += 1
    for (skipSpace(reader); !take(reader, closingBracket); skipSpace(reader)) {
      if (isAtEnd(reader)) return false
      if (readWord(reader, inner) === '') unknown()
    }
    return true
  })
}

/** Reads the text between an opening and a closing word; `read` returns false if the text ends before. */
function substituted(
  reader: ShellReader,
  opener: string,
  closer: string,
  read: () => boolean,
): void {
  const start = reader.at
  reader.substitutions += 1
  const isClosed = deeper(reader, read)
  reader.substitutions -= 1
  if (!isClosed) refuse(reader, { kind: 'unclosed', found: opener, other: closer, start })
}
