import type { ConditionData } from '../../buildfile/conditions/data.ts'
import type { Config, LineOf } from '../../buildfile/expand/values.ts'
import type { Message } from '../../buildfile/messages/message.ts'
import { unreadableMessage } from '../../buildfile/messages/unreadable.ts'
import {
  type MergedFile,
  readBuildFileWithImports,
  type UnreadableFile,
} from '../../buildfile/read-build-file.ts'
import type { Positions } from '../../buildfile/tree/positions.ts'
import { CodehostError } from '../../codehost/codehost.ts'
import { type Repository, slugOf } from '../../domain/repository.ts'
import type { Request } from '../../domain/request.ts'
import type { RawConfig } from '../../store/raw-configs.ts'
import { atCodehost } from '../repository/at-codehost.ts'
import type { Context } from '../context.ts'
import { fileText } from './file-text.ts'
import { importLoader } from './load-imports.ts'
import { type FileOf, type NewMessage, storedMessage } from './stored-message.ts'

export const buildFilePath = '.service.yml'

/** The result of reading the build file of a commit (CF-05). */
export type ConfigRead =
  | ConfigFound
  | { kind: 'missing' }
  /** The file, or one that it imports, exists but cannot be used. */
  | {
      kind: 'broken'
      error: 'parse' | 'import'
      reason: string
      messages: NewMessage[]
      raw: RawConfig[]
    }
  /** The code host did not return it, in any attempt. */
  | { kind: 'unreachable'; reason: string }

export interface ConfigFound {
  kind: 'read'
  config: Config
  messages: NewMessage[]
  raw: RawConfig[]
  lineOf: LineOf
}

export interface ReadConfigInput {
  repository: Repository
  request: Request
  sha: string
  data: ConditionData
  /** Whether the request can wait for an unreachable code host: its error is thrown then. */
  canWait: boolean
}

/** Reads the build file and its imports, at the commit to build (CF-01). */
export async function readConfig(ctx: Context, input: ReadConfigInput): Promise<ConfigRead> {
  const { repository, request, sha, data } = input
  try {
    const { codehost, ref } = await atCodehost(ctx, repository)
    const bytes = await codehost.file(ref, buildFilePath, sha)
    if (!bytes) return { kind: 'missing' }
    const text = fileText(bytes)
    const raw = {
      source: `${slugOf(repository)}:${buildFilePath}@${sha}`,
      sha,
      text,
      merge_mode: null,
    }
    const file = await readBuildFileWithImports(text, {
      path: buildFilePath,
      repository: slugOf(repository),
      data,
      load: importLoader(ctx, { repository, sha, from_fork: request.from_fork }),
    })
    return file.error ? unreadable(file, raw) : merged(file, raw)
  } catch (error) {
    if (!(error instanceof CodehostError) || (error.temporary && input.canWait)) throw error
    ctx.log.warn(
      { repository_id: repository.id, sha, err: error },
      'build file could not be fetched',
    )
    return { kind: 'unreachable', reason: error.message }
  }
}

/** What is wrong with the build file, in words for the log of its build. */
function unreadable(file: UnreadableFile, raw: RawConfig): ConfigRead {
  const { line, column } = file.error
  const message = storedMessage(unreadableMessage(file), buildFilePath, () => file.prepared)
  const reason = `${buildFilePath} cannot be read (line ${line}, column ${column}): ${message.text}`
  return { kind: 'broken', error: 'parse', reason, messages: [message], raw: [raw] }
}

/** The normal form of the file and its imports, or what is wrong with them. */
function merged(file: MergedFile, own: RawConfig): ConfigRead {
  const { config, positions, prepared, imported, importErrors } = file
  const importedTexts = new Map(imported.map(({ src, prepared }) => [src, prepared]))
  const fileOf: FileOf = (src) => (src === undefined ? prepared : importedTexts.get(src))
  const stored = (message: Message) => storedMessage(message, buildFilePath, fileOf)
  const raw = [own, ...imported.map((each) => each.raw)]
  const messages = file.messages.map(stored)
  if (importErrors.length > 0) {
    const reason = importErrors
      .map(stored)
      .map(({ src, line, text }) => `${locationText(src, line)}: ${text}`)
      .join('\n')
    return { kind: 'broken', error: 'import', reason, messages, raw }
  }
  const { import: _import, merge_mode: _mergeMode, ...used } = config
  return { kind: 'read', config: used, messages, raw, lineOf: lineFinder(positions, fileOf) }
}

function locationText(src: string, line: number | null): string {
  return line === null ? src : `${src}, line ${line}`
}

/** Finds lines of the build file itself; imported values have none. */
function lineFinder(positions: Positions, fileOf: FileOf): LineOf {
  return (path) => {
    const position = positions(path)
    if (!position || position.src !== undefined) return null
    const { start } = position.key ?? position.value
    return fileOf(undefined)?.written(start).line ?? null
  }
}
