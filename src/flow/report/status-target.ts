import type { Build } from '../../domain/build.ts'
import { statusKindsOf } from '../../domain/status.ts'
import { findCommit } from '../../store/commits.ts'
import { findRequest } from '../../store/requests.ts'
import type { Database } from '../../store/tables.ts'
import type { StatusTarget } from './announce-status.ts'

/** The commit that users look at: of a pull request the head, not the merge commit (NT-03). */
export async function statusTarget(
  db: Database,
  build: Pick<Build, 'request_id' | 'commit_id' | 'repository_id' | 'event_type'>,
): Promise<StatusTarget> {
  const { request_id, commit_id, repository_id, event_type } = build
  const request = await findRequest(db, request_id)
  const sha = request?.head_commit ?? (await findCommit(db, commit_id))?.sha ?? ''
  const ref = request?.ref ?? null
  return { repository_id, sha, kinds: statusKindsOf({ event_type, ref }) }
}
