import type { Build } from '../../../domain/build.ts'
import { configAdvice, type ConfigError } from '../../../domain/config-errors.ts'
import { maximumJobs } from '../../../domain/decision.ts'
import { isFinished, type Job } from '../../../domain/job.ts'
import { keysWithoutEffect } from '../../../domain/keys-without-effect.ts'
import { stateClass } from './state-badge.tsx'

const configErrors: Record<ConfigError, string> = {
  parse:
    'The build file cannot be read, so no job could run. The log of the job shows the location.',
  import:
    'Something that the build file imports cannot be used, so no job could run. The log of the job shows which import.',
  fetch: 'The build file could not be fetched from the code host, so no job could run.',
  too_costly: 'The build file takes too much time or memory to read, so no job could run.',
  too_many_jobs: `The build file creates more than ${maximumJobs} jobs, which is the most a build can have.`,
}

interface BuildNoticesProps {
  build: Build
  /** Those that are shown. */
  jobs: readonly Job[]
}

/** What prevents a build from running and what to do about it, and what of its jobs has no effect. */
export function BuildNotices({ build, jobs }: BuildNoticesProps) {
  const { config_error, waits_for_approval } = build
  const ignored = [...new Set(jobs.flatMap(({ config }) => keysWithoutEffect(config)))]
  return (
    <>
      {config_error !== null && (
        <div class={`notice ${stateClass('failed')}`} role="note">
          <strong>{configErrors[config_error]}</strong> {configAdvice[config_error]}
        </div>
      )}
      {waits_for_approval && !isFinished(build) && (
        <div class={`notice ${stateClass('created')}`} role="note">
          <strong>This build waits for approval.</strong> Its commit comes from a fork, so a
          maintainer has to review it first. Whoever can push here approves it with the button of
          the check <code>service/config</code> on the pull request, or with{' '}
          <code>POST /request/{build.request_id}/approve</code> of the API, version 3.
        </div>
      )}
      {ignored.length > 0 && (
        <div class="notice" role="note">
          <strong>Not all of the build file is carried out here.</strong> {ignored.join(' ')}
        </div>
      )}
    </>
  )
}
