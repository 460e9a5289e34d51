import { statusContext, type StatusKind } from '../../domain/status.ts'
import type { Context } from '../context.ts'

/** The statuses of one commit and context are one stream, so that they are posted in order. */
export function statusStream(
  { config }: Pick<Context, 'config'>,
  repositoryId: number,
  sha: string,
  kind: StatusKind,
): string {
  return `status:${repositoryId}:${sha}:${statusContext(kind, config.statusContext)}`
}

/** The check runs of one commit's build file. */
export function checkStream(repositoryId: number, sha: string): string {
  return `check:${repositoryId}:${sha}:config`
}
