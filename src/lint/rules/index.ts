import { cacheOutsideHome } from './cache-outside-home.ts'
import { constantCondition } from './constant-condition.ts'
import { deployedBranchNotBuilt } from './deployed-branch-not-built.ts'
import { entryFitsNoJob } from './entry-fits-no-job.ts'
import { envLineSwallows } from './env-line-swallows.ts'
import { envSectionInJob } from './env-section-in-job.ts'
import { failureSwallowed } from './failure-swallowed.ts'
import { fastFinishAlone } from './fast-finish-alone.ts'
import { fileOfAnotherService } from './file-of-another-service.ts'
import { identicalJobs } from './identical-jobs.ts'
import { ignoredDocument } from './ignored-document.ts'
import { insecureDownload } from './insecure-download.ts'
import { invalidPattern } from './invalid-pattern.ts'
import { joinedCommands } from './joined-commands.ts'
import { keyWithoutEffect } from './key-without-effect.ts'
import { mergeReplacesKey } from './merge-replaces-key.ts'
import { nothingSaid } from './nothing-said.ts'
import { nothingToRun } from './nothing-to-run.ts'
import { onlyStopsTags } from './only-stops-tags.ts'
import { patternWithoutSlashes } from './pattern-without-slashes.ts'
import { phaseNeverRuns } from './phase-never-runs.ts'
import { plainSecret } from './plain-secret.ts'
import { publishOnPullRequest } from './publish-on-pull-request.ts'
import { scriptCannotFail } from './script-cannot-fail.ts'
import { tooManyJobs } from './too-many-jobs.ts'
import { unknownAlias } from './unknown-alias.ts'
import { unreadableSecure } from './unreadable-secure.ts'
import { unusedStage } from './unused-stage.ts'
import { valueChanges } from './value-changes.ts'
import { versionNeverUsed } from './version-never-used.ts'
import type { Rule } from './rule.ts'

/** All advice rules, in the order of their codes. */
export const rules: readonly Rule[] = [
  cacheOutsideHome,
  constantCondition,
  deployedBranchNotBuilt,
  entryFitsNoJob,
  envLineSwallows,
  envSectionInJob,
  failureSwallowed,
  fastFinishAlone,
  fileOfAnotherService,
  identicalJobs,
  ignoredDocument,
  insecureDownload,
  invalidPattern,
  joinedCommands,
  keyWithoutEffect,
  mergeReplacesKey,
  nothingSaid,
  nothingToRun,
  onlyStopsTags,
  patternWithoutSlashes,
  phaseNeverRuns,
  plainSecret,
  publishOnPullRequest,
  scriptCannotFail,
  tooManyJobs,
  unknownAlias,
  unreadableSecure,
  unusedStage,
  valueChanges,
  versionNeverUsed,
]
