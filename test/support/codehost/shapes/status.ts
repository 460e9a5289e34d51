import { slugOf, type Status } from '../tables.ts'
import type { World } from '../world.ts'
import { account } from './account.ts'
import { type Answer, nodeId, timestamp } from './answer.ts'

export function status(
  world: World,
  given: Status,
): Answer<'repos', 'listCommitStatusesForRef'>[number] {
  const { id, repository, sha, state, context, description, target_url, creator } = given
  const by = account(world, creator)
  return {
    url: `${world.apiUrl}/repos/${slugOf(repository)}/statuses/${sha}`,
    avatar_url: by.avatar_url,
    id,
    node_id: nodeId('StatusContext', id),
    state,
    description,
    target_url,
    context,
    created_at: timestamp(given.created_at),
    updated_at: timestamp(given.created_at),
    creator: by,
  }
}
