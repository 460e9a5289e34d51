import type { Account, Role } from '../tables.ts'
import type { World } from '../world.ts'
import { type Answer, nodeId, timestamp } from './answer.ts'

type SimpleUser = Answer<'repos', 'get'>['owner']

/** An account as it stands in whatever it has to do with. */
export function account(
  { url: webUrl, apiUrl }: World,
  { id, login, type }: Account,
): SimpleUser & { user_view_type: string } {
  const url = `${apiUrl}/users/${login}`
  return {
    login,
    id,
    node_id: nodeId(type, id),
    type,
    site_admin: false,
    avatar_url: `${webUrl}/avatars/u/${id}?v=4`,
    gravatar_id: '',
    url,
    html_url: `${webUrl}/${type === 'Bot' ? `apps/${login.replace('[bot]', '')}` : login}`,
    followers_url: `${url}/followers`,
    following_url: `${url}/following{/other_user}`,
    gists_url: `${url}/gists{/gist_id}`,
    starred_url: `${url}/starred{/owner}{/repo}`,
    subscriptions_url: `${url}/subscriptions`,
    organizations_url: `${url}/orgs`,
    repos_url: `${url}/repos`,
    events_url: `${url}/events{/privacy}`,
    received_events_url: `${url}/received_events`,
    user_view_type: 'public',
  }
}

/** The public data of an account. */
export function publicUser(
  world: World,
  user: Account,
): Extract<Answer<'users', 'getByUsername'>, { user_view_type?: string }> {
  const owned = world.tables.repositories.filter(({ owner }) => owner === user)
  return {
    ...account(world, user),
    name: user.name,
    email: user.email,
    company: null,
    blog: '',
    location: null,
    hireable: null,
    bio: null,
    twitter_username: null,
    public_gists: 0,
    public_repos: owned.filter((each) => !each.private).length,
    followers: 0,
    following: 0,
    created_at: timestamp(user.created_at),
    updated_at: timestamp(user.created_at),
  }
}

type OrganizationSimple = Answer<'orgs', 'listForUser'>[number]

export function organization(
  { url: webUrl, apiUrl }: World,
  { id, login }: Account,
): OrganizationSimple {
  const url = `${apiUrl}/orgs/${login}`
  return {
    login,
    id,
    node_id: nodeId('Organization', id),
    url,
    repos_url: `${url}/repos`,
    events_url: `${url}/events`,
    hooks_url: `${url}/hooks`,
    issues_url: `${url}/issues`,
    members_url: `${url}/members{/member}`,
    public_members_url: `${url}/public_members{/member}`,
    avatar_url: `${webUrl}/avatars/u/${id}?v=4`,
    description: null,
  }
}

export function organizationFull(world: World, account: Account): Answer<'orgs', 'get'> {
  const owned = world.tables.repositories.filter(({ owner }) => owner === account)
  return {
    ...organization(world, account),
    name: account.name ?? account.login,
    has_organization_projects: true,
    has_repository_projects: true,
    public_repos: owned.filter((each) => !each.private).length,
    public_gists: 0,
    followers: 0,
    following: 0,
    html_url: `${world.url}/${account.login}`,
    type: 'Organization',
    created_at: timestamp(account.created_at),
    updated_at: timestamp(account.created_at),
    archived_at: null,
  }
}

/** The rights that each role brings. */
export function rightsOf(role: Role | undefined) {
  const order: (Role | undefined)[] = ['read', 'triage', 'write', 'maintain', 'admin']
  const level = role === undefined ? -1 : order.indexOf(role)
  return {
    admin: level >= 4,
    maintain: level >= 3,
    push: level >= 2,
    triage: level >= 1,
    pull: level >= 0,
  }
}
