import { type Composed, composeText, type Uncomposed } from './compose/compose-text.ts'
import type { SyntaxProblem } from './compose/problem.ts'
import { collectImports, type ImportContext } from './imports/collect.ts'
import { mergeSources } from './imports/merge.ts'
import type { CollectedSource, Load, Raw, Start } from './imports/source.ts'
import type { Message } from './messages/message.ts'
import { newReporter, type Reporter, reportValue } from './messages/report.ts'
import { type NormalOptions, normalOptions } from './normal-form/options.ts'
import { cast } from './normalize/cast.ts'
import type { Changing } from './normalize/changing.ts'
import { enumValue } from './normalize/enum-value.ts'
import { firstScalar } from './normalize/first-entry.ts'
import { changeMap } from './normalize/map.ts'
import { changeSeq } from './normalize/seq.ts'
import type { PreparedText } from './prepared-text.ts'
import { rootType } from './schema/load.ts'
import { namedForm, triedForms } from './schema/values/forms.ts'
import { matches } from './schema/values/matches.ts'
import type { Type, AnyType, BoolType, NumType, SecureType, StrType } from './schema/values/type.ts'
import { reportDuplicateKeys } from './tree/duplicate-keys.ts'
import type { Location } from './tree/location.ts'
import type { MapNode, Node, StrNode } from './tree/node.ts'
import { type Positions, positionsIn } from './tree/positions.ts'
import { validateTree } from './validate/validate.ts'

export type BuildFile = ReadableFile | UnreadableFile

export interface ReadableFile extends Normalized {
  /** The file as composed, merged with its imports if they were read. */
  root: MapNode
  prepared: PreparedText
  error: null
}

/** A file that is not YAML, or not a map: its normal form is empty. */
export interface UnreadableFile extends Normalized {
  root: null
  prepared: PreparedText
  error: Unreadable
  /** The unreadable file's name in messages, if it is not the build file itself. */
  unreadableSrc?: string
}

/** Why a file cannot be read. */
export interface Unreadable extends SyntaxProblem {
  /** From 1, in the file as written (D30). */
  line: number
  column: number
}

export interface ReadOptions extends NormalOptions {
  /** Maximum number of values in the file; a file with more cannot be read. */
  mostValues: number | undefined
}

/** Reads a build file into its normal form. Never throws: an unreadable file has an `error`. */
export function readBuildFile(
  text: string,
  { mostValues, ...options }: Partial<ReadOptions> = {},
): BuildFile {
  const composed = composeText(text, mostValues)
  if ('error' in composed) return unreadable(composed)
  const { root, anchorNames, prepared } = composed
  return { ...normalize(root, anchorNames, options), root, prepared, error: null }
}

/** The data needed to read the imports of a build file. */
export interface ImportOptions extends ImportContext {
  /** Path of the build file from the root of its repository. */
  path: string
  load: Load
  /** Configuration from an API request, in order of precedence: it ranks above the build file (RQ-23). */
  brought?: readonly Raw[]
}

export type MergedFile = BuildFile & {
  /** All files that were read except the build file itself, in order of precedence. */
  imported: readonly ImportedFile[]
  /** How many of `imported` rank above the build file; null if it does not exist, or is left out. */
  above: number | null
  /**
   * The messages, among all others, that say why an import cannot be used. A partial configuration would
   * build something other than requested (CF-46), so the normal form is empty then.
   */
  importErrors: readonly Message[]
  /** With such messages, the normal form without those imports, for notifications only; otherwise null. */
  rest: Normalized['config'] | null
}

export interface ImportedFile {
  /** The file's name in messages. */
  src: string
  raw: Raw
  prepared: PreparedText
}

/**
 * Reads a build file and all its imports. The text is null if an API request contained the whole
 * configuration. Throws only errors of `load`.
 */
export async function readBuildFileWithImports(
  text: string | null,
  { path, load, brought = [], ...context }: ImportOptions,
  options: Partial<NormalOptions> = {},
): Promise<MergedFile> {
  const starts = startsOf(text, path, brought)
  const broken = starts.find(({ file }) => 'error' in file)
  if (broken && 'error' in broken.file) {
    const src = broken.src === null ? {} : { unreadableSrc: broken.src }
    const nothing = { imported: [], above: null, importErrors: [], rest: null }
    return { ...unreadable(broken.file), ...src, ...nothing }
  }
  const { sources, messages: collecting } = await collectImports(starts as Start[], load, context)
  const { root, messages: merging } = mergeSources(sources)
  const messages = [...collecting, ...merging]
  const importErrors = messages.filter(({ level }) => level === 'error')
  const own = sources.findIndex(({ src }) => src === null)
  const read = {
    root,
    prepared: (sources[own] ?? sources[0])?.file.prepared ?? composeText('{}').prepared,
    error: null,
    imported: importedIn(sources),
    above: own === -1 ? null : own,
  }
  const anchorNames = new Set(sources.flatMap(({ file }) => [...file.anchorNames]))
  const normal = normalize(root, anchorNames, options)
  if (importErrors.length > 0) {
    return { ...empty, ...read, messages, importErrors, rest: normal.config }
  }
  const all = [...messages, ...normal.messages]
  return { ...normal, ...read, messages: all, importErrors, rest: null }
}

/** The files that are read without an import, in order of precedence; some may be unreadable. */
function startsOf(
  text: string | null,
  path: string,
  brought: readonly Raw[],
): (Omit<Start, 'file'> & { file: Composed | Uncomposed })[] {
  const above = brought.map((raw) => ({
    file: composeText(raw.text),
    raw,
    src: raw.source,
    path: null,
  }))
  if (text === null || brought.at(-1)?.merge_mode === 'replace') return above
  const raw = { source: path, sha: null, text, merge_mode: null }
  return [...above, { file: composeText(text), raw, src: null, path }]
}

const empty: Normalized = { config: {}, messages: [], positions: () => undefined }

function unreadable({ error: problem, prepared }: Uncomposed): UnreadableFile {
  const { line, column } = prepared.written(problem.at)
  return { ...empty, root: null, prepared, error: { ...problem, line, column } }
}

function importedIn(sources: readonly CollectedSource[]): ImportedFile[] {
  return sources.flatMap(({ src, raw, file: { prepared } }) =>
    src === null ? [] : { src, raw, prepared },
  )
}

interface Normalized {
  /** The normal form. */
  config: Record<string, unknown>
  /** In the order in which they were reported, without duplicates. */
  messages: Message[]
  positions: Positions
}

/** Brings a build file, as read or as merged with its imports, into its normal form. */
export function normalize(
  root: MapNode,
  anchorNames: ReadonlySet<string>,
  options: Partial<NormalOptions> = {},
): Normalized {
  const reporter = newReporter({ ...normalOptions, ...options })
  const type = rootType()
  reportDuplicateKeys(root, reporter)
  const changed = changeTree(root, type, reporter)
  const valid = validateTree(changed, type, anchorNames, reporter)
  const entries = valid.kind === 'map' ? valid.entries : []
  return {
    config: plainMap(entries),
    messages: distinct(reporter.messages),
    positions: positionsIn(valid),
  }
}

/** Leaves out duplicates of earlier messages; spans are not compared. */
function distinct(messages: readonly Message[]): Message[] {
  // Most messages share their line, code and value with no other, and need no text.
  const alone = new Map<string, Message | Set<string>>()
  return messages.filter((message) => {
    const { line, code, args } = message
    // A map may have a key `toString`.
    const name = `${line} ${code} ${JSON.stringify(args?.value ?? args?.key)}`
    const others = alone.get(name)
    if (!others) {
      alone.set(name, message)
      return true
    }
    const texts = others instanceof Set ? others : new Set([textOf(others)])
    alone.set(name, texts)
    const text = textOf(message)
    if (texts.has(text)) return false
    texts.add(text)
    return true
  })
}

function textOf({ level, code, key, args, line, src }: Message): string {
  return JSON.stringify([level, code, key, args, line, src])
}

/** The plain value of a node. */
function plainValue(node: Node): unknown {
  switch (node.kind) {
    case 'none':
      return null
    case 'secure':
      return { secure: plainValue(node.value) }
    case 'seq':
      return node.items.map(plainValue)
    case 'map':
      return plainMap(node.entries)
    default:
      return node.value
  }
}

type Entries = readonly { key: string; value: Node }[]

function plainMap(entries: Entries): Record<string, unknown> {
  const map: Record<string, unknown> = {}
  for (const { key, value } of entries) {
    const plain = plainValue(value)
    // A file may have this key; a plain assignment would set the prototype instead.
    if (key === '__proto__') Object.defineProperty(map, key, { value: plain, ...ordinary })
    else map[key] = plain
  }
  return map
}

const ordinary = { configurable: true, enumerable: true, writable: true }

/** The change pass: brings the many ways of writing something into one form. */
function changeTree(root: Node, type: Type, reporter: Reporter): Node {
  const changing: Changing = { ...reporter, change }
  function change(node: Node, type: Type, location: Location): Node {
    switch (type.kind) {
      case 'any':
        return changeAny(node, type, location, changing)
      case 'map':
        return changeMap(node, type, location, changing)
      case 'seq':
        return changeSeq(node, type, location, changing)
      default:
        return changeScalar(node, type, location, changing)
    }
  }
  return change(root, type, {})
}

/** The form that the value names; else the first form that is preferred, or matches after the change. */
function changeAny(node: Node, type: AnyType, location: Location, changing: Changing): Node {
  const named = namedForm(node, type)
  if (named) return changing.change(node, named.form, { ...location, provider: named.name })
  for (const form of triedForms(type)) {
    const changed = changing.change(node, form, location)
    if (form.preferred || matches(changed, form)) return changed
  }
  return node
}

type ScalarType = StrType | NumType | BoolType | SecureType

function changeScalar(node: Node, type: ScalarType, location: Location, changing: Changing): Node {
  if (node.kind === 'seq') return firstScalar(node, type, location, changing)
  const value = cast(node, type.kind)
  if (value.kind !== 'str' || type.kind !== 'str') return value
  return enumValue(lowerCase(value, type, location, changing), type, location, changing)
}

function lowerCase(node: StrNode, type: StrType, location: Location, changing: Changing): StrNode {
  if (!type.lowercase || !changing.options.fix) return node
  const value = node.value.toLowerCase()
  if (value === node.value) return node
  reportValue(changing, location, node, {
    level: 'info',
    code: 'downcase',
    args: { value: node.value },
  })
  return { ...node, value }
}
