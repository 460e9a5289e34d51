import type { Action } from '../action.ts'
import type { Collection } from '../collection.ts'
import type { AnyResource } from '../resource.ts'
import { allowance } from './allowance.ts'
import {
  betaFeature,
  betaFeatureActions,
  betaFeatures,
  betaFeaturesActions,
} from './beta-feature.ts'
import { branch, branchActions } from './branch.ts'
import { branches, branchesActions } from './branches.ts'
import { broadcast, broadcasts, broadcastsActions } from './broadcast.ts'
import { build } from './build.ts'
import { emailSubscriptionActions } from './email-subscription.ts'
import { lintActions } from './lint.ts'
import { membership } from './membership.ts'
import { organization, user } from './owner.ts'
import { preference, preferenceActions } from './preference.ts'
import { preferences, preferencesActions } from './preferences.ts'
import { repositories, repositoriesActions } from './repositories.ts'
import { repository, repositoryActions } from './repository.ts'
import { setting, settingActions } from './setting.ts'
import { settings, settingsActions } from './settings.ts'

/** Every resource of V3, by its type. */
export const registry: Readonly<Record<string, AnyResource>> = {
  allowance,
  beta_feature: betaFeature,
  branch,
  broadcast,
  build,
  membership,
  organization,
  preference,
  repository,
  setting,
  user,
}

/** Every list of resources, by its type. */
export const collections: Readonly<Record<string, Collection>> = {
  beta_features: betaFeatures,
  branches,
  broadcasts,
  preferences,
  repositories,
  settings,
}

/** Every action of V3. */
export const actions: readonly Action[] = [
  ...betaFeatureActions,
  ...betaFeaturesActions,
  ...branchActions,
  ...branchesActions,
  ...broadcastsActions,
  ...emailSubscriptionActions,
  ...lintActions,
  ...preferenceActions,
  ...preferencesActions,
  ...repositoriesActions,
  ...repositoryActions,
  ...settingActions,
  ...settingsActions,
]
