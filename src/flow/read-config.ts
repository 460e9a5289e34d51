import { CodehostError } from '../codehost/codehost.ts'
import { type BuildFile, readBuildFile } from '../buildfile/read.ts'
import { type Repository, slugOf } from '../domain/repository.ts'
import type { RawConfig } from '../store/raw-configs.ts'
import { atCodehost } from './at-codehost.ts'
import type { Context } from './context.ts'

export const buildFilePath = '.service.yml'

/** What came of reading the build file of a commit (CF-05). */
export type ConfigRead =
  | { kind: 'read'; file: BuildFile; raw: RawConfig }
  | { kind: 'missing' }
  /** The code host did not hand it out, however often it was asked. */
  | { kind: 'unreachable'; why: string }

/**
 * Reads the build file as it is at the commit that will be built (CF-01). A code host that is away
 * is thrown as long as the request may wait for it.
 */
export async function readConfig(
  ctx: Context,
  repository: Repository,
  sha: string,
  mayWait: boolean,
): Promise<ConfigRead> {
  try {
    const { codehost, ref } = await atCodehost(ctx, repository)
    const bytes = await codehost.file(ref, buildFilePath, sha)
    if (!bytes) return { kind: 'missing' }
    const text = textOf(bytes)
    const source = `${slugOf(repository)}:${buildFilePath}@${sha}`
    return { kind: 'read', file: readBuildFile(text), raw: { source, sha, text, merge_mode: null } }
  } catch (error) {
    if (!(error instanceof CodehostError) || (error.temporary && mayWait)) throw error
    ctx.log.warn({ repository_id: repository.id, sha, err: error }, 'build file was not handed out')
    return { kind: 'unreachable', why: error.message }
  }
}

/** Bytes that are no UTF-8 are dropped (CF-03). */
function textOf(bytes: Buffer): string {
  return new TextDecoder('utf-8').decode(bytes).replaceAll('\uFFFD', '')
}
