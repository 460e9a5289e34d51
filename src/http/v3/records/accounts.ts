import { listViewer, permittedUser } from '../../../access/viewer.ts'
import type { OwnerRef, OwnerType, Provider } from '../../../domain/owner.ts'
import { type Repository, type Seen, vcsType } from '../../../domain/repository.ts'
import {
  installationsOfOwners,
  type OwnedInstallation,
} from '../../../store/installations/seen-installations.ts'
import { ownerRefOf, type SeenOwner } from '../../../store/people/seen-owners.ts'
import { repositoriesOfOwners } from '../../../store/repositories/listed-repositories.ts'
import { envVarsOfOwners } from '../../../store/secrets/env-vars.ts'
import { always, each, type Models, type View } from '../core/resource.ts'
import { loader } from '../render/loader.ts'
import { expectRoom, recordsLeft } from '../render/response-budget.ts'
import { ownerRights } from './one-owner.ts'

const minimal = ['id', 'login', 'name', 'vcs_type', 'ro_mode'] as const
const standard = [
  ...minimal,
  'codehost_id',
  'vcs_id',
  'avatar_url',
  'education',
  'allow_migration',
  'allowance',
  'custom_keys',
  'trial_allowed',
  'account_env_vars',
] as const

/** The names of the attributes that users and organizations share. */
export const ofAccounts = {
  representations: { minimal, standard },
  includable: ['repositories', 'installation'],
} as const

interface Account {
  id: number
  provider: Provider
  codehost_id: number | null
}

/** The attributes that users and organizations share; many belong to other editions. */
export function sharedValues<T extends Account>(kind: OwnerType) {
  return {
    vcs_type: each((account: T) => vcsType(account, kind)),
    vcs_id: each(({ codehost_id }: T) => (codehost_id === null ? null : String(codehost_id))),
    ro_mode: always(false),
    education: always(null),
    allow_migration: always(false),
    custom_keys: always([]),
    trial_allowed: always(false),
  }
}

const keyOf = ({ owner_type, owner_id }: OwnerRef) => `${owner_type} ${owner_id}`

const variablesOf = loader<SeenOwner, Models['account_env_var'][]>(
  (owner) => keyOf(ownerRefOf(owner)),
  async ({ ctx, viewer }, owners) => {
    // Variables are shown only to users who can change them.
    const own = owners.filter((owner) => ownerRights(viewer, owner).write)
    const found = await envVarsOfOwners(ctx.db, own.map(ownerRefOf))
    return owners.map((owner) =>
      (found[own.indexOf(owner)] ?? []).map((variable) => ({ ...variable, owner })),
    )
  },
)

const installationOf = loader<OwnerRef, OwnedInstallation | null>(
  keyOf,
  ({ ctx, viewer }, owners) => installationsOfOwners(ctx.db, owners, permittedUser(viewer)),
)

const repositoriesOf = loader<OwnerRef, Seen<Repository>[]>(keyOf, async (view, owners) => {
  const { ctx, viewer, call } = view
  const most = recordsLeft(call) + 1
  const found = await repositoriesOfOwners(ctx.db, owners, listViewer(viewer), most)
  expectRoom(call, found.flat().length)
  return found
})

/** The links that users and organizations share. `seen` wraps an account in a type that tells them apart. */
export function sharedLinks<T extends Account>(
  owner_type: OwnerType,
  seen: (account: T) => SeenOwner,
) {
  const refs = (accounts: readonly T[]): OwnerRef[] =>
    accounts.map(({ id }) => ({ owner_type, owner_id: id }))
  return {
    account_env_vars: {
      to: 'account_env_var',
      read: (view: View, accounts: readonly T[]) => variablesOf(view, accounts.map(seen)),
    },
    allowance: { to: 'allowance', read: each(({ id }: T) => ({ id })) },
    installation: {
      to: 'installation',
      read: (view: View, accounts: readonly T[]) => installationOf(view, refs(accounts)),
    },
    repositories: {
      to: 'repository',
      read: (view: View, accounts: readonly T[]) => repositoriesOf(view, refs(accounts)),
    },
  } as const
}
