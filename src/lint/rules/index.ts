import { cacheOutsideHome } from './cache-outside-home.ts'
import { certificatesNotChecked } from './certificates-not-checked.ts'
import { colonInDefinition } from './colon-in-definition.ts'
import { constantCondition } from './constant-condition.ts'
import { deployedBranchNotBuilt } from './deployed-branch-not-built.ts'
import { deploysDefaultBranch } from './deploys-default-branch.ts'
import { describeWithoutTags } from './describe-without-tags.ts'
import { entryFitsNoJob } from './entry-fits-no-job.ts'
import { envLineSwallows } from './env-line-swallows.ts'
import { envSectionInJob } from './env-section-in-job.ts'
import { envValueCut } from './env-value-cut.ts'
import { envWordAlone } from './env-word-alone.ts'
import { exitEndsJob } from './exit-ends-job.ts'
import { failureSwallowed } from './failure-swallowed.ts'
import { fastFinishAlone } from './fast-finish-alone.ts'
import { fileOfAnotherService } from './file-of-another-service.ts'
import { identicalJobs } from './identical-jobs.ts'
import { ignoredDocument } from './ignored-document.ts'
import { insecureDownload } from './insecure-download.ts'
import { installAsks } from './install-asks.ts'
import { invalidPattern } from './invalid-pattern.ts'
import { joinedCommands } from './joined-commands.ts'
import { keyWithoutEffect } from './key-without-effect.ts'
import { mergeReplacesKey } from './merge-replaces-key.ts'
import { misspellingReplacesKey } from './misspelling-replaces-key.ts'
import { misspeltStage } from './misspelt-stage.ts'
import { noEffectInService } from './no-effect-in-service.ts'
import { noJobs } from './no-jobs.ts'
import { nothingSaid } from './nothing-said.ts'
import { nothingToRun } from './nothing-to-run.ts'
import { notificationNotSent } from './notification-not-sent.ts'
import { onlyStopsTags } from './only-stops-tags.ts'
import { passwordArgument } from './password-argument.ts'
import { patternWithoutSlashes } from './pattern-without-slashes.ts'
import { phaseNeverRuns } from './phase-never-runs.ts'
import { plainSecret } from './plain-secret.ts'
import { printsEnvironment } from './prints-environment.ts'
import { publishOnPullRequest } from './publish-on-pull-request.ts'
import { pullRequestIsNumber } from './pull-request-is-number.ts'
import type { LintRule } from './rule.ts'
import { scriptCannotFail } from './script-cannot-fail.ts'
import { secretMissingInForks } from './secret-missing-in-forks.ts'
import { shellOptionStays } from './shell-option-stays.ts'
import { stageForPullRequests } from './stage-for-pull-requests.ts'
import { tagWithBranch } from './tag-with-branch.ts'
import { testTooLate } from './test-too-late.ts'
import { tokenAsUserName } from './token-as-user-name.ts'
import { tooManyJobs } from './too-many-jobs.ts'
import { tracesSecrets } from './traces-secrets.ts'
import { unknownAlias } from './unknown-alias.ts'
import { unreadableCommand } from './unreadable-command.ts'
import { unreadableSecure } from './unreadable-secure.ts'
import { unusedStage } from './unused-stage.ts'
import { valueChanges } from './value-changes.ts'
import { versionNeverUsed } from './version-never-used.ts'

/** All advice rules, in the order of their codes. */
export const rules: readonly LintRule[] = [
  cacheOutsideHome,
  certificatesNotChecked,
  colonInDefinition,
  constantCondition,
  deployedBranchNotBuilt,
  deploysDefaultBranch,
  describeWithoutTags,
  entryFitsNoJob,
  envLineSwallows,
  envSectionInJob,
  envValueCut,
  envWordAlone,
  exitEndsJob,
  failureSwallowed,
  fastFinishAlone,
  fileOfAnotherService,
  identicalJobs,
  ignoredDocument,
  insecureDownload,
  installAsks,
  invalidPattern,
  joinedCommands,
  keyWithoutEffect,
  mergeReplacesKey,
  misspellingReplacesKey,
  misspeltStage,
  noEffectInService,
  noJobs,
  nothingSaid,
  nothingToRun,
  notificationNotSent,
  onlyStopsTags,
  passwordArgument,
  patternWithoutSlashes,
  phaseNeverRuns,
  plainSecret,
  printsEnvironment,
  publishOnPullRequest,
  pullRequestIsNumber,
  scriptCannotFail,
  secretMissingInForks,
  shellOptionStays,
  stageForPullRequests,
  tagWithBranch,
  testTooLate,
  tokenAsUserName,
  tooManyJobs,
  tracesSecrets,
  unknownAlias,
  unreadableCommand,
  unreadableSecure,
  unusedStage,
  valueChanges,
  versionNeverUsed,
]
