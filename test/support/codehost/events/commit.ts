import type { GitCommit } from '../../../../src/codehost/local/commits.ts'
import { timestamp } from '../shapes/answer.ts'
import { accountOf } from '../shapes/commit.ts'
import { type Repository, slugOf } from '../tables.ts'
import type { World } from '../world.ts'

/** A commit as push events contain it, with the files that it touched. */
export async function pushedCommit(world: World, repository: Repository, given: GitCommit) {
  const files = await touched(world, repository, given)
  const named = (kind: string) => files.filter((each) => each.kind === kind).map(({ name }) => name)
  return {
    id: given.sha,
    tree_id: given.tree,
    distinct: true,
    message: given.message,
    timestamp: timestamp(given.committed_at ?? new Date(0)),
    url: `${world.url}/${slugOf(repository)}/commit/${given.sha}`,
    author: person(world, given.author_name, given.author_email),
    committer: person(world, given.committer_name, given.committer_email),
    added: named('A'),
    removed: named('D'),
    modified: named('M'),
  }
}

async function touched({ git }: World, { folder }: Repository, { sha, parents }: GitCommit) {
  const from = parents[0] ?? '--root'
  const args = ['diff-tree', '-r', '-z', '--no-renames', '--no-commit-id', '--name-status', from]
  const { output } = await git(folder, [...args, sha])
  const parts = output.toString().split('\0').slice(0, -1)
  return parts.flatMap((kind, index) =>
    index % 2 === 0 ? [{ kind: kind === 'T' ? 'M' : kind, name: parts[index + 1] ?? '' }] : [],
  )
}

function person(world: World, name: string | null, email: string | null) {
  const account = accountOf(world, email)
  return { name: name ?? '', email, ...(account ? { username: account.login } : {}) }
}
