import { composeText, type Uncomposed } from '../../buildfile/compose/compose-text.ts'
import type { ConditionData } from '../../buildfile/conditions/data.ts'
import type { Config, LineOf } from '../../buildfile/expand/values.ts'
import type { Collected } from '../../buildfile/imports/collect.ts'
import { mergeSources } from '../../buildfile/imports/merge.ts'
import { unreadable as messageOfUnreadable } from '../../buildfile/imports/told.ts'
import type { Message } from '../../buildfile/message.ts'
import { normalize } from '../../buildfile/normalize.ts'
import type { Positions } from '../../buildfile/positions.ts'
import { CodehostError } from '../../codehost/codehost.ts'
import { type Repository, slugOf } from '../../domain/repository.ts'
import type { Request } from '../../domain/request.ts'
import type { RawConfig } from '../../store/raw-configs.ts'
import { atCodehost } from '../repository/at-codehost.ts'
import type { Context } from '../context.ts'
import { fileText } from './file-text.ts'
import { loadImports } from './load-imports.ts'
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
    const file = composeText(text)
    if ('error' in file) return unreadableConfig(file, raw)
    const start = { file, raw, src: null, path: buildFilePath }
    const build = { repository, sha, from_fork: request.from_fork, data }
    return mergeAndNormalize(await loadImports(ctx, build, [start]))
  } catch (error) {
    if (!(error instanceof CodehostError) || (error.temporary && input.canWait)) throw error
    ctx.log.warn(
      { repository_id: repository.id, sha, err: error },
      'build file could not be fetched',
    )
    return { kind: 'unreachable', reason: error.message }
  }
}

/** Describes a syntax error of the build file, for the log of its build. */
function unreadableConfig(file: Uncomposed, raw: RawConfig): ConfigRead {
  const { line, column } = file.prepared.written(file.error.at)
  const message = storedMessage(messageOfUnreadable(null, file), buildFilePath, () => file.prepared)
  const reason = `${buildFilePath} cannot be read (line ${line}, column ${column}): ${message.text}`
  return { kind: 'broken', error: 'parse', reason, messages: [message], raw: [raw] }
}

/** Merges the collected files, and converts the result into the normal form. */
function mergeAndNormalize({ sources, messages: collected }: Collected): ConfigRead {
  const prepared = new Map(sources.map(({ src, file }) => [src, file.prepared]))
  const fileOf: FileOf = (src) => prepared.get(src ?? null)
  const stored = (message: Message) => storedMessage(message, buildFilePath, fileOf)
  const { root, messages: merging } = mergeSources(sources)
  const raw = sources.map((source) => source.raw)
  const before = [...collected, ...merging].map(stored)

  // Half a configuration would build something else than was intended (CF-46).
  const failed = before.filter(({ level }) => level === 'error')
  if (failed.length > 0) {
    const reason = failed
      .map(({ src, line, text }) => `${locationText(src, line)}: ${text}`)
      .join('\n')
    return { kind: 'broken', error: 'import', reason, messages: before, raw }
  }
  const anchors = new Set(sources.flatMap(({ file }) => [...file.anchorNames]))
  const { config, messages, positions } = normalize(root, anchors)
  const { import: _import, merge_mode: _mergeMode, ...used } = config
  return {
    kind: 'read',
    config: used,
    messages: [...before, ...messages.map(stored)],
    raw,
    lineOf: lineFinder(positions, fileOf),
  }
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
