import { branchesAndTags } from '../git.ts'
import { list } from '../paging.ts'
import { repositoryRoute } from '../route.ts'
import { slugOf } from '../tables.ts'

const heads = 'refs/heads/'

export const branchRoutes = repositoryRoute('GET /branches', 'contents', async (call) => {
  const { world, repository } = call
  const refs = [...(await branchesAndTags(world, repository))]
  const branches = refs.filter(([ref]) => ref.startsWith(heads))
  return list(call, branches, ([ref, sha]) => ({
    name: ref.slice(heads.length),
    commit: { sha, url: `${world.apiUrl}/repos/${slugOf(repository)}/commits/${sha}` },
    protected: false,
  }))
})
