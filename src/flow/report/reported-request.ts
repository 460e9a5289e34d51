import type { FoundRepository } from '../../domain/repository.ts'
import type { Request } from '../../domain/request/request.ts'
import { findCommit } from '../../store/commits.ts'
import { findRepository } from '../../store/repositories.ts'
import { findRequest } from '../../store/requests.ts'
import type { Context } from '../context.ts'

export interface ReportedRequest {
  request: Request
  repository: FoundRepository
  /** The commit that users look at: of a pull request the head, not the merge commit (NT-03). */
  sha: string
}

/** A request that is reported to the code host; undefined without a commit to report it on. */
export async function findReportedRequest(
  { db }: Pick<Context, 'db'>,
  requestId: number,
): Promise<ReportedRequest | undefined> {
  const request = await findRequest(db, requestId)
  const repository = request && (await findRepository(db, { id: request.repository_id }))
  if (!request || !repository) return
  const commit = request.commit_id === null ? undefined : await findCommit(db, request.commit_id)
  const sha = request.head_commit ?? commit?.sha
  return sha === undefined ? undefined : { request, repository, sha }
}
