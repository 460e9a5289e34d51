import type { GitCommit } from '../../../../src/codehost/local/commits.ts'
import { type Repository, slugOf } from '../tables.ts'
import type { World } from '../world.ts'
import type { Answer } from './answer.ts'
import { commit } from './commit.ts'

export interface Compared {
  base: GitCommit
  head: GitCommit
  merge_base: GitCommit
  /** The commits that head has and base has not, and how many it is the other way round. */
  ahead: readonly GitCommit[]
  behind: number
}

/** How two commits stand to each other, without the files that differ. */
export function comparison(
  world: World,
  repository: Repository,
  { base, head, merge_base, ahead, behind }: Compared,
): Answer<'repos', 'compareCommitsWithBasehead'> {
  const where = `/compare/${base.sha}...${head.sha}`
  const html_url = `${world.url}/${slugOf(repository)}${where}`
  return {
    url: `${world.apiUrl}/repos/${slugOf(repository)}${where}`,
    html_url,
    permalink_url: html_url,
    diff_url: `${html_url}.diff`,
    patch_url: `${html_url}.patch`,
    base_commit: commit(world, repository, base),
    merge_base_commit: commit(world, repository, merge_base),
    status: statusOf(ahead.length, behind),
    ahead_by: ahead.length,
    behind_by: behind,
    total_commits: ahead.length,
    commits: ahead.map((each) => commit(world, repository, each)),
  }
}

function statusOf(ahead: number, behind: number) {
  if (ahead > 0) return behind > 0 ? 'diverged' : 'ahead'
  return behind > 0 ? 'behind' : 'identical'
}
