import { type Composed, composeText, type Uncomposed } from './compose/compose-text.ts'
import type { SyntaxProblem } from './compose/problem.ts'
import { collectImports, type ImportContext } from './imports/collect.ts'
import { mergeSources } from './imports/merge.ts'
import type { CollectedSource, Load, Raw, Start } from './imports/source.ts'
import type { Message } from './messages/message.ts'
import { type Normalized, normalize } from './normal-form/normalize.ts'
import type { NormalOptions } from './normal-form/options.ts'
import type { PreparedText } from './prepared-text.ts'
import type { MapNode } from './tree/node.ts'

export type BuildFile = ReadableFile | UnreadableFile

export interface ReadableFile extends Normalized {
  /** The file as composed, merged with what it imports if that was read. */
  root: MapNode
  prepared: PreparedText
  error: null
}

/** A file that is no YAML, or no map: its normal form is empty. */
export interface UnreadableFile extends Normalized {
  root: null
  prepared: PreparedText
  error: Unreadable
  /** What messages call it, where that is not the build file itself. */
  unreadableSrc?: string
}

/** Why a file cannot be read. */
export interface Unreadable extends SyntaxProblem {
  /** From 1, in the file as written (D30). */
  line: number
  column: number
}

export interface ReadOptions extends NormalOptions {
  /** How many values the file may hold; what holds more cannot be read. */
  mostValues: number | undefined
}

/** Reads a build file into its normal form. Never throws: what cannot be read has an `error`. */
export function readBuildFile(
  text: string,
  { mostValues, ...options }: Partial<ReadOptions> = {},
): BuildFile {
  const composed = composeText(text, mostValues)
  if ('error' in composed) return unreadable(composed)
  const { root, anchorNames, prepared } = composed
  return { ...normalize(root, anchorNames, options), root, prepared, error: null }
}

/** What is needed to read the imports of a build file. */
export interface ImportOptions extends ImportContext {
  /** Of the build file, from the root of its repository. */
  path: string
  load: Load
  /** What an API request brought, in order of precedence: it stands above the build file (RQ-23). */
  brought?: readonly Raw[]
}

export type MergedFile = BuildFile & {
  /** All that was read but the build file itself, in order of precedence. */
  imported: readonly ImportedFile[]
  /** How many of those stand above the build file; null where it is not there, or is left out. */
  above: number | null
  /**
   * The messages, among all others, that say why an import cannot be used. Half a configuration
   * would build something else than was asked for (CF-46), so the normal form is empty then.
   */
  importErrors: readonly Message[]
}

export interface ImportedFile {
  /** What messages call it. */
  src: string
  raw: Raw
  prepared: PreparedText
}

/**
 * The same with everything that the file imports. The text is null where an API request brought all
 * that there is. Throws only what `load` throws.
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
    return { ...unreadable(broken.file), ...src, imported: [], above: null, importErrors: [] }
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
  if (importErrors.length > 0) return { ...empty, ...read, messages, importErrors }
  const anchorNames = new Set(sources.flatMap(({ file }) => [...file.anchorNames]))
  const normal = normalize(root, anchorNames, options)
  return { ...normal, ...read, messages: [...messages, ...normal.messages], importErrors }
}

/** What is read without being imported, in order of precedence; some may be unreadable. */
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
