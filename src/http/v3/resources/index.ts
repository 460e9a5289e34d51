import type { Action } from '../action.ts'
import type { Collection } from '../collection.ts'
import type { AnyResource } from '../resource.ts'
import { accessTokenActions } from './access-token.ts'
import { allowance, allowanceActions } from './allowance.ts'
import { branch, branchActions } from './branch.ts'
import { branches, branchesActions } from './branches.ts'
import { build } from './build.ts'
import { installation, installationActions } from './installation.ts'
import { lintActions } from './lint.ts'
import { membership } from './membership.ts'
import { organization, organizationActions } from './organization.ts'
import { organizations, organizationsActions } from './organizations.ts'
import { ownerActions } from './owner.ts'
import { repository, repositoryActions } from './repository.ts'
import { token, tokenActions } from './token.ts'
import { tokens, tokensActions } from './tokens.ts'
import { user, userActions } from './user.ts'

/** Every resource of V3, by its type. */
export const registry: Readonly<Record<string, AnyResource>> = {
  allowance,
  branch,
  build,
  installation,
  membership,
  organization,
  repository,
  token,
  user,
}

/** Every list of resources, by its type. */
export const collections: Readonly<Record<string, Collection>> = { branches, organizations, tokens }

/** Every action of V3. */
export const actions: readonly Action[] = [
  ...accessTokenActions,
  ...allowanceActions,
  ...branchActions,
  ...branchesActions,
  ...installationActions,
  ...lintActions,
  ...organizationActions,
  ...organizationsActions,
  ...ownerActions,
  ...repositoryActions,
  ...tokenActions,
  ...tokensActions,
  ...userActions,
]
