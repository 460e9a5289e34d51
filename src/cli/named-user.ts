import type { Provider, User } from '../domain/owner.ts'
import { visible } from '../domain/text/escape-control-characters.ts'
import { usersOfLogin } from '../store/people/users.ts'
import type { Database } from '../store/tables.ts'
import { UsageError } from './errors.ts'

/** A user as commands name them: `codehost:octavia`, or a login alone. */
export interface NamedUser {
  provider: Provider | undefined
  login: string
}

export function readName(text: string): NamedUser {
  const [, provider = '', login = text] = /^(codehost|github|local):(.+)$/i.exec(text) ?? []
  if (provider === '') return { provider: undefined, login }
  return { provider: provider.toLowerCase() === 'local' ? 'local' : 'codehost', login }
}

/**
 * The user with this name. A login can belong to two people, one at the code host and one on this machine:
 * `local` always means the user of this machine, and other ambiguous names must be given in full.
 */
export async function findNamedUser(
  db: Database,
  { provider, login }: NamedUser,
): Promise<User | undefined> {
  const users = await usersOfLogin(db, login)
  const wanted = provider ?? (login.toLowerCase() === 'local' ? 'local' : undefined)
  const found = users.filter((user) => wanted === undefined || user.provider === wanted)
  if (new Set(found.map((user) => user.provider)).size > 1) {
    const name = visible(login)
    throw new UsageError(`there are two users ${name}: say codehost:${name} or local:${name}`)
  }
  return found[0] ?? (provider === undefined ? users[0] : undefined)
}
