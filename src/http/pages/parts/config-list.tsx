import type { Job } from '../../../domain/job/job.ts'
import { configSummary } from './config-summary.ts'

interface ConfigListProps {
  job: Job
  /** Whether the build is of a fork's pull request. */
  fromFork: boolean
}

/** What a job runs with, in one line; nothing if its config says nothing. */
export function ConfigList({ job, fromFork }: ConfigListProps) {
  const entries = configSummary(job, fromFork)
  if (entries.length === 0) return null
  return (
    <ul class="config" aria-label="Runs with">
      {entries.map(({ name, value }) => (
        <li>
          <span class="faint">{name}</span> <code>{value}</code>
        </li>
      ))}
    </ul>
  )
}
