import type { Action } from '../action.ts'
import type { Collection } from '../collection.ts'
import type { AnyResource } from '../resource.ts'
import { active, activeActions } from './active.ts'
import { allowance } from './allowance.ts'
import { attempt, attempts, attemptsActions } from './attempts.ts'
import { branch, branchActions } from './branch.ts'
import { branches, branchesActions } from './branches.ts'
import { build } from './build.ts'
import { buildActions } from './build-actions.ts'
import { builds, buildsActions } from './builds.ts'
import { commit } from './commit.ts'
import { job } from './job.ts'
import { jobActions } from './job-actions.ts'
import { jobs, jobsActions } from './jobs.ts'
import { lintActions } from './lint.ts'
import { log, logActions } from './log.ts'
import { logPartsActions } from './log-parts.ts'
import { membership } from './membership.ts'
import { organization, user } from './owner.ts'
import { repository, repositoryActions } from './repository.ts'
import { request } from './request.ts'
import { stage } from './stage.ts'
import { stages, stagesActions } from './stages.ts'
import { tag } from './tag.ts'

/** Every resource of V3, by its type. */
export const registry: Readonly<Record<string, AnyResource>> = {
  allowance,
  attempt,
  branch,
  build,
  commit,
  job,
  log,
  membership,
  organization,
  repository,
  request,
  stage,
  tag,
  user,
}

/** Every list of resources, by its type. */
export const collections: Readonly<Record<string, Collection>> = {
  active,
  attempts,
  branches,
  builds,
  jobs,
  stages,
}

/** Every action of V3. */
export const actions: readonly Action[] = [
  ...activeActions,
  ...attemptsActions,
  ...branchActions,
  ...branchesActions,
  ...buildActions,
  ...buildsActions,
  ...jobActions,
  ...jobsActions,
  ...lintActions,
  ...logActions,
  ...logPartsActions,
  ...repositoryActions,
  ...stagesActions,
]
