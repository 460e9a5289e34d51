import type { Action } from '../action.ts'
import type { Collection } from '../collection.ts'
import type { AnyResource } from '../resource.ts'
import { allowance } from './allowance.ts'
import { branch, branchActions } from './branch.ts'
import { branches, branchesActions } from './branches.ts'
import { build } from './build.ts'
import { emailSubscriptionActions } from './email-subscription.ts'
import { lintActions } from './lint.ts'
import { membership } from './membership.ts'
import { organization, user } from './owner.ts'
import { repositories, repositoriesActions } from './repositories.ts'
import { repository, repositoryActions } from './repository.ts'
import { setting, settingActions } from './setting.ts'
import { settings, settingsActions } from './settings.ts'

/** Every resource of V3, by its type. */
export const registry: Readonly<Record<string, AnyResource>> = {
  allowance,
  branch,
  build,
  membership,
  organization,
  repository,
  setting,
  user,
}

/** Every list of resources, by its type. */
export const collections: Readonly<Record<string, Collection>> = {
  branches,
  repositories,
  settings,
}

/** Every action of V3. */
export const actions: readonly Action[] = [
  ...branchActions,
  ...branchesActions,
  ...emailSubscriptionActions,
  ...lintActions,
  ...repositoriesActions,
  ...repositoryActions,
  ...settingActions,
  ...settingsActions,
]
