import type { Build } from '../../domain/build.ts'
import { statusKindsOf } from '../../domain/status.ts'
import { refsOfBuild } from '../../store/requests.ts'
import type { Database } from '../../store/tables.ts'
import type { StatusTarget } from './announce-status.ts'

/** The commit that users look at: of a pull request the head, not the merge commit (NT-03). */
export async function statusTarget(
  db: Database,
  build: Pick<Build, 'request_id' | 'commit_id' | 'repository_id' | 'event_type'>,
): Promise<StatusTarget> {
  const { repository_id, event_type } = build
  const { ref, head_commit, sha } = await refsOfBuild(db, build)
  return { repository_id, sha: head_commit ?? sha, kinds: statusKindsOf({ event_type, ref }) }
}
