import { lookAt } from '../merging.ts'
import { isWanted, list } from '../paging.ts'
import { notFound, ok } from '../reply.ts'
import { type RepositoryCall, repositoryRoute } from '../route.ts'
import { pull, pullInList } from '../shapes/pull.ts'
import type { Pull } from '../tables.ts'

export const pullRoutes = [
  ...repositoryRoute('GET /pulls', 'pull_requests', async (call) => {
    const { world, query } = call
    const state = query.get('state') ?? 'open'
    const all = pullsOf(call).filter(
      ({ base, head, ...rest }) =>
        (state === 'all' || rest.state === state) &&
        isWanted(call, 'base', base.ref) &&
        isWanted(call, 'head', `${head.owner.login}:${head.ref}`),
    )
    return list(call, all, (each) => pullInList(world, each))
  }),

  ...repositoryRoute('GET /pulls/{pull_number}', 'pull_requests', async (call) => {
    const { world, params } = call
    const found = pullsOf(call).find(({ number }) => String(number) === params.pull_number)
    if (!found) throw notFound()
    await lookAt(world, found)
    return ok(pull(world, found))
  }),
]

/** Newest first. */
function pullsOf({ world, repository }: RepositoryCall): Pull[] {
  return world.tables.pulls.filter((each) => each.repository === repository).toReversed()
}
