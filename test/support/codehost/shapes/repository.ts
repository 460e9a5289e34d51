import type { Caller } from '../authenticate.ts'
import { roleOf } from '../reach.ts'
import { type Repository, slugOf } from '../tables.ts'
import type { World } from '../world.ts'
import { account, rightsOf } from './account.ts'
import { type Answer, nodeId, timestamp } from './answer.ts'

type FullRepository = Answer<'repos', 'get'>

/** A repository as it stands in lists, pull requests and events. */
export function repository(world: World, given: Repository) {
  const { id, name, owner, description, language, default_branch, archived } = given
  const forks = world.tables.repositories.filter(({ parent }) => parent === given).length
  const pulls = world.tables.pulls.filter(
    ({ repository, state }) => repository === given && state === 'open',
  ).length
  return {
    id,
    node_id: nodeId('Repository', id),
    name,
    full_name: slugOf(given),
    private: given.private,
    visibility: given.private ? 'private' : 'public',
    owner: account(world, owner),
    description,
    fork: given.parent !== null,
    language,
    default_branch,
    archived,
    ...addresses(world, given),
    created_at: timestamp(given.created_at),
    updated_at: timestamp(given.updated_at),
    pushed_at: timestamp(given.pushed_at),
    homepage: null,
    mirror_url: null,
    license: null,
    size: 0,
    disabled: false,
    stargazers_count: 0,
    watchers_count: 0,
    watchers: 0,
    forks_count: forks,
    forks,
    open_issues_count: pulls,
    open_issues: pulls,
    is_template: false,
    topics: [] as string[],
    has_issues: true,
    has_projects: true,
    has_wiki: true,
    has_pages: false,
    has_downloads: true,
    has_discussions: false,
    allow_forking: true,
    web_commit_signoff_required: false,
    custom_properties: {},
  }
}

/** The same as returned for a single one. */
export function fullRepository(world: World, caller: Caller, given: Repository): FullRepository {
  return {
    ...repository(world, given),
    ...permissionsOf(caller, given),
    ...(given.parent
      ? { parent: repository(world, given.parent), source: repository(world, given.parent) }
      : {}),
    ...(given.owner.type === 'Organization' ? { organization: account(world, given.owner) } : {}),
    subscribers_count: 0,
    network_count: 0,
  }
}

/** What the caller may do; absent for anonymous callers. */
export function permissionsOf(caller: Caller, given: Repository) {
  if (caller.kind === 'user') {
    const role = roleOf(given, caller.user) ?? (given.private ? undefined : 'read')
    return { permissions: rightsOf(role) }
  }
  return caller.kind === 'installation' ? { permissions: rightsOf(undefined) } : {}
}

function addresses({ url: webUrl, apiUrl }: World, given: Repository) {
  const slug = slugOf(given)
  const url = `${apiUrl}/repos/${slug}`
  const html_url = `${webUrl}/${slug}`
  const host = new URL(webUrl).host
  return {
    html_url,
    url,
    archive_url: `${url}/{archive_format}{/ref}`,
    assignees_url: `${url}/assignees{/user}`,
    blobs_url: `${url}/git/blobs{/sha}`,
    branches_url: `${url}/branches{/branch}`,
    collaborators_url: `${url}/collaborators{/collaborator}`,
    comments_url: `${url}/comments{/number}`,
    commits_url: `${url}/commits{/sha}`,
    compare_url: `${url}/compare/{base}...{head}`,
    contents_url: `${url}/contents/{+path}`,
    contributors_url: `${url}/contributors`,
    deployments_url: `${url}/deployments`,
    downloads_url: `${url}/downloads`,
    events_url: `${url}/events`,
    forks_url: `${url}/forks`,
    git_commits_url: `${url}/git/commits{/sha}`,
    git_refs_url: `${url}/git/refs{/sha}`,
    git_tags_url: `${url}/git/tags{/sha}`,
    hooks_url: `${url}/hooks`,
    issue_comment_url: `${url}/issues/comments{/number}`,
    issue_events_url: `${url}/issues/events{/number}`,
    issues_url: `${url}/issues{/number}`,
    keys_url: `${url}/keys{/key_id}`,
    labels_url: `${url}/labels{/name}`,
    languages_url: `${url}/languages`,
    merges_url: `${url}/merges`,
    milestones_url: `${url}/milestones{/number}`,
    notifications_url: `${url}/notifications{?since,all,participating}`,
    pulls_url: `${url}/pulls{/number}`,
    releases_url: `${url}/releases{/id}`,
    stargazers_url: `${url}/stargazers`,
    statuses_url: `${url}/statuses/{sha}`,
    subscribers_url: `${url}/subscribers`,
    subscription_url: `${url}/subscription`,
    tags_url: `${url}/tags`,
    teams_url: `${url}/teams`,
    trees_url: `${url}/git/trees{/sha}`,
    git_url: `git://${host}/${slug}.git`,
    ssh_url: `git@${new URL(webUrl).hostname}:${slug}.git`,
    clone_url: `${html_url}.git`,
    svn_url: html_url,
  }
}
