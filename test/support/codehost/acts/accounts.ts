import { type Account, isSameName } from '../tables.ts'
import type { World } from '../world.ts'

export interface NewAccount {
  login: string
  name?: string | null
  email?: string | null
}

export function addUser(world: Pick<World, 'tables' | 'now'>, given: NewAccount): Account {
  return addAccount(world, 'User', given)
}

/** An organization, with its members by login. */
export function addOrganization(
  world: World,
  { members = {}, ...given }: NewAccount & { members?: Record<string, 'admin' | 'member'> },
): Account {
  const organization = addAccount(world, 'Organization', given)
  for (const [login, role] of Object.entries(members)) {
    organization.members.set(accountNamed(world, login).id, role)
  }
  return organization
}

export function addAccount(
  { tables, now }: Pick<World, 'tables' | 'now'>,
  type: Account['type'],
  { login, name = null, email = null }: NewAccount,
): Account {
  const account = { id: tables.nextId(), type, login, name, email, created_at: now() }
  const made: Account = { ...account, members: new Map() }
  tables.accounts.push(made)
  return made
}

/** The account of this login; a user who is not there yet signs up. */
export function accountNamed(world: Pick<World, 'tables' | 'now'>, login: string): Account {
  const known = world.tables.accounts.find((each) => isSameName(each.login, login))
  return known ?? addUser(world, { login })
}

/** Who does what no one was named for: the owner, or someone of the organization. */
export function doerOf(world: World, { owner }: { owner: Account }, login?: string): Account {
  if (login !== undefined) return accountNamed(world, login)
  if (owner.type === 'User') return owner
  const [member] = owner.members.keys()
  const found = world.tables.accounts.find(({ id }) => id === member)
  return found ?? accountNamed(world, 'octavia')
}
