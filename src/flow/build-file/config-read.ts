import type { Config, LineOf, Path, SrcOf } from '../../buildfile/expand/values.ts'
import type { Raw } from '../../buildfile/imports/source.ts'
import type { Message } from '../../buildfile/messages/message.ts'
import { unreadableMessage } from '../../buildfile/messages/unreadable.ts'
import type { MergedFile, UnreadableFile } from '../../buildfile/read-build-file.ts'
import type { Positions } from '../../buildfile/tree/positions.ts'
import type { Check } from '../../domain/request/check.ts'
import type { OtherBuildFile } from '../../domain/request/other-build-files.ts'
import { sourceName } from '../../domain/request/request.ts'
import { storedAdvice } from './stored-advice.ts'
import { type FileOf, type NewMessage, storedMessage } from './stored-message.ts'

export const buildFilePath = '.service.yml'

/** The result of reading the build file of a commit (CF-05). */
export type ConfigRead =
  | ConfigFound
  /**
   * `before`: an earlier commit of the repository had a build file. `lost`: the commit before a push, or the
   * base of a pull request, had one. `other`: a file that may have been mistaken for it.
   */
  | { kind: 'missing'; before: boolean; lost: boolean; other: OtherBuildFile | null }
  | ConfigBroken
  /** The code host did not return the file in any attempt. */
  | { kind: 'unreachable'; reason: string }

/** The file, or a file that it imports, exists but cannot be used. */
interface ConfigBroken {
  kind: 'broken'
  error: 'parse' | 'import' | 'too_costly'
  /** A text for the log of the build. */
  reason: string
  /** The reason in one line, without its location, which is in `source`. */
  says: string
  source: Check['source']
  /** The configuration without the unusable imports; null for an unreadable file. */
  rest: Config | null
  messages: NewMessage[]
  raw: Raw[]
}

interface ConfigFound {
  kind: 'read'
  /**
   * Whether an API request supplied a part of the configuration, so that the commit needs no build
   * file.
   */
  brought: boolean
  config: Config
  messages: NewMessage[]
  raw: Raw[]
  placeOf: PlaceOf
}

/** The place where a value of the configuration was written; null if no source contains it. */
export type PlaceOf = (path: Path) => Check['source']

/** The configuration in a file that was read with its imports, or its errors. */
export function configOf(file: MergedFile, own: Raw | null, brought: readonly Raw[]): ConfigRead {
  return file.error ? unreadable(file, own, brought) : merged(file, own, brought)
}

/** The error of an unreadable build file, in words for the log of its build. */
function unreadable(file: UnreadableFile, own: Raw | null, brought: readonly Raw[]): ConfigRead {
  const { kind, line, column } = file.error
  const verb = kind === 'format' ? 'used' : 'read'
  const name = file.unreadableSrc ?? buildFilePath
  const source = { file: name, line }
  const message = storedMessage(unreadableMessage(file), name, () => file.prepared)
  const reason = `${sourceName(name)} cannot be ${verb} (line ${line}, column ${column}): ${message.text}`
  const raw = [...brought, ...(own ? [own] : [])]
  const found = { reason, says: message.text, source, rest: null, messages: [message], raw }
  return { kind: 'broken', error: 'parse', ...found }
}

/** The normal form of the file and its imports, or their errors. */
function merged(
  file: Extract<MergedFile, { error: null }>,
  own: Raw | null,
  brought: readonly Raw[],
): ConfigRead {
  const { config, positions, prepared, imported, above, importErrors } = file
  const importedTexts = new Map(imported.map(({ src, prepared }) => [src, prepared]))
  const fileOf: FileOf = (src) => (src === undefined ? prepared : importedTexts.get(src))
  const stored = (message: Message) => storedMessage(message, buildFilePath, fileOf)
  const others = imported.map((each) => each.raw)
  const raw =
    own === null || above === null
      ? others
      : [...others.slice(0, above), own, ...others.slice(above)]
  const isAlone = own !== null && imported.length === 0
  const read = file.messages.map(stored)
  const advice = isAlone ? storedAdvice(file, own.text, buildFilePath, read) : []
  const messages = [...read, ...advice]
  if (importErrors.length > 0) {
    const errors = importErrors.map(stored)
    const reason = errors
      .map(({ src, line, text }) => `${locationText(src, line)}: ${text}`)
      .join('\n')
    const found = { reason, ...firstOf(errors), rest: file.rest, messages, raw }
    return { kind: 'broken', error: 'import', ...found }
  }
  const { import: _import, merge_mode: _mergeMode, ...used } = config
  const placeOf = placeFinder(positions, fileOf)
  return { kind: 'read', brought: brought.length > 0, config: used, messages, raw, placeOf }
}

/** The first of these errors, shown where there is room for only one. */
function firstOf([first]: readonly NewMessage[]): Pick<ConfigBroken, 'says' | 'source'> {
  const { src = buildFilePath, line = null, text = '' } = first ?? {}
  if (line === null) return { says: `${src}: ${text}`, source: null }
  return { says: text, source: { file: src, line } }
}

function locationText(src: string, line: number | null): string {
  return line === null ? sourceName(src) : `${sourceName(src)}, line ${line}`
}

function placeFinder(positions: Positions, fileOf: FileOf): PlaceOf {
  return (path) => {
    const position = positions(path)
    const prepared = position && fileOf(position.src)
    if (!prepared) return null
    const { start } = position.key ?? position.value
    return { file: position.src ?? buildFilePath, line: prepared.written(start).line }
  }
}

/** The lines of the build file itself, and the names of other sources. */
export function locatorsIn(placeOf: PlaceOf): { lineOf: LineOf; srcOf: SrcOf } {
  return {
    lineOf(path) {
      const place = placeOf(path)
      return place?.file === buildFilePath ? place.line : null
    },
    srcOf(path) {
      const place = placeOf(path)
      return place === null || place.file === buildFilePath ? undefined : place.file
    },
  }
}
