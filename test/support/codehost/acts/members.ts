import { announce } from '../deliveries.ts'
import { about } from '../events/payload.ts'
import { account, organization } from '../shapes/account.ts'
import type { Account, Repository, Role } from '../tables.ts'
import type { World } from '../world.ts'
import { accountNamed, doerOf } from './accounts.ts'

/** Lets someone do this with a repository; null for nothing any more. */
export async function setRole(
  world: World,
  repository: Repository,
  login: string,
  role: Role | null,
): Promise<void> {
  const member = accountNamed(world, login)
  const from = repository.collaborators.get(member.id)
  if (role === null) repository.collaborators.delete(member.id)
  else repository.collaborators.set(member.id, role)

  const action = role === null ? 'removed' : from === undefined ? 'added' : 'edited'
  const changes = {
    ...(action === 'edited' ? { old_permission: { from } } : {}),
    permission: { ...(from === undefined ? {} : { from }), to: role },
  }
  const payload = {
    action,
    member: account(world, member),
    ...(action === 'removed' ? {} : { changes }),
    ...about(world, repository, doerOf(world, repository)),
  }
  await announce(world, { event: 'member', payload, repository })
}

/** Makes someone a member of an organization, or its owner; null for neither any more. */
export async function setMember(
  world: World,
  org: Account,
  login: string,
  role: 'admin' | 'member' | null,
): Promise<void> {
  const user = accountNamed(world, login)
  const before = org.members.get(user.id)
  if (role === null) org.members.delete(user.id)
  else org.members.set(user.id, role)
  // Of another role of the same member no one is notified.
  if (role !== null && before !== undefined) return

  const url = `${world.apiUrl}/orgs/${org.login}`
  const membership = {
    url: `${url}/memberships/${user.login}`,
    state: 'active',
    role: role ?? before,
    organization_url: url,
    user: account(world, user),
  }
  const action = role === null ? 'member_removed' : 'member_added'
  await announceOrganization(world, org, { action, membership })
}

export async function renameOrganization(world: World, org: Account, login: string): Promise<void> {
  const from = org.login
  for (const { owner, former_slugs, name } of world.tables.repositories) {
    if (owner === org) former_slugs.push(`${from}/${name}`)
  }
  org.login = login
  const changes = { login: { from } }
  await announceOrganization(world, org, { action: 'renamed', changes })
  await announceTarget(world, org, changes)
}

/** Reports that the account has another name, on which the app is installed. */
async function announceTarget(world: World, org: Account, changes: object): Promise<void> {
  const installation = world.tables.installations.find((each) => each.account === org)
  if (!installation) return
  const payload = {
    action: 'renamed',
    account: { ...organization(world, org), html_url: account(world, org).html_url },
    changes,
    target_type: 'Organization',
    sender: account(world, doerOf(world, { owner: org })),
  }
  await announce(world, { event: 'installation_target', payload, installation })
}

async function announceOrganization(
  world: World,
  org: Account,
  told: Record<string, unknown>,
): Promise<void> {
  const installation = world.tables.installations.find((each) => each.account === org)
  if (!installation) return
  const sender = account(world, doerOf(world, { owner: org }))
  const payload = { ...told, organization: organization(world, org), sender }
  await announce(world, { event: 'organization', payload, installation })
}
