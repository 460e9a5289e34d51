import type { Build } from '../../domain/build.ts'
import { findCommit } from '../../store/commits.ts'
import { findRequest } from '../../store/requests.ts'
import type { Database } from '../../store/tables.ts'

/** The commit that users look at: of a pull request the head, not the merge commit (NT-03). */
export async function reportedSha(
  db: Database,
  { request_id, commit_id }: Pick<Build, 'request_id' | 'commit_id'>,
): Promise<string> {
  const request = await findRequest(db, request_id)
  if (request?.head_commit) return request.head_commit
  return (await findCommit(db, commit_id))?.sha ?? ''
}
