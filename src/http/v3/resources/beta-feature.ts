import { userRights } from '../../../access/owner-rights.ts'
import type { Viewer } from '../../../access/viewer.ts'
import type { User } from '../../../domain/owner.ts'
import { chooseBetaFeature } from '../../../flow/people/preferences.ts'
import { type BetaFeature, betaFeaturesOf } from '../../../store/people/beta-features.ts'
import type { Call, Parent } from '../../core/endpoint.ts'
import { idIn } from '../../core/path-id.ts'
import { actorOf } from '../../identity/actor.ts'
import { settingFlag } from '../../parameters/fields.ts'
import { described, ofType, required } from '../../parameters/parameter.ts'
import { actionsOf, del, get, patch } from '../core/action.ts'
import { collectionOf } from '../core/collection.ts'
import { listSteps } from '../core/page-steps.ts'
import { as } from '../core/presented.ts'
import { resourceOf } from '../core/resource.ts'

interface OwnFeature extends BetaFeature {
  user: User
}

declare module '../core/resource.ts' {
  interface Models {
    beta_feature: OwnFeature
  }
}

const attributes = ['id', 'name', 'description', 'enabled', 'feedback_url'] as const

/** Only its user can see and change it. */
function rights(viewer: Viewer, { user }: { user: User }) {
  const { write } = userRights(viewer, user)
  return { read: write, write }
}

export const betaFeature = resourceOf<OwnFeature>()({
  type: 'beta_feature',
  rights,
  permissions: ['read', 'write'],
  representations: { minimal: attributes, standard: attributes },
})

export const betaFeatures = collectionOf<OwnFeature>()({ type: 'beta_features', of: betaFeature })

/** The user of a path, if that is the caller. */
function callerIn({ viewer: { user }, params }: Call): User | undefined {
  return user && user.id === idIn(params.user) ? user : undefined
}

async function featuresOf({ ctx }: Call, user: User, id?: number): Promise<OwnFeature[]> {
  const features = await betaFeaturesOf(ctx.db, user.id, id)
  return features.map((feature) => ({ ...feature, user }))
}

const theCaller: Parent<User> = {
  type: 'user',
  find: async (call) => callerIn(call),
  rights: userRights,
}

const oneFeature = {
  type: 'beta_feature',
  login: true,
  within: theCaller,
  async find(call: Call, user: User) {
    const id = idIn(call.params.beta_feature)
    return id === undefined ? undefined : (await featuresOf(call, user, id))[0]
  },
  rights: betaFeature.rights,
} as const

const path = '/user/{user.id}/beta_feature/{beta_feature.id}'

export const betaFeatureActions = actionsOf(betaFeature, {
  update: patch(path, {
    ...oneFeature,
    scope: 'settings',
    right: 'write',
    docs: { summary: 'turns a beta feature on or off for the caller; other users are not found' },
    accepts: ofType('beta_feature', {
      enabled: described('whether the feature is on for the caller', required(settingFlag())),
    }),
    async act(call, feature, { 'beta_feature.enabled': enabled }): Promise<OwnFeature> {
      await chooseBetaFeature(call.ctx, actorOf(call), feature, enabled)
      return { ...feature, enabled }
    },
    present: as('standard', betaFeature),
  }),
  // Shows the choice that was removed; if there was none, nothing can be removed.
  delete: del(path, {
    ...oneFeature,
    scope: 'settings',
    right: 'write',
    docs: {
      summary: 'resets the caller’s choice for a beta feature, and shows it; 404 if there is none',
    },
    async find(call: Call, user: User) {
      const feature = await oneFeature.find(call, user)
      return feature?.chosen ? feature : undefined
    },
    async act(call, feature): Promise<OwnFeature> {
      await chooseBetaFeature(call.ctx, actorOf(call), feature, null)
      return feature
    },
    present: as('standard', betaFeature),
  }),
})

export const betaFeaturesActions = actionsOf(betaFeatures, {
  find: get(
    '/user/{user.id}/beta_features',
    listSteps(
      betaFeatures,
      {
        type: 'user',
        login: true,
        async find(call: Call) {
          const user = callerIn(call)
          return user && { user }
        },
        rights,
        right: 'read',
        docs: {
          summary:
            'the beta features of the service, and whether each is on for the caller; other users are not found; not paginated',
        },
      },
      (call, { user }) => featuresOf(call, user),
    ),
  ),
})
