import {
  CodehostError,
  type EmailFacts,
  type MembershipFacts,
  type OwnedRepository,
  type UserFacts,
} from '../../codehost/codehost.ts'
import { type InstallationFacts, isOfEnterprise } from '../../domain/installation.ts'
import { holdLock } from '../../store/locks.ts'
import { putMembership } from '../../store/organizations.ts'
import { putRoles } from '../../store/permissions.ts'
import { putUser, setEmails } from '../../store/users.ts'
import { storeInstallation } from '../repository/store-installation.ts'
import { storeOwner } from '../repository/store-owner.ts'
import type { SyncedList } from './read-list.ts'
import { storeSeenRepositories } from './store-seen-repositories.ts'
import type { UserSync } from './user-sync.ts'

const confirmNothing = async () => {}

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
      // One that is not public is among the addresses.
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

/** The organizations that the user belongs to, by their ids here. */
export function membershipList({ listings, as, user_id }: UserSync): SyncedList<MembershipFacts> {
  return {
    name: 'memberships',
    read: (asked) => listings.memberships(as, asked),
    async store({ db }, memberships) {
      const entries = []
      for (const { organization, role } of memberships) {
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

/** The installations of which the user sees something, by their numbers at the code host. */
export function installationList({ listings, as }: UserSync): SyncedList<InstallationFacts> {
  return {
    name: 'installations',
    read: (asked) => listings.installations(as, asked),
    async store(tx, installations, seen_at) {
      const owning = installations.filter((facts) => !isOfEnterprise(facts))
      for (const facts of owning) {
        await holdLock(tx.db, `installation:${facts.codehost_id}`)
        await storeInstallation(tx, facts, { seen_at })
      }
      return owning.map(({ codehost_id }) => ({ id: codehost_id }))
    },
    confirm: confirmNothing,
  }
}

/** The repositories of an installation that the user sees, by their ids here, with the user's roles. */
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
