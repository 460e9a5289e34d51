import {
  organizationRights,
  type SeenOrganization,
  userRights,
} from '../../../access/owner-rights.ts'
import type { Provider, User } from '../../../domain/owner.ts'
import { vcsType } from '../../../domain/repository.ts'
import { time } from '../../time.ts'
import type { Resource, View } from '../resource.ts'

const minimal = ['id', 'login', 'name', 'vcs_type', 'ro_mode']
const standard = [
  ...minimal,
  'codehost_id',
  'vcs_id',
  'avatar_url',
  'education',
  'allow_migration',
  'custom_keys',
  'trial_allowed',
  'account_env_vars',
]

interface Account {
  provider: Provider
  codehost_id: number | null
}

/** What users and organizations show alike; much of it belongs to editions that we are not. */
function shared<T extends Account>(kind: 'User' | 'Organization') {
  const same = (value: unknown) => (_view: View, accounts: readonly T[]) =>
    accounts.map(() => value)
  return {
    vcs_type: (_view: View, accounts: readonly T[]) =>
      accounts.map((account) => vcsType(account, kind)),
    vcs_id: (_view: View, accounts: readonly T[]) =>
      accounts.map(({ codehost_id }) => (codehost_id === null ? null : String(codehost_id))),
    ro_mode: same(false),
    education: same(null),
    allow_migration: same(false),
    custom_keys: same([]),
    trial_allowed: same(false),
    account_env_vars: same([]),
  }
}

export const user: Resource<User> = {
  type: 'user',
  href: ({ id }) => `/user/${id}`,
  rights: userRights,
  permissions: ['read', 'write', 'sync'],
  representations: {
    minimal,
    standard: [...standard, 'email', 'is_syncing', 'synced_at', 'last_activity_at'],
  },
  values: {
    ...shared<User>('User'),
    // An address is shown to nobody but its owner.
    email: ({ viewer }, users) =>
      users.map(({ id, email }) => (viewer.user?.id === id ? email : null)),
    synced_at: (_view, users) => users.map(({ synced_at }) => time(synced_at)),
    last_activity_at: (_view, users) => users.map(({ last_activity_at }) => time(last_activity_at)),
  },
}

export const organization: Resource<SeenOrganization> = {
  type: 'organization',
  href: ({ id }) => `/org/${id}`,
  rights: organizationRights,
  permissions: [
    'read',
    'write',
    'sync',
    'admin',
    'settings_create',
    'settings_delete',
    'plan_view',
    'plan_create',
    'plan_usage',
    'plan_invoices',
    'billing_view',
    'billing_update',
  ],
  representations: { minimal, standard },
  values: shared<SeenOrganization>('Organization'),
}
