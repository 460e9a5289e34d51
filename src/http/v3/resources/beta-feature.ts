import { userRights } from '../../../access/owner-rights.ts'
import type { Viewer } from '../../../access/viewer.ts'
import type { User } from '../../../domain/owner.ts'
import { chooseBetaFeature } from '../../../flow/choose-beta-feature.ts'
import { type BetaFeature, betaFeaturesOf } from '../../../store/beta-features.ts'
import { actorOf } from '../../actor.ts'
import type { Call } from '../../endpoint.ts'
import { idIn } from '../../find-record.ts'
import { settingFlag } from '../../parameters/fields.ts'
import { described, ofType, required } from '../../parameters/parameter.ts'
import { actionsOf, del, get, patch } from '../action.ts'
import { collectionOf } from '../collection.ts'
import { listSteps } from '../page-steps.ts'
import { as } from '../presented.ts'
import { resourceOf } from '../resource.ts'

interface OwnFeature extends BetaFeature {
  user: User
}

declare module '../resource.ts' {
  interface Models {
    beta_feature: OwnFeature
  }
}

const attributes = ['id', 'name', 'description', 'enabled', 'feedback_url'] as const

/** As for its user, who alone sees it. */
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

async function featuresIn(call: Call, id?: number): Promise<OwnFeature[]> {
  const user = callerIn(call)
  const features = user ? await betaFeaturesOf(call.ctx.db, user.id, id) : []
  return user ? features.map((feature) => ({ ...feature, user })) : []
}

const oneFeature = {
  type: 'beta_feature',
  login: true,
  async find(call: Call) {
    const id = idIn(call.params.beta_feature)
    return id === undefined ? undefined : (await featuresIn(call, id))[0]
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
  // What was chosen is shown as it was; what was not chosen cannot be removed.
  delete: del(path, {
    ...oneFeature,
    scope: 'settings',
    right: 'write',
    docs: {
      summary:
        'removes what the caller chose for a beta feature, and shows it; where nothing was chosen, nothing is found',
    },
    async find(call: Call) {
      const feature = await oneFeature.find(call)
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
        type: 'beta_features',
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
      (call) => featuresIn(call),
    ),
  ),
})
