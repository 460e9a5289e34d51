import { randomBytes } from 'node:crypto'
import { covers } from './reach.ts'
import { unprocessable } from './reply.ts'
import type { Account, Installation, InstallationToken, Permissions, UserToken } from './tables.ts'
import type { World } from './world.ts'

const hour = 60 * 60 * 1000

interface Limits {
  repositories?: unknown
  repository_ids?: unknown
  permissions?: unknown
}

/** Makes a token of an installation, limited to some of its repositories and permissions. */
export function makeInstallationToken(
  { tables, now }: World,
  installation: Installation,
  limits: Limits = {},
): InstallationToken {
  const token: InstallationToken = {
    kind: 'installation',
    token: `ghs_${secret()}`,
    installation,
    // Reported in whole seconds, so it expires on one.
    expires_at: new Date(Math.floor((now().getTime() + hour) / 1000) * 1000),
    permissions: permissionsWithin(installation, limits.permissions),
    repositories: repositoriesWithin({ tables }, installation, limits),
  }
  tables.tokens.push(token)
  return token
}

export function makeUserToken({ tables, now }: World, user: Account): UserToken {
  const token: UserToken = {
    kind: 'user',
    token: `ghu_${secret()}`,
    refresh_token: `ghr_${secret()}`,
    user,
    expires_at: new Date(now().getTime() + 8 * hour),
  }
  tables.tokens.push(token)
  return token
}

/** A token that someone made for their own programs. */
export function makePersonalToken(
  { tables, now }: World,
  user: Account,
  scopes: readonly string[],
): UserToken {
  const token: UserToken = {
    kind: 'user',
    token: `ghp_${secret()}`,
    refresh_token: '',
    user,
    expires_at: new Date(now().getTime() + 30 * 24 * hour),
    scopes,
  }
  tables.tokens.push(token)
  return token
}

export function secret(): string {
  return randomBytes(18).toString('hex')
}

function permissionsWithin({ permissions }: Installation, wanted: unknown): Permissions {
  if (wanted === undefined) return permissions
  const asked = Object.entries(wanted as Permissions)
  const granted = asked.every(([name, level]) =>
    [level, 'write'].includes(permissions[name] ?? 'none'),
  )
  if (!granted) {
    throw unprocessable('The permissions requested are not granted to this installation.')
  }
  // Anyone who may do anything at all may know that a repository is there.
  return { metadata: 'read', ...Object.fromEntries(asked) }
}

function repositoriesWithin(
  { tables }: Pick<World, 'tables'>,
  installation: Installation,
  { repositories: names, repository_ids: ids }: Limits,
) {
  const wanted = [...listed(ids), ...listed(names)]
  if (wanted.length === 0) return null
  const found = wanted.map((key) =>
    tables.repositories.find(
      (each) => covers(installation, each) && (each.id === key || each.name === key),
    ),
  )
  const present = found.filter((each) => each !== undefined)
  if (present.length === found.length) return new Set(present)
  throw unprocessable(
    'There is at least one repository that does not exist or is not accessible to the parent ' +
      'installation.',
  )
}

function listed(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}
