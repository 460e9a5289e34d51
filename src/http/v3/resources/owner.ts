import {
  organizationRights,
  type SeenOrganization,
  userRights,
} from '../../../access/owner-rights.ts'
import type { Provider, User } from '../../../domain/owner.ts'
import { vcsType } from '../../../domain/repository.ts'
import { membershipsOf } from '../../../store/owners.ts'
import { time } from '../../time.ts'
import { always, type Linked, type Resource, type View } from '../resource.ts'

const minimal = ['id', 'login', 'name', 'vcs_type', 'ro_mode']
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
]

interface Account {
  provider: Provider
  codehost_id: number | null
}

/** What users and organizations show alike; much of it belongs to editions that we are not. */
function shared<T extends Account>(kind: 'User' | 'Organization') {
  return {
    vcs_type: (_view: View, accounts: readonly T[]) =>
      accounts.map((account) => vcsType(account, kind)),
    vcs_id: (_view: View, accounts: readonly T[]) =>
      accounts.map(({ codehost_id }) => (codehost_id === null ? null : String(codehost_id))),
    ro_mode: always(false),
    education: always(null),
    allow_migration: always(false),
    custom_keys: always([]),
    trial_allowed: always(false),
    account_env_vars: always([]),
  }
}

function allowances(_view: View, accounts: readonly { id: number }[]): Linked[] {
  return accounts.map(({ id }) => ({ type: 'allowance', model: { id } }))
}

export const user: Resource<User> = {
  type: 'user',
  href: ({ id }) => `/user/${id}`,
  rights: userRights,
  permissions: ['read', 'write', 'sync'],
  representations: {
    minimal,
    standard: [
      ...standard,
      'email',
      'is_syncing',
      'synced_at',
      'recently_signed_up',
      'secure_user_hash',
      'confirmed_at',
      'internal',
      'last_activity_at',
      'memberships',
    ],
  },
  values: {
    ...shared<User>('User'),
    // An address is shown to nobody but its owner.
    email: ({ viewer }, users) =>
      users.map(({ id, email }) => (viewer.user?.id === id ? email : null)),
    synced_at: (_view, users) => users.map(({ synced_at }) => time(synced_at)),
    recently_signed_up: ({ ctx }, users) =>
      users.map(({ first_logged_in_at: first }) => isUnder(5, first, ctx.now())),
    secure_user_hash: always(null),
    confirmed_at: always(null),
    internal: always(false),
    last_activity_at: (_view, users) => users.map(({ last_activity_at }) => time(last_activity_at)),
  },
  links: {
    allowance: allowances,
    // Where others belong is nobody's business either.
    async memberships({ ctx, viewer }, users) {
      const own = [...(await membershipsOf(ctx.db, viewer.user?.id)).keys()].map(
        (organization_id) => ({ type: 'membership', model: { organization_id } }),
      )
      return users.map(({ id }) => (id === viewer.user?.id ? own : []))
    },
  },
}

function isUnder(seconds: number, since: Date | null, now: Date): boolean {
  return since !== null && now.getTime() - since.getTime() < seconds * 1000
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
  links: { allowance: allowances },
}
