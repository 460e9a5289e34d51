import { composeText, type Uncomposed } from './compose/compose-text.ts'
import type { SyntaxProblem } from './compose/problem.ts'
import { collectImports, type ImportContext } from './imports/collect.ts'
import { mergeSources } from './imports/merge.ts'
import type { CollectedSource, Load, Raw } from './imports/source.ts'
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
}

export type MergedFile = BuildFile & {
  /** The files that were imported, in order of precedence. */
  imported: readonly ImportedFile[]
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

/** The same with everything that the file imports. Throws only what `load` throws. */
export async function readBuildFileWithImports(
  text: string,
  { path, load, ...context }: ImportOptions,
  options: Partial<NormalOptions> = {},
): Promise<MergedFile> {
  const file = composeText(text)
  if ('error' in file) return { ...unreadable(file), imported: [], importErrors: [] }
  const raw = { source: path, sha: null, text, merge_mode: null }
  const start = { file, raw, src: null, path }
  const { sources, messages: collecting } = await collectImports([start], load, context)
  const { root, messages: merging } = mergeSources(sources)
  const messages = [...collecting, ...merging]
  const importErrors = messages.filter(({ level }) => level === 'error')
  const read = { root, prepared: file.prepared, error: null, imported: importedIn(sources) }
  if (importErrors.length > 0) return { ...empty, ...read, messages, importErrors }
  const anchorNames = new Set(sources.flatMap(({ file }) => [...file.anchorNames]))
  const normal = normalize(root, anchorNames, options)
  return { ...normal, ...read, messages: [...messages, ...normal.messages], importErrors }
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
