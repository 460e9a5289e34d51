import {
  organizationRights,
  type SeenOrganization,
  userRights,
} from '../../../access/owner-rights.ts'
import type { Provider, User } from '../../../domain/owner.ts'
import { vcsType } from '../../../domain/repository.ts'
import { time } from '../../time.ts'
import { membershipsOfUser } from '../reads.ts'
import { always, each, resourceOf } from '../resource.ts'

declare module '../resource.ts' {
  interface Models {
    user: User
    organization: SeenOrganization
  }
}

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

const later = ['repositories', 'installation'] as const

interface Account {
  provider: Provider
  codehost_id: number | null
}

/** The attributes that users and organizations share; many belong to other editions. */
function shared<T extends Account>(kind: 'User' | 'Organization') {
  return {
    vcs_type: each((account: T) => vcsType(account, kind)),
    vcs_id: each(({ codehost_id }: T) => (codehost_id === null ? null : String(codehost_id))),
    ro_mode: always(false),
    education: always(null),
    allow_migration: always(false),
    custom_keys: always([]),
    trial_allowed: always(false),
    account_env_vars: always([]),
  }
}

const allowance = { to: 'allowance', read: each(({ id }: { id: number }) => ({ id })) } as const

export const user = resourceOf<User>()({
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
  later: [...later, 'emails', 'collaborator'],
  values: {
    ...shared<User>('User'),
    // An address is shown to its owner only.
    email: each(({ id, email }, { viewer }) => (viewer.user?.id === id ? email : null)),
    synced_at: each(({ synced_at }) => time(synced_at)),
    recently_signed_up: each(({ first_logged_in_at: first }, { ctx }) =>
      isUnder(5, first, ctx.now()),
    ),
    secure_user_hash: always(null),
    confirmed_at: always(null),
    internal: always(false),
    last_activity_at: each(({ last_activity_at }) => time(last_activity_at)),
  },
  links: {
    allowance,
    // Memberships are shown to the user only.
    memberships: {
      to: 'membership',
      async read(view, users) {
        const { user } = view.viewer
        const ids = [...(await membershipsOfUser(view, user?.id)).keys()]
        const own = ids.map((organization_id) => ({ organization_id }))
        return users.map(({ id }) => (id === user?.id ? own : []))
      },
    },
  },
})

function isUnder(seconds: number, since: Date | null, now: Date): boolean {
  return since !== null && now.getTime() - since.getTime() < seconds * 1000
}

export const organization = resourceOf<SeenOrganization>()({
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
  later,
  values: shared<SeenOrganization>('Organization'),
  links: { allowance },
})
