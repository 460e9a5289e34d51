import { administrationRights } from '../../../access/administration.ts'
import { userRights } from '../../../access/owner-rights.ts'
import { permittedUser } from '../../../access/viewer.ts'
import { isOfToken, type User } from '../../../domain/owner.ts'
import { time } from '../../../domain/time/api-time.ts'
import { blockUser } from '../../../flow/people/block-user.ts'
import { refusalOfUserSync, requestUserSync } from '../../../flow/people/request-user-sync.ts'
import { logOut } from '../../../flow/tokens/log-out.ts'
import { emailsOf } from '../../../store/people/users.ts'
import { usersByIds } from '../../../store/repositories/load-by-ids.ts'
import type { Call } from '../../core/endpoint.ts'
import { idIn } from '../../core/path-id.ts'
import { actorOf } from '../../identity/actor.ts'
import { userSync } from '../../identity/rate-limits.ts'
import { actionsOf, get, post } from '../core/action.ts'
import { as } from '../core/presented.ts'
import { always, each, resourceOf } from '../core/resource.ts'
import { ofAccounts, sharedLinks, sharedValues } from '../records/accounts.ts'
import { membershipsOfUser } from '../render/reads.ts'

declare module '../core/resource.ts' {
  interface Models {
    user: User
  }
}

const { representations, includable } = ofAccounts

export const user = resourceOf<User>()({
  type: 'user',
  // The user that a repository's token acts as has no path.
  href: (user) => (isOfToken(user) ? undefined : `/user/${user.id}`),
  rights: userRights,
  permissions: ['read', 'write', 'sync'],
  representations: {
    ...representations,
    standard: [
      ...representations.standard,
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
  includable: [...includable, 'emails', 'collaborator'],
  optional: ['@href'],
  values: {
    ...sharedValues<User>('User'),
    // Addresses are shown only to their owner, and not with a token limited to some repositories.
    email: each((each, { viewer }) => (userRights(viewer, each).write ? each.email : null)),
    async emails({ ctx, viewer }, users) {
      const own = users.find((each) => userRights(viewer, each).write)
      const emails = own ? await emailsOf(ctx.db, own) : []
      return users.map(({ id }) => (id === own?.id ? emails : []))
    },
    synced_at: each(({ synced_at }) => time(synced_at)),
    recently_signed_up: each(({ first_logged_in_at: first }, { ctx }) =>
      isUnder(5, first, ctx.now()),
    ),
    secure_user_hash: always(null),
    confirmed_at: always(null),
    internal: always(false),
    collaborator: always(false),
    last_activity_at: each(({ last_activity_at }) => time(last_activity_at)),
  },
  links: {
    ...sharedLinks<User>('User', (model) => ({ type: 'user', model })),
    // Memberships are shown to the user only.
    memberships: {
      to: 'membership',
      async read(view, users) {
        const { user } = view.viewer
        if (!users.some(({ id }) => id === user?.id)) return users.map(() => [])
        const ids = [...(await membershipsOfUser(view, permittedUser(view.viewer))).keys()]
        const own = ids.map((organization_id) => ({ organization_id }))
        return users.map(({ id }) => (id === user?.id ? own : []))
      },
    },
  },
})

function isUnder(seconds: number, since: Date | null, now: Date): boolean {
  return since !== null && now.getTime() - since.getTime() < seconds * 1000
}

/** The steps shared by endpoints for the caller. */
const caller = {
  type: 'user',
  login: true,
  find: async ({ viewer }: Call) => viewer.user,
  rights: userRights,
  right: 'read',
  present: as('standard', user),
} as const

const oneUser = {
  type: 'user',
  async find({ ctx, params }: Call) {
    return userById(ctx, idIn(params.user))
  },
  rights: userRights,
  present: as('standard', user),
}

/** The steps shared by actions on any user that only administrators can take. */
const ofAdministrator = {
  ...oneUser,
  login: true,
  scope: 'admin',
  rights: administrationRights,
  right: 'write',
} as const

async function withBlock(call: Call, found: User, blocked: boolean): Promise<User> {
  await blockUser(call.ctx, actorOf(call), found, blocked)
  return (await userById(call.ctx, found.id)) ?? found
}

async function userById({ db }: Call['ctx'], id: number | undefined): Promise<User | undefined> {
  const [found] = id === undefined ? [] : await usersByIds(db, [id])
  return found
}

export const userActions = actionsOf(user, {
  current: get('/user', {
    ...caller,
    docs: {
      summary: 'the caller, with email and memberships, which are hidden from everyone else',
    },
  }),

  find: get('/user/{user.id}', {
    ...oneUser,
    right: 'read',
    docs: {
      summary: 'a user by id; `email` is null and `memberships` empty unless you are that user',
    },
  }),

  sync: post('/user/{user.id}/sync', {
    ...oneUser,
    login: true,
    scope: 'settings',
    rate: userSync,
    right: 'sync',
    docs: {
      summary: 'syncs the caller’s repositories with the code host; 30 calls in 10 minutes',
      fails: ['already_syncing'],
    },
    conflict: ({ ctx }, found) => refusalOfUserSync(ctx, found),
    async act(call, found) {
      await requestUserSync(call.ctx, found, actorOf(call))
      return (await userById(call.ctx, found.id)) ?? found
    },
  }),

  block: post('/user/{user.id}/block', {
    ...ofAdministrator,
    docs: {
      summary:
        'rejects a user’s future builds and tokens; administrators cannot be blocked; for administrators of the service',
      fails: ['unprocessable_entity'],
    },
    act: (call, found) => withBlock(call, found, true),
  }),

  unblock: post('/user/{user.id}/unblock', {
    ...ofAdministrator,
    docs: {
      summary:
        'accepts builds and tokens of a blocked user again; for administrators of the service',
    },
    act: (call, found) => withBlock(call, found, false),
  }),

  logout: get('/logout', {
    ...caller,
    acts: true,
    docs: { summary: 'revokes the token of the call, and shows its user' },
    async act(call, found) {
      await logOut(call.ctx, actorOf(call))
      return found
    },
  }),
})
