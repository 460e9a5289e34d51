import type { Build } from '../../domain/build.ts'
import { statusContext } from '../../domain/status.ts'
import type { EventType } from '../../domain/request.ts'
import { findCommit } from '../../store/commits.ts'
import { announce } from '../../store/outbox.ts'
import { findRequest } from '../../store/requests.ts'
import type { Database } from '../../store/tables.ts'
import type { Context } from '../context.ts'

/**
 * Leaves word of the state that a build has now. Statuses of one commit and context are one stream,
 * so that they arrive in order (NT-07). Answers the stream, whose bell is to be rung after the
 * commit.
 */
export async function announceBuild(
  ctx: Pick<Context, 'config'>,
  tx: Database,
  build: Build,
): Promise<string> {
  const stream = await streamOfBuild(ctx, tx, build)
  await announce(tx, 'status:build', stream, { build_id: build.id, state: build.state })
  return stream
}

export async function streamOfBuild(
  ctx: Pick<Context, 'config'>,
  db: Database,
  { repository_id, request_id, commit_id, event_type }: Build,
): Promise<string> {
  const sha = await reportedSha(db, { request_id, commit_id })
  return statusStream(ctx, repository_id, sha, event_type)
}

export function statusStream(
  { config }: Pick<Context, 'config'>,
  repositoryId: number,
  sha: string,
  eventType: EventType,
): string {
  return `status:${repositoryId}:${sha}:${statusContext(eventType, config.statusContext)}`
}

/** The commit that people look at: of a pull request the head, not the merge (NT-03). */
export async function reportedSha(
  db: Database,
  { request_id, commit_id }: Pick<Build, 'request_id' | 'commit_id'>,
): Promise<string> {
  const request = await findRequest(db, request_id)
  if (request?.head_commit) return request.head_commit
  return (await findCommit(db, commit_id))?.sha ?? ''
}
