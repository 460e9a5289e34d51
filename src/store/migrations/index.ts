import type { Migration } from '../migrate.ts'
import { schema } from './001-schema.ts'
import { importErrors } from './002-import-errors.ts'
import { faults } from './003-faults.ts'
import { keyFingerprint } from './004-key-fingerprint.ts'
import { costlyBuildFiles } from './005-costly-build-files.ts'
import { codehostWaits } from './006-codehost-waits.ts'
import { deliveriesAndSlugs } from './007-deliveries-and-slugs.ts'
import { orderOfPullRequests } from './008-order-of-pull-requests.ts'
import { listsAndFeatures } from './009-lists-and-features.ts'
import { limitedTokens } from './010-limited-tokens.ts'
import { requestsAndCrons } from './011-requests-and-crons.ts'
import { indexesOfLists } from './012-indexes-of-lists.ts'
import { buildsOfSenders } from './013-builds-of-senders.ts'
import { sessions } from './014-sessions.ts'
import { userSyncs } from './015-user-syncs.ts'
import { notifications } from './017-notifications.ts'
import { catchUpAndApp } from './018-catch-up-and-app.ts'
import { ordersAndFiltersOfLists } from './022-orders-and-filters-of-lists.ts'
import { linkedTokens } from './023-linked-tokens.ts'
import { commitsOfDeliveries } from './024-commits-of-deliveries.ts'
import { noticesOfEnds } from './025-notices-of-ends.ts'
import { foundVersions } from './026-found-versions.ts'
import { buildsOfHiddenRequests } from './027-builds-of-hidden-requests.ts'
import { orderOfConfigs } from './028-order-of-configs.ts'
import { packedBodies } from './029-packed-bodies.ts'
import { indexesOfCounts } from './030-indexes-of-counts.ts'
import { variablesOfRequests } from './031-variables-of-requests.ts'
import { variablesOfOwners } from './032-variables-of-owners.ts'
import { keysOfLogins } from './033-keys-of-logins.ts'
import { tokensAndRightsOfUsers } from './034-tokens-and-rights-of-users.ts'
import { repeatedAndLatePushes } from './035-repeated-and-late-pushes.ts'
import { keyOfBodyHashes } from './036-key-of-body-hashes.ts'
import { fewerIndexesOfJobs } from './037-fewer-indexes-of-jobs.ts'
import { forksByIds } from './039-forks-by-ids.ts'
import { seenTagsAndPausedCrons } from './040-seen-tags-and-paused-crons.ts'
import { statusesOfCommits } from './041-statuses-of-commits.ts'

/** All migrations in their order. What has landed is never changed: add the next one. */
export const migrations: readonly Migration[] = [
  schema,
  importErrors,
  faults,
  keyFingerprint,
  costlyBuildFiles,
  codehostWaits,
  deliveriesAndSlugs,
  orderOfPullRequests,
  listsAndFeatures,
  limitedTokens,
  requestsAndCrons,
  indexesOfLists,
  buildsOfSenders,
  sessions,
  userSyncs,
  notifications,
  catchUpAndApp,
  ordersAndFiltersOfLists,
  linkedTokens,
  commitsOfDeliveries,
  noticesOfEnds,
  foundVersions,
  buildsOfHiddenRequests,
  orderOfConfigs,
  packedBodies,
  indexesOfCounts,
  variablesOfRequests,
  variablesOfOwners,
  keysOfLogins,
  tokensAndRightsOfUsers,
  repeatedAndLatePushes,
  keyOfBodyHashes,
  fewerIndexesOfJobs,
  forksByIds,
  seenTagsAndPausedCrons,
  statusesOfCommits,
]
