import { mergeableOf, mergeableState } from '../merging.ts'
import { type Account, type Pull, type Repository, slugOf } from '../tables.ts'
import type { World } from '../world.ts'
import { account } from './account.ts'
import { type Answer, nodeId, timestamp } from './answer.ts'
import { repository } from './repository.ts'

type FullPull = Answer<'pulls', 'get'>
type PullInList = Answer<'pulls', 'list'>[number]

/** A pull request as it stands in lists. */
export function pullInList(world: World, given: Pull) {
  const { id, number, state, title, body, draft, head, base, merged, user } = given
  return {
    ...addresses(world, given),
    id,
    node_id: nodeId('PullRequest', id),
    number,
    state,
    locked: false,
    title,
    body,
    user: account(world, user),
    labels: [],
    milestone: null,
    assignee: null,
    assignees: [],
    active_lock_reason: null,
    requested_reviewers: [],
    requested_teams: [],
    auto_merge: null,
    draft,
    created_at: timestamp(given.created_at),
    updated_at: timestamp(given.updated_at),
    closed_at: given.closed_at ? timestamp(given.closed_at) : null,
    merged_at: merged ? timestamp(merged.at) : null,
    merge_commit_sha: merged?.sha ?? given.merge.sha,
    head: side(world, head.owner, head.repository, head),
    base: side(world, given.repository.owner, given.repository, base),
    author_association: user === given.repository.owner ? 'OWNER' : 'CONTRIBUTOR',
  } satisfies PullInList
}

/** The same as returned for a single one. */
export function pull(world: World, given: Pull): FullPull {
  const { merged } = given
  const { merge_commit_sha, ...inList } = pullInList(world, given)
  const { withoutMergeCommit = false, unsettledState } = world.pullQuirks
  return {
    ...inList,
    // The description of the interface has it always.
    ...((withoutMergeCommit ? {} : { merge_commit_sha }) as Pick<FullPull, 'merge_commit_sha'>),
    merged: merged !== null,
    merged_by: merged ? account(world, merged.by) : null,
    mergeable: mergeableOf(given),
    rebaseable: mergeableOf(given),
    mergeable_state:
      mergeableOf(given) === null
        ? (unsettledState ?? mergeableState(world, given))
        : mergeableState(world, given),
    comments: 0,
    review_comments: 0,
    maintainer_can_modify: false,
    commits: 1,
    additions: 1,
    deletions: 0,
    changed_files: 1,
  }
}

function side(
  world: World,
  owner: Account,
  from: Repository | null,
  { ref, sha }: { ref: string; sha: string },
) {
  return {
    label: `${owner.login}:${ref}`,
    ref,
    sha,
    user: account(world, owner),
    // The interface's description does not know of forks that were deleted since.
    repo: (from && repository(world, from)) as ReturnType<typeof repository>,
  }
}

function addresses({ url: webUrl, apiUrl }: World, { repository, number, head }: Pull) {
  const api = `${apiUrl}/repos/${slugOf(repository)}`
  const html_url = `${webUrl}/${slugOf(repository)}/pull/${number}`
  const links = {
    self: `${api}/pulls/${number}`,
    html: html_url,
    issue: `${api}/issues/${number}`,
    comments: `${api}/issues/${number}/comments`,
    review_comments: `${api}/pulls/${number}/comments`,
    review_comment: `${api}/pulls/comments{/number}`,
    commits: `${api}/pulls/${number}/commits`,
    statuses: `${api}/statuses/${head.sha}`,
  }
  const link = (href: string) => ({ href })
  return {
    url: links.self,
    html_url,
    diff_url: `${html_url}.diff`,
    patch_url: `${html_url}.patch`,
    issue_url: links.issue,
    commits_url: links.commits,
    comments_url: links.comments,
    review_comments_url: links.review_comments,
    review_comment_url: links.review_comment,
    statuses_url: links.statuses,
    _links: {
      self: link(links.self),
      html: link(links.html),
      issue: link(links.issue),
      comments: link(links.comments),
      commits: link(links.commits),
      review_comments: link(links.review_comments),
      review_comment: link(links.review_comment),
      statuses: link(links.statuses),
    },
  }
}
