import { type Build, isRestartable } from '../../domain/build.ts'
import { type ServiceError, stateConflict, unrestartable } from '../../domain/errors.ts'
import { isFinished, type Job } from '../../domain/job/job.ts'

/** Why jobs of a build are not restarted. */
export function refusedBuildRestart(build: Build): ServiceError {
  if (!isFinished(build)) return stateConflict('build_already_running', build)
  return unrestartable(
    isRestartable(build)
      ? 'every job of this build has passed, so that none is left to be restarted'
      : 'the build file of this build cannot be used, so that it cannot be restarted',
  )
}

/** Why a job is not restarted. */
export function refusedJobRestart(job: Job): ServiceError {
  if (!isFinished(job)) return stateConflict('job_already_running', job)
  return unrestartable(
    'the build file of its build cannot be used, so that this job cannot be restarted',
  )
}
