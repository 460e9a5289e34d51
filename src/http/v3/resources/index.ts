import type { Action } from '../action.ts'
import type { Collection } from '../collection.ts'
import type { AnyResource } from '../resource.ts'
import { accessTokenActions } from './access-token.ts'
import { allowance, allowanceActions } from './allowance.ts'
import { auditRecord } from './audit-record.ts'
import { auditRecords, auditRecordsActions } from './audit-records.ts'
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
import { deliveries, deliveriesActions } from './deliveries.ts'
import { delivery, deliveryActions } from './delivery.ts'
import { emailSubscriptionActions } from './email-subscription.ts'
import { installation, installationActions } from './installation.ts'
import { lintActions } from './lint.ts'
import { membership } from './membership.ts'
import { organization, organizationActions } from './organization.ts'
import { organizations, organizationsActions } from './organizations.ts'
import { ownerActions } from './owner.ts'
import { preference, preferenceActions } from './preference.ts'
import { preferences, preferencesActions } from './preferences.ts'
import { queue } from './queue.ts'
import { queues, queuesActions } from './queues.ts'
import { repositories, repositoriesActions } from './repositories.ts'
import { repository, repositoryActions } from './repository.ts'
import { runner } from './runner.ts'
import { runners, runnersActions } from './runners.ts'
import { setting, settingActions } from './setting.ts'
import { settings, settingsActions } from './settings.ts'
import { token, tokenActions } from './token.ts'
import { tokens, tokensActions } from './tokens.ts'
import { user, userActions } from './user.ts'

/** Every resource of V3, by its type. */
export const registry: Readonly<Record<string, AnyResource>> = {
  allowance,
  audit_record: auditRecord,
  beta_feature: betaFeature,
  branch,
  broadcast,
  build,
  delivery,
  installation,
  membership,
  organization,
  preference,
  queue,
  repository,
  runner,
  setting,
  token,
  user,
}

/** Every list of resources, by its type. */
export const collections: Readonly<Record<string, Collection>> = {
  audit_records: auditRecords,
  beta_features: betaFeatures,
  branches,
  broadcasts,
  deliveries,
  organizations,
  preferences,
  queues,
  repositories,
  runners,
  settings,
  tokens,
}

/** Every action of V3. */
export const actions: readonly Action[] = [
  ...accessTokenActions,
  ...allowanceActions,
  ...auditRecordsActions,
  ...betaFeatureActions,
  ...betaFeaturesActions,
  ...branchActions,
  ...branchesActions,
  ...broadcastsActions,
  ...deliveriesActions,
  ...deliveryActions,
  ...emailSubscriptionActions,
  ...installationActions,
  ...lintActions,
  ...organizationActions,
  ...organizationsActions,
  ...ownerActions,
  ...preferenceActions,
  ...preferencesActions,
  ...queuesActions,
  ...repositoriesActions,
  ...repositoryActions,
  ...runnersActions,
  ...settingActions,
  ...settingsActions,
  ...tokenActions,
  ...tokensActions,
  ...userActions,
]
