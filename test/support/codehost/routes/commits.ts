import type { GitCommit } from '../../../../src/codehost/local/commits.ts'
import { commitNamed, history, isEmpty, mergeBase } from '../git.ts'
import { list } from '../paging.ts'
import { notFound, ok, Refusal, unprocessable } from '../reply.ts'
import { type RepositoryCall, repositoryRoute } from '../route.ts'
import { commit } from '../shapes/commit.ts'
import { comparison } from '../shapes/comparison.ts'

export const commitRoutes = [
  ...repositoryRoute('GET /commits', 'contents', async (call) => {
    const { world, repository, query } = call
    const tip = await commitOf(call, query.get('sha') ?? repository.default_branch)
    return list(call, await history(world, repository, tip.sha), (each) =>
      commit(world, repository, each),
    )
  }),

  ...repositoryRoute('GET /compare/{basehead}', 'contents', async (call) => {
    const [base = '', head = ''] = (call.params.basehead ?? '').split('...')
    return ok(await compared(call, await commitOf(call, base), await commitOf(call, head)))
  }),

  ...repositoryRoute('GET /commits/{ref*}', 'contents', async (call) => {
    const { world, repository, params } = call
    return ok(commit(world, repository, await commitOf(call, params.ref ?? '')))
  }),
]

async function compared({ world, repository }: RepositoryCall, base: GitCommit, head: GitCommit) {
  const [ahead, missing, merge_base] = await Promise.all([
    history(world, repository, head.sha, [base.sha]),
    history(world, repository, base.sha, [head.sha]),
    mergeBase(world, repository, base.sha, head.sha),
  ])
  if (!merge_base) throw notFound()
  const facts = { base, head, merge_base, ahead, behind: missing.length }
  return comparison(world, repository, facts)
}

/** The commit that a call speaks of by any of its names. */
export async function commitOf({ world, repository }: RepositoryCall, name: string) {
  const found = await commitNamed(world, repository, name)
  if (found) return found
  if (await isEmpty(world, repository)) {
    throw new Refusal({ status: 409, message: 'Git Repository is empty.' })
  }
  throw unprocessable(`No commit found for SHA: ${name}`)
}
