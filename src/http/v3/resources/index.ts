import type { Action } from '../action.ts'
import type { Collection } from '../collection.ts'
import type { AnyResource } from '../resource.ts'
import { accessTokenActions } from './access-token.ts'
import { active, activeActions } from './active.ts'
import { allowance, allowanceActions } from './allowance.ts'
import { attempt, attempts, attemptsActions } from './attempts.ts'
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
import { buildActions } from './build-actions.ts'
import { build } from './build.ts'
import { builds, buildsActions } from './builds.ts'
import { commit } from './commit.ts'
import { deliveries, deliveriesActions } from './deliveries.ts'
import { delivery, deliveryActions } from './delivery.ts'
import { emailSubscriptionActions } from './email-subscription.ts'
import { installation, installationActions } from './installation.ts'
import { jobActions } from './job-actions.ts'
import { job } from './job.ts'
import { jobs, jobsActions } from './jobs.ts'
import { lintActions } from './lint.ts'
import { logPartsActions } from './log-parts.ts'
import { log, logActions } from './log.ts'
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
import { request } from './request.ts'
import { runner } from './runner.ts'
import { runners, runnersActions } from './runners.ts'
import { setting, settingActions } from './setting.ts'
import { settings, settingsActions } from './settings.ts'
import { stage } from './stage.ts'
import { stages, stagesActions } from './stages.ts'
import { tag } from './tag.ts'
import { token, tokenActions } from './token.ts'
import { tokens, tokensActions } from './tokens.ts'
import { user, userActions } from './user.ts'

/** Every resource of V3, by its type. */
export const registry: Readonly<Record<string, AnyResource>> = {
  allowance,
  attempt,
  audit_record: auditRecord,
  beta_feature: betaFeature,
  branch,
  broadcast,
  build,
  commit,
  delivery,
  installation,
  job,
  log,
  membership,
  organization,
  preference,
  queue,
  repository,
  request,
  runner,
  setting,
  stage,
  tag,
  token,
  user,
}

/** Every list of resources, by its type. */
export const collections: Readonly<Record<string, Collection>> = {
  active,
  attempts,
  audit_records: auditRecords,
  beta_features: betaFeatures,
  branches,
  broadcasts,
  builds,
  deliveries,
  jobs,
  organizations,
  preferences,
  queues,
  repositories,
  runners,
  settings,
  stages,
  tokens,
}

/** Every action of V3. */
export const actions: readonly Action[] = [
  ...accessTokenActions,
  ...activeActions,
  ...allowanceActions,
  ...attemptsActions,
  ...auditRecordsActions,
  ...betaFeatureActions,
  ...betaFeaturesActions,
  ...branchActions,
  ...branchesActions,
  ...broadcastsActions,
  ...buildActions,
  ...buildsActions,
  ...deliveriesActions,
  ...deliveryActions,
  ...emailSubscriptionActions,
  ...installationActions,
  ...jobActions,
  ...jobsActions,
  ...lintActions,
  ...logActions,
  ...logPartsActions,
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
  ...stagesActions,
  ...tokenActions,
  ...tokensActions,
  ...userActions,
]
