import type { Provider, User } from '../domain/owner.ts'
import { visible } from '../domain/visible.ts'
import type { Database } from '../store/tables.ts'
import { usersOfLogin } from '../store/users.ts'
import { UsageError } from './explain.ts'

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
 * The user of that name. A login alone may be that of two people, one at the code host and one of this
 * machine: `local` is then the latter, and any other one has to be said in full.
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
