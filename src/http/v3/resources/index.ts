import type { Action } from '../core/action.ts'
import type { Collection } from '../core/collection.ts'
import type { AnyResource, Registry } from '../core/resource.ts'
import { accessTokenActions } from './access-token.ts'
import { accountEnvVar, accountEnvVarActions } from './account-env-var.ts'
import { accountEnvVars, accountEnvVarsActions } from './account-env-vars.ts'
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
import { broadcast } from './broadcast.ts'
import { broadcasts, broadcastsActions } from './broadcasts.ts'
import { buildActions } from './build-actions.ts'
import { build } from './build.ts'
import { builds, buildsActions } from './builds.ts'
import { cache, caches, cachesActions } from './caches.ts'
import { commit } from './commit.ts'
import { cron, cronActions } from './cron.ts'
import { crons, cronsActions } from './crons.ts'
import { deliveries, deliveriesActions } from './deliveries.ts'
import { delivery, deliveryActions } from './delivery.ts'
import { emailSubscriptionActions } from './email-subscription.ts'
import { envVar, envVarActions } from './env-var.ts'
import { envVars, envVarsActions } from './env-vars.ts'
import { explanation, explanationActions } from './explanation.ts'
import { failure, failureActions } from './failure.ts'
import { installation, installationActions } from './installation.ts'
import { jobActions } from './job-actions.ts'
import { job } from './job.ts'
import { jobs, jobsActions } from './jobs.ts'
import { generatedKeyPairActions, keyPair, keyPairActions } from './key-pair.ts'
import { lintActions } from './lint.ts'
import { logPartsActions } from './log-parts.ts'
import { logTimes, logTimesActions } from './log-times.ts'
import { log, logActions } from './log.ts'
import { membership } from './membership.ts'
import { message } from './message.ts'
import { messages, messagesActions } from './messages.ts'
import { notification, notificationActions } from './notification.ts'
import { notifications, notificationsActions } from './notifications.ts'
import { organization, organizationActions } from './organization.ts'
import { organizations, organizationsActions } from './organizations.ts'
import { ownerActions } from './owner.ts'
import { preference, preferenceActions } from './preference.ts'
import { preferences, preferencesActions } from './preferences.ts'
import { queue } from './queue.ts'
import { queues, queuesActions } from './queues.ts'
import { repositories, repositoriesActions } from './repositories.ts'
import { repository, repositoryActions } from './repository.ts'
import { requestPreview, requestPreviewActions } from './request-preview.ts'
import { requestRawConfiguration } from './request-raw-configuration.ts'
import { request, requestActions } from './request.ts'
import { requests, requestsActions } from './requests.ts'
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
export const registry: Registry = {
  account_env_var: accountEnvVar,
  allowance,
  attempt,
  audit_record: auditRecord,
  beta_feature: betaFeature,
  branch,
  broadcast,
  build,
  cache,
  commit,
  cron,
  delivery,
  env_var: envVar,
  explanation,
  failure,
  installation,
  job,
  key_pair: keyPair,
  log,
  log_times: logTimes,
  membership,
  message,
  notification,
  organization,
  preference,
  queue,
  repository,
  request,
  request_preview: requestPreview,
  request_raw_configuration: requestRawConfiguration,
  runner,
  setting,
  stage,
  tag,
  token,
  user,
}

/** Resources with further actions that the home document lists under another name. */
export const alsoListed: Readonly<Record<string, AnyResource>> = { key_pair_generated: keyPair }

/** Every list of resources, by its type. */
export const collections: Readonly<Record<string, Collection>> = {
  account_env_vars: accountEnvVars,
  active,
  attempts,
  audit_records: auditRecords,
  beta_features: betaFeatures,
  branches,
  broadcasts,
  builds,
  caches,
  crons,
  deliveries,
  env_vars: envVars,
  jobs,
  messages,
  notifications,
  organizations,
  preferences,
  queues,
  repositories,
  requests,
  runners,
  settings,
  stages,
  tokens,
}

/** Every action of V3. */
export const actions: readonly Action[] = [
  ...accessTokenActions,
  ...accountEnvVarActions,
  ...accountEnvVarsActions,
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
  ...cachesActions,
  ...cronActions,
  ...cronsActions,
  ...deliveriesActions,
  ...deliveryActions,
  ...emailSubscriptionActions,
  ...envVarActions,
  ...envVarsActions,
  ...explanationActions,
  ...failureActions,
  ...generatedKeyPairActions,
  ...installationActions,
  ...jobActions,
  ...jobsActions,
  ...keyPairActions,
  ...lintActions,
  ...logActions,
  ...logTimesActions,
  ...logPartsActions,
  ...messagesActions,
  ...notificationActions,
  ...notificationsActions,
  ...organizationActions,
  ...organizationsActions,
  ...ownerActions,
  ...preferenceActions,
  ...preferencesActions,
  ...queuesActions,
  ...repositoriesActions,
  ...repositoryActions,
  ...requestActions,
  ...requestPreviewActions,
  ...requestsActions,
  ...runnersActions,
  ...settingActions,
  ...settingsActions,
  ...stagesActions,
  ...tokenActions,
  ...tokensActions,
  ...userActions,
]
