import type { Action } from '../action.ts'
import type { Collection } from '../collection.ts'
import type { AnyResource } from '../resource.ts'
import { accessTokenActions } from './access-token.ts'
import { allowance, allowanceActions } from './allowance.ts'
import { auditRecord } from './audit-record.ts'
import { auditRecords, auditRecordsActions } from './audit-records.ts'
import { branch, branchActions } from './branch.ts'
import { branches, branchesActions } from './branches.ts'
import { build } from './build.ts'
import { deliveries, deliveriesActions } from './deliveries.ts'
import { delivery, deliveryActions } from './delivery.ts'
import { installation, installationActions } from './installation.ts'
import { lintActions } from './lint.ts'
import { membership } from './membership.ts'
import { organization, organizationActions } from './organization.ts'
import { organizations, organizationsActions } from './organizations.ts'
import { ownerActions } from './owner.ts'
import { queue } from './queue.ts'
import { queues, queuesActions } from './queues.ts'
import { repository, repositoryActions } from './repository.ts'
import { runner } from './runner.ts'
import { runners, runnersActions } from './runners.ts'
import { token, tokenActions } from './token.ts'
import { tokens, tokensActions } from './tokens.ts'
import { user, userActions } from './user.ts'

/** Every resource of V3, by its type. */
export const registry: Readonly<Record<string, AnyResource>> = {
  allowance,
  audit_record: auditRecord,
  branch,
  build,
  delivery,
  installation,
  membership,
  organization,
  queue,
  repository,
  runner,
  token,
  user,
}

/** Every list of resources, by its type. */
export const collections: Readonly<Record<string, Collection>> = {
  audit_records: auditRecords,
  branches,
  deliveries,
  organizations,
  queues,
  runners,
  tokens,
}

/** Every action of V3. */
export const actions: readonly Action[] = [
  ...accessTokenActions,
  ...allowanceActions,
  ...auditRecordsActions,
  ...branchActions,
  ...branchesActions,
  ...deliveriesActions,
  ...deliveryActions,
  ...installationActions,
  ...lintActions,
  ...organizationActions,
  ...organizationsActions,
  ...ownerActions,
  ...queuesActions,
  ...repositoryActions,
  ...runnersActions,
  ...tokenActions,
  ...tokensActions,
  ...userActions,
]
