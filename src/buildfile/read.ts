import { type Document, isMap, isNode, LineCounter, parseDocument } from 'yaml'
import type { MessageLevel } from '../domain/request.ts'
import { closest } from './closest.ts'
import { isCustom, rootKeys } from './keys.ts'
import { isRecord, keyText, plainValue, refuseMonsters, Unreadable } from './plain.ts'

/** Something to tell about a build file. Lines and columns count from 1 in the file as written. */
export interface Finding {
  level: MessageLevel
  key: string[]
  code: string
  args: Record<string, unknown>
  text: string
  line: number | null
  column: number | null
}

export interface BuildFile {
  config: Record<string, unknown>
  findings: Finding[]
  /** Unusable: a syntax error, or a root that is not a map. */
  error: Finding | null
  /** The line that the entry at this path stands in, where it can be told. */
  lineOf: (path: readonly (string | number)[]) => number | null
}

interface Source {
  document: Document.Parsed
  place: (offset: number | null) => Pick<Finding, 'line' | 'column'>
}

/** Reads a build file. Never throws: what cannot be read is told by `error`. */
export function readBuildFile(text: string): BuildFile {
  try {
    return fileOf(parse(text))
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error
    return broken('parse_error', `the file cannot be read: ${error.message}`, nowhere)
  }
}

const nowhere = { line: null, column: null }

function fileOf({ document, place }: Source): BuildFile {
  const [error] = document.errors.filter(({ code }) => code !== 'MULTIPLE_DOCS')
  if (error) return broken('parse_error', error.message, place(error.pos[0]))
  try {
    const value = plainValue(document.contents)
    // An empty file is an empty map (CF-06).
    const config = value === null || value === false ? {} : value
    if (!isRecord(config)) {
      return broken('format_error', 'the file must be a map of keys and values', place(0))
    }
    return {
      config,
      findings: findingsOf({ document, place }),
      error: null,
      lineOf(path) {
        const node = document.getIn(path, true)
        return isNode(node) ? place(node.range?.[0] ?? null).line : null
      },
    }
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error
    return broken('parse_error', error.message, place(error.at))
  }
}

function broken(code: string, text: string, place: Pick<Finding, 'line' | 'column'>): BuildFile {
  const error: Finding = { level: 'error', key: [], code, args: {}, text, ...place }
  return { config: {}, findings: [], error, lineOf: () => null }
}

function parse(written: string): Source {
  const { text, indent } = prepare(written)
  refuseMonsters(text)
  const lineCounter = new LineCounter()
  const document = parseDocument(text, {
    schema: 'failsafe',
    // Its own check for doubled keys takes quadratic time.
    uniqueKeys: false,
    prettyErrors: false,
    lineCounter,
  })
  return {
    document,
    place(offset) {
      if (offset === null) return nowhere
      const { line, col } = lineCounter.linePos(offset)
      return { line: Math.max(line, 1), column: Math.max(col, 1) + indent }
    },
  }
}

/** The clean-up before parsing (CF-03). Lines keep their numbers, columns lose the indentation. */
function prepare(written: string): { text: string; indent: number } {
  const clean = written
    .replace(/^\uFEFF/, '')
    .replace(/^[ \u00A0]+/gm, (blank) => ' '.repeat(blank.length))
    .trimEnd()
  const indent = /^( *)\S/m.exec(clean)?.[1]?.length ?? 0
  if (indent === 0) return { text: clean, indent }
  return { text: clean.replaceAll(new RegExp(`^ {${indent}}`, 'gm'), ''), indent }
}

function findingsOf({ document, place }: Source): Finding[] {
  if (!isMap(document.contents)) return []
  const findings: Finding[] = []
  const seen = new Set<string>()
  for (const { key: node } of document.contents.items) {
    const key = keyText(node)
    const at = place(isNode(node) ? (node.range?.[0] ?? null) : null)
    if (key !== '<<' && seen.has(key)) findings.push({ ...duplicateKey(key), ...at })
    else if (isUnknown(key)) findings.push({ ...unknownKey(key), ...at })
    seen.add(key)
  }
  return findings
}

function isUnknown(key: string): boolean {
  return key !== '<<' && !isCustom(key) && !rootKeys.includes(key)
}

type Unplaced = Omit<Finding, 'line' | 'column'>

function unknownKey(key: string): Unplaced {
  const meant = closest(key, rootKeys)
  const hint = meant === undefined ? '' : `, did you mean "${meant}"?`
  const text = `unknown key "${key}"${hint}`
  return {
    level: 'warn',
    key: [],
    code: 'unknown_key',
    args: { key, meant: meant ?? null },
    text,
  }
}

function duplicateKey(key: string): Unplaced {
  const text = `the key "${key}" is given twice; the last one counts`
  return { level: 'error', key: [], code: 'duplicate_key', args: { key }, text }
}
