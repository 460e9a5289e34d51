import type { Build } from '../../../domain/build.ts'
import { configAdvice, type ConfigError } from '../../../domain/request/config-errors.ts'
import { maximumJobs } from '../../../domain/request/decision.ts'
import type { Job } from '../../../domain/job/job.ts'
import { keysWithoutEffect } from '../../../domain/request/keys-without-effect.ts'
import { versionNote } from '../../version-note.ts'
import { stateClass } from './state-badge.tsx'

const configErrors: Record<ConfigError, string> = {
  parse:
    'The build file cannot be used, so no job could run. The log of the job shows the location.',
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
  const { config_error } = build
  const ignored = jobs.flatMap(({ config }) => keysWithoutEffect(config))
  const notes = [...new Set([...ignored, ...jobs.flatMap((job) => versionNote(job) ?? [])])]
  return (
    <>
      {config_error !== null && (
        <div class={`notice ${stateClass('failed')}`} role="note">
          <strong>{configErrors[config_error]}</strong> {configAdvice[config_error]}
        </div>
      )}
      {notes.length > 0 && (
        <div class="notice" role="note">
          <strong>Not all of the build file is carried out here.</strong> {notes.join(' ')}
        </div>
      )}
    </>
  )
}
