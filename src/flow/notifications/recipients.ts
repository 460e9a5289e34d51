import { ownersOfAddresses } from '../../store/notifications/mail-addresses.ts'
import type { Database } from '../../store/tables.ts'
import type { BuildFacts } from './build-facts.ts'

export interface Recipient {
  address: string
  /** The user to whom the address belongs; null if unknown. */
  user_id: number | null
}

/**
 * The recipients of a target's mail: the address that it names, or else the author and committer, if they
 * have a role on the repository (NT-30). Users who declined mails get none (NT-31), nor do blocked users.
 */
export async function recipientsOf(
  db: Database,
  { repository, commit }: Pick<BuildFacts, 'repository' | 'commit'>,
  named: string | null,
): Promise<Recipient[]> {
  const given = named === null ? [commit.author_email, commit.committer_email] : [named]
  const addresses = unique(given.filter((address) => address !== null).filter(isMailable))
  const owners = await ownersOfAddresses(db, repository.id, addresses)
  return addresses.flatMap((address): Recipient[] => {
    const own = owners.filter(({ email }) => email === address.toLowerCase())
    if (own.some(({ declines }) => declines)) return []
    const member = own.find(({ has_role }) => has_role)
    // A user whom the file names can unsubscribe as well, even without a role.
    const [owner = null] = member ? [member] : own
    return member || named !== null ? [{ address, user_id: owner && owner.user_id }] : []
  })
}

/** Whether the owner of an address wants no mail about builds of a repository. */
export async function isDeclined(
  db: Database,
  repositoryId: number,
  address: string,
): Promise<boolean> {
  const owners = await ownersOfAddresses(db, repositoryId, [address])
  return owners.some(({ declines }) => declines)
}

/** Whether mail to this address can arrive. */
export function isMailable(address: string): boolean {
  return (
    /^[^\s@<>,;:"()[\]\\]+@[^\s@<>,;:"()[\]\\]+\.[^\s@<>,;:"()[\]\\.]+$/.test(address) &&
    !/\.local$/i.test(address)
  )
}

/** Removes addresses that differ only in case from another one. */
function unique(addresses: readonly string[]): string[] {
  return [...new Map(addresses.map((each) => [each.toLowerCase(), each])).values()]
}
