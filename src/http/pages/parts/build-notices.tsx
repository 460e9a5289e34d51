import type { Build } from '../../../domain/build.ts'
import { maximumJobs } from '../../../domain/decision.ts'
import { stateClass } from './state-badge.tsx'

const configErrors: Record<NonNullable<Build['config_error']>, string> = {
  parse: 'The build file cannot be read, so no job could run. The log of the job shows the place.',
  import: 'Something that the build file imports cannot be used, so no job could run.',
  fetch: 'The build file could not be fetched from the code host, so no job could run.',
  too_many_jobs: `The build file makes more than ${maximumJobs} jobs, which is the most a build may have.`,
}

const configAdvice: Record<NonNullable<Build['config_error']>, string> = {
  parse: 'Mend the file and push again; check it before with build-service lint.',
  import: 'The log of the job shows which import. Mend it, or take it out, and push again.',
  fetch: 'Push again, or ask the operator when the code host seems to be in order.',
  too_many_jobs: 'Make the matrix smaller, or leave jobs out, and push again.',
}

/** What stands in the way of a build, and what can be done about it. */
export function BuildNotices({ build }: { build: Build }) {
  const { config_error, waits_for_approval } = build
  return (
    <>
      {config_error !== null && (
        <div class={`notice ${stateClass('failed')}`} role="note">
          <strong>{configErrors[config_error]}</strong> {configAdvice[config_error]}
        </div>
      )}
      {waits_for_approval && (
        <div class={`notice ${stateClass('created')}`} role="note">
          <strong>This build waits for approval.</strong> Its commit comes from a fork, so a
          maintainer has to look at it first and approve it. Until then no job runs.
        </div>
      )}
    </>
  )
}
