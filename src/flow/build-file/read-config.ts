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

/** What came of reading the build file of a commit (CF-05). */
export type ConfigRead =
  | ConfigFound
  | { kind: 'missing' }
  /** It, or what it imports, is there but cannot be used. */
  | {
      kind: 'broken'
      error: 'parse' | 'import'
      why: string
      messages: NewMessage[]
      raw: RawConfig[]
    }
  /** The code host did not hand it out, however often it was asked. */
  | { kind: 'unreachable'; why: string }

export interface ConfigFound {
  kind: 'read'
  config: Config
  messages: NewMessage[]
  raw: RawConfig[]
  lineOf: LineOf
}

/** What the build file is read for. */
export interface Reading {
  repository: Repository
  request: Request
  sha: string
  data: ConditionData
  /** A code host that is away is thrown as long as the request may wait for it. */
  mayWait: boolean
}

/** Reads the build file, and what it imports, as they are at the commit to build (CF-01). */
export async function readConfig(ctx: Context, reading: Reading): Promise<ConfigRead> {
  const { repository, request, sha, data } = reading
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
    if (!(error instanceof CodehostError) || (error.temporary && reading.mayWait)) throw error
    ctx.log.warn({ repository_id: repository.id, sha, err: error }, 'build file was not handed out')
    return { kind: 'unreachable', why: error.message }
  }
}

/** What is wrong with the build file, in words for the log of its build. */
function unreadable(file: UnreadableFile, raw: RawConfig): ConfigRead {
  const { line, column } = file.error
  const message = storedMessage(unreadableMessage(file), buildFilePath, () => file.prepared)
  const why = `${buildFilePath} cannot be read (line ${line}, column ${column}): ${message.text}`
  return { kind: 'broken', error: 'parse', why, messages: [message], raw: [raw] }
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
    const why = importErrors
      .map(stored)
      .map(({ src, line, text }) => `${placed(src, line)}: ${text}`)
      .join('\n')
    return { kind: 'broken', error: 'import', why, messages, raw }
  }
  const { import: _import, merge_mode: _mergeMode, ...used } = config
  return { kind: 'read', config: used, messages, raw, lineOf: lineTeller(positions, fileOf) }
}

function placed(src: string, line: number | null): string {
  return line === null ? src : `${src}, line ${line}`
}

/** Tells lines of the build file itself; of what is imported there is none to tell. */
function lineTeller(positions: Positions, fileOf: FileOf): LineOf {
  return (path) => {
    const position = positions(path)
    if (!position || position.src !== undefined) return null
    const { start } = position.key ?? position.value
    return fileOf(undefined)?.written(start).line ?? null
  }
}
