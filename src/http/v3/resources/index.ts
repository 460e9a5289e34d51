import type { Action } from '../action.ts'
import type { Collection } from '../collection.ts'
import type { AnyResource } from '../resource.ts'
import { allowance } from './allowance.ts'
import { branch, branchActions } from './branch.ts'
import { branches, branchesActions } from './branches.ts'
import { build } from './build.ts'
import { cache, caches, cachesActions } from './caches.ts'
import { commit } from './commit.ts'
import { cron, cronActions } from './cron.ts'
import { crons, cronsActions } from './crons.ts'
import { envVar, envVarActions } from './env-var.ts'
import { envVars, envVarsActions } from './env-vars.ts'
import { generatedKeyPairActions, keyPair, keyPairActions } from './key-pair.ts'
import { explanation, explanationActions } from './explanation.ts'
import { lintActions } from './lint.ts'
import { membership } from './membership.ts'
import { message } from './message.ts'
import { messages, messagesActions } from './messages.ts'
import { organization, user } from './owner.ts'
import { repository, repositoryActions } from './repository.ts'
import { request, requestActions } from './request.ts'
import { requestPreview, requestPreviewActions } from './request-preview.ts'
import { requestRawConfiguration } from './request-raw-configuration.ts'
import { requests, requestsActions } from './requests.ts'

/** Every resource of V3, by its type. */
export const registry: Readonly<Record<string, AnyResource>> = {
  allowance,
  branch,
  build,
  cache,
  commit,
  cron,
  env_var: envVar,
  explanation,
  key_pair: keyPair,
  membership,
  message,
  organization,
  repository,
  request,
  request_preview: requestPreview,
  request_raw_configuration: requestRawConfiguration,
  user,
}

/** Resources of which the home document lists further actions under another name. */
export const alsoListed: Readonly<Record<string, AnyResource>> = { key_pair_generated: keyPair }

/** Every list of resources, by its type. */
export const collections: Readonly<Record<string, Collection>> = {
  branches,
  caches,
  crons,
  env_vars: envVars,
  messages,
  requests,
}

/** Every action of V3. */
export const actions: readonly Action[] = [
  ...branchActions,
  ...branchesActions,
  ...cachesActions,
  ...cronActions,
  ...cronsActions,
  ...envVarActions,
  ...envVarsActions,
  ...explanationActions,
  ...generatedKeyPairActions,
  ...keyPairActions,
  ...lintActions,
  ...messagesActions,
  ...repositoryActions,
  ...requestActions,
  ...requestPreviewActions,
  ...requestsActions,
]
