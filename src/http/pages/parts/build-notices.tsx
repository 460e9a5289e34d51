import type { Build } from '../../../domain/build.ts'
import { grouped } from '../../../domain/grouped.ts'
import type { Job } from '../../../domain/job/job.ts'
import { unmetNotes } from '../../../domain/job/machine.ts'
import type { ConfigError } from '../../../domain/request/config-errors.ts'
import { maximumJobs } from '../../../domain/request/decision.ts'
import { visible } from '../../../domain/text/escape-control-characters.ts'
import { configAdvice } from '../../../texts/config-advice.ts'
import { jobNotes } from '../../views/job-notes.ts'
import { stateClass } from './state-badge.tsx'

const configErrors: Record<ConfigError, string> = {
  parse:
    'The build file cannot be used, so no job could run. The log of the job shows the location.',
  import:
    'An import of the build file cannot be used, so no job could run. The log of the job shows which import.',
  fetch: 'The build file could not be fetched from the code host, so no job could run.',
  too_costly: 'The build file takes too much time or memory to read, so no job could run.',
  too_many_jobs: `The build file creates more than ${maximumJobs} jobs, the maximum for a build.`,
}

interface BuildNoticesProps {
  build: Build
  /** The jobs that are shown. */
  jobs: readonly Job[]
  /** Ids of the jobs whose logs the viewer can read; the shown reasons come from logs. */
  readable?: ReadonlySet<number>
}

/** Problems that prevent a build or its jobs from running, with advice, and the keys without an effect. */
export function BuildNotices({ build, jobs, readable }: BuildNoticesProps) {
  const { config_error } = build
  const notes = [...new Set(jobs.flatMap(jobNotes))]
  const unmet = unmetNotes(jobs.length, jobs)
  const errored = jobs.filter(({ id, state }) => state === 'errored' && readable?.has(id))
  const reasons = grouped(
    errored.filter(({ reason }) => reason !== null),
    ({ reason }) => reason,
  )
  return (
    <>
      {config_error !== null && (
        <div class={`notice ${stateClass('failed')}`} role="note">
          <strong>{configErrors[config_error]}</strong> {configAdvice[config_error]}
        </div>
      )}
      {reasons.size > 0 && (
        <div class={`notice ${stateClass('errored')}`} role="note">
          <strong>Why jobs ended with an error</strong>
          <ul>
            {[...reasons].map(([reason, of]) => (
              <li>
                <bdi>{visible(reason ?? '')}</bdi>{' '}
                <span class="faint">
                  {of.length === 1 ? 'job' : 'jobs'} {listOf(of)}
                </span>
              </li>
            ))}
          </ul>
        </div>
      )}
      {notes.length > 0 && (
        <div class="notice" role="note">
          <strong>
            Some keys in this build file have no effect here
            {readable && unmet.map((note) => `; ${note}`)}.
          </strong>{' '}
          {notes.join(' ')}
        </div>
      )}
    </>
  )
}

/** Most jobs that are named. */
const mostNamed = 10

function listOf(jobs: readonly Job[]): string {
  const more = jobs.length > mostNamed ? ` and ${jobs.length - mostNamed} more` : ''
  return `${jobs
    .slice(0, mostNamed)
    .map(({ number }) => number)
    .join(', ')}${more}`
}
