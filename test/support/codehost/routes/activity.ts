import { list } from '../paging.ts'
import { repositoryRoute } from '../route.ts'
import { account } from '../shapes/account.ts'
import { nodeId, timestamp } from '../shapes/answer.ts'

/** Newest first. */
export const activityRoutes = repositoryRoute('GET /activity', 'contents', (call) => {
  const { world, repository, query } = call
  const wanted = query.get('ref')
  const found = world.tables.activities.filter(
    (each) =>
      each.repository === repository &&
      (wanted === null || each.ref === wanted || each.ref === `refs/heads/${wanted}`),
  )
  return list(call, found.toReversed(), ({ id, at, actor, ...moved }) => ({
    id,
    node_id: nodeId('Activity', id),
    before: moved.before,
    after: moved.after,
    ref: moved.ref,
    timestamp: timestamp(at),
    activity_type: moved.activity_type,
    actor: account(world, actor),
  }))
})
