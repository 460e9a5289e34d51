import {
  CodehostError,
  type EmailFacts,
  type MembershipFacts,
  type OwnedRepository,
  type UserFacts,
} from '../../codehost/codehost.ts'
import { type InstallationFacts, isOfEnterprise } from '../../domain/installation.ts'
import { putMembership } from '../../store/people/organizations.ts'
import { putRoles } from '../../store/people/permissions.ts'
import { putUser, setEmails } from '../../store/people/users.ts'
import { holdLock } from '../../store/sql/locks.ts'
import { storeInstallation } from '../repositories/store-installation.ts'
import { storeOwner } from '../repositories/store-owner.ts'
import type { SyncedList } from './read-list.ts'
import { storeSeenRepositories } from './store-seen-repositories.ts'
import type { UserSync } from './user-sync.ts'

const confirmNothing = async () => {}

/** Sorts rows to lock, so that all transactions lock several of them in the same order. */
function inOrder<T>(found: readonly T[], numberOf: (each: T) => number): T[] {
  return found.toSorted((a, b) => numberOf(a) - numberOf(b))
}

/** The user's own name and address; refuses the token of another user. */
export function profileList({ listings, as }: UserSync): SyncedList<UserFacts> {
  return {
    name: 'profile',
    read: (asked) => listings.profile(as, asked),
    async store({ db }, [user]) {
      if (user?.codehost_id !== as.codehost_id) {
        const message = 'the token belongs to another user'
        throw new CodehostError(message, { kind: 'refused', badToken: true })
      }
      const { email, ...facts } = user
      // A non-public address comes with the list of addresses.
      const shown = email === null ? {} : { email }
      await putUser(db, { provider: 'codehost', ...facts, ...shown })
      return []
    },
    confirm: confirmNothing,
  }
}

export function emailList({ listings, as, user_id }: UserSync): SyncedList<EmailFacts> {
  return {
    name: 'emails',
    read: (asked) => listings.emails(as, asked),
    async store({ db }, emails) {
      await setEmails(db, user_id, emails)
      return []
    },
    confirm: confirmNothing,
  }
}

/** The user's organizations, by their ids in the database. */
export function membershipList({ listings, as, user_id }: UserSync): SyncedList<MembershipFacts> {
  return {
    name: 'memberships',
    read: (asked) => listings.memberships(as, asked),
    async store({ db }, memberships) {
      const entries = []
      for (const { organization, role } of inOrder(
        memberships,
        (each) => each.organization.codehost_id,
      )) {
        const account = { ...organization, type: 'Organization' as const }
        entries.push({ id: (await storeOwner(db, 'codehost', account)).owner_id, role })
      }
      return entries
    },
    async confirm({ db }, entries) {
      for (const { id: organization_id, role } of entries) {
        await putMembership(db, {
          user_id,
          organization_id,
          role: role === 'admin' ? 'admin' : 'member',
        })
      }
    },
  }
}

/** The installations with repositories that the user sees, by their ids at the code host. */
export function installationList({ listings, as }: UserSync): SyncedList<InstallationFacts> {
  return {
    name: 'installations',
    read: (asked) => listings.installations(as, asked),
    async store(tx, installations, seen_at) {
      const owning = inOrder(
        installations.filter((facts) => !isOfEnterprise(facts)),
        ({ codehost_id }) => codehost_id,
      )
      for (const facts of owning) {
        await holdLock(tx.db, `installation:${facts.codehost_id}`)
        await storeInstallation(tx, facts, { seen_at })
      }
      return owning.map(({ codehost_id }) => ({ id: codehost_id }))
    },
    confirm: confirmNothing,
  }
}

/** An installation's repositories that the user sees, by their ids in the database, with the user's roles. */
export function repositoryList(sync: UserSync, installation: number): SyncedList<OwnedRepository> {
  const { listings, as, user_id } = sync
  return {
    name: `repositories:${installation}`,
    read: (asked) => listings.repositories(as, installation, asked),
    store: (tx, repositories, seen_at) =>
      storeSeenRepositories(tx, { installation, repositories, seen_at }),
    confirm: ({ db }, entries) =>
      putRoles(
        db,
        user_id,
        entries.map(({ id, role }) => ({
          repository_id: id,
          push: role === 'push' || role === 'admin',
          admin: role === 'admin',
        })),
      ),
  }
}
