import type { Build } from '../../../domain/build.ts'
import { maximumJobs } from '../../../domain/decision.ts'
import { stateClass } from './state-badge.tsx'

const configErrors: Record<NonNullable<Build['config_error']>, string> = {
  parse:
    'The build file cannot be read, so no job could run. The log of the job shows the location.',
  import: 'Something that the build file imports cannot be used, so no job could run.',
  fetch: 'The build file could not be fetched from the code host, so no job could run.',
  too_costly: 'The build file takes too much time or memory to read, so no job could run.',
  too_many_jobs: `The build file creates more than ${maximumJobs} jobs, which is the most a build can have.`,
}

const configAdvice: Record<NonNullable<Build['config_error']>, string> = {
  parse: 'Fix the file and push again; check it first with build-service lint.',
  import: 'The log of the job shows which import. Fix or remove it, and push again.',
  fetch:
    'Nothing is wrong with the file itself. Push again; if the code host seems to work, ask the operator.',
  too_costly: 'Make the file shorter, or its lists and its matrix smaller, and push again.',
  too_many_jobs: 'Make the matrix smaller, or exclude jobs, and push again.',
}

/** What prevents a build from running, and what to do about it. */
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
          maintainer has to review it first. Approvals cannot be given here yet: a maintainer who
          has reviewed the commit can push it to a branch of this repository, where it is built.
        </div>
      )}
    </>
  )
}
