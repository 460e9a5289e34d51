import { commitNamed, history, isEmpty } from '../git.ts'
import { list } from '../paging.ts'
import { ok, Refusal, unprocessable } from '../reply.ts'
import { type RepositoryCall, repositoryRoute } from '../route.ts'
import { commit } from '../shapes/commit.ts'

export const commitRoutes = [
  ...repositoryRoute('GET /commits', 'contents', async (call) => {
    const { world, repository, query } = call
    const tip = await commitOf(call, query.get('sha') ?? repository.default_branch)
    return list(call, await history(world, repository, tip.sha), (each) =>
      commit(world, repository, each),
    )
  }),

  ...repositoryRoute('GET /commits/{ref*}', 'contents', async (call) => {
    const { world, repository, params } = call
    return ok(commit(world, repository, await commitOf(call, params.ref ?? '')))
  }),
]

/** The commit that a call speaks of by any of its names. */
export async function commitOf({ world, repository }: RepositoryCall, name: string) {
  const found = await commitNamed(world, repository, name)
  if (found) return found
  if (await isEmpty(world, repository)) {
    throw new Refusal({ status: 409, message: 'Git Repository is empty.' })
  }
  throw unprocessable(`No commit found for SHA: ${name}`)
}
