import { createHmac } from 'node:crypto'
import { statusContext, type StatusKind } from '../../domain/commit/status.ts'
import type { Context, FlowConfig } from '../context.ts'

/** The statuses of one commit and context are one stream, so that they are posted in order. */
export function statusStream(
  { config }: { config: Pick<FlowConfig, 'statusContext'> },
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

/** The check runs of the builds of one commit and kind. */
export function buildCheckStream(repositoryId: number, sha: string, kind: StatusKind): string {
  return `check:${repositoryId}:${sha}:${kind}`
}

/** The changes of a repository's builds, whose recipients are determined in order. */
export function buildEventsStream(repositoryId: number): string {
  return `notify:${repositoryId}:builds`
}

/** The id of the repository that a stream is about. */
export function repositoryOfStream(stream: string): string {
  return stream.split(':')[1] ?? ''
}

/** The notifications to one target of a repository. Its address may hold a secret. */
export function targetStream(
  { sealer }: Pick<Context, 'sealer'>,
  repositoryId: number,
  kind: string,
  address: string,
): string {
  const key = sealer.derive('streams of notifications')
  const mark = createHmac('sha256', key).update(`${kind} ${address}`).digest('hex').slice(0, 24)
  return `notify:${repositoryId}:${mark}`
}

/**
 * The queue in which a stream is published. Notifications have one of their own, so that targets that
 * are slow to respond do not hold up statuses.
 */
export function queueOfStream(stream: string): 'outbox.publish' | 'notification.publish' {
  return stream.startsWith('notify:') ? 'notification.publish' : 'outbox.publish'
}
