import type { GitCommit } from '../../../../src/codehost/local/commits.ts'
import { type Account, type Repository, slugOf } from '../tables.ts'
import type { World } from '../world.ts'
import { account } from './account.ts'
import { type Answer, nodeId, timestamp } from './answer.ts'

type Commit = Answer<'repos', 'listCommits'>[number]

/** A commit, without the differences to the one before it. */
export function commit(world: World, repository: Repository, given: GitCommit): Commit {
  const { sha, tree, parents, message } = given
  const url = `${world.apiUrl}/repos/${slugOf(repository)}`
  const html_url = `${world.url}/${slugOf(repository)}/commit`
  return {
    sha,
    node_id: nodeId('Commit', sha),
    commit: {
      ...signatures(given),
      message,
      tree: { sha: tree, url: `${url}/git/trees/${tree}` },
      url: `${url}/git/commits/${sha}`,
      comment_count: 0,
      verification: {
        verified: false,
        reason: 'unsigned',
        signature: null,
        payload: null,
        verified_at: null,
      },
    },
    url: `${url}/commits/${sha}`,
    html_url: `${html_url}/${sha}`,
    comments_url: `${url}/commits/${sha}/comments`,
    author: person(world, given.author_email),
    committer: person(world, given.committer_email),
    parents: parents.map((parent) => ({
      sha: parent,
      url: `${url}/commits/${parent}`,
      html_url: `${html_url}/${parent}`,
    })),
  }
}

function signatures(given: GitCommit) {
  const date = timestamp(given.committed_at ?? new Date(0))
  return {
    author: { name: given.author_name ?? '', email: given.author_email ?? '', date },
    committer: { name: given.committer_name ?? '', email: given.committer_email ?? '', date },
  }
}

function person(world: World, email: string | null) {
  const found = accountOf(world, email)
  return found ? account(world, found) : null
}

/** Commits are anyone's who uses the address that an account has. */
export function accountOf({ tables }: World, email: string | null): Account | undefined {
  return email === null ? undefined : tables.accounts.find((each) => each.email === email)
}
