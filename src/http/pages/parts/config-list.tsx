import { providersOf } from '../../../buildfile/expand/facts.ts'
import { presentJobConfig } from '../../../domain/config/shown-config.ts'
import type { Job, JobConfig } from '../../../domain/job/job.ts'
import { visible } from '../../../domain/text/escape-control-characters.ts'
import { shortened } from '../../../domain/text/shortened.ts'
import { withoutTokens } from '../../../domain/text/token-shapes.ts'

interface ConfigListProps {
  job: Job
  /** Whether the build is of a fork's pull request. */
  fromFork: boolean
}

/** A job's configuration in one line; nothing if there is nothing to show. */
export function ConfigList({ job, fromFork }: ConfigListProps) {
  return <ConfigEntries label="Runs with" entries={configSummary(job, fromFork)} />
}

interface ConfigEntriesProps {
  /** A description of the entries. */
  label: string
  entries: readonly ConfigEntry[]
}

export function ConfigEntries({ label, entries }: ConfigEntriesProps) {
  if (entries.length === 0) return null
  return (
    <ul class="config" aria-label={label}>
      <li class="faint" aria-hidden="true">
        {label}:
      </li>
      {entries.map(({ name, value }) => (
        <li>
          <span class="faint">{name}</span> <code>{value}</code>
        </li>
      ))}
    </ul>
  )
}

export interface ConfigEntry {
  name: string
  value: string
}

/**
 * A job's configuration, and what distinguishes it from its neighbours, in a few words. Secure values
 * and tokens are shown as `[secure]`, or omitted for a fork (D5); of deployments only the provider is shown.
 */
export function configSummary(
  { config, origin }: Pick<Job, 'config' | 'origin'>,
  fromFork: boolean,
): ConfigEntry[] {
  const shown: JobConfig = { ...presentJobConfig(config, fromFork) }
  if ('deploy' in config) shown.deploy = providersOf(config.deploy)
  const names = new Set(['language', 'os', ...(origin.differing ?? []), 'env'])
  return [...names].flatMap((name) => {
    const value = Object.hasOwn(shown, name) ? withoutTokens(textOf(shown[name])) : ''
    return value === '' ? [] : [{ name, value: shortened(visible(value), longest) }]
  })
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return ''
  if (Array.isArray(value)) return value.map(textOf).filter(Boolean).join(', ')
  return typeof value === 'string' ? value : JSON.stringify(value)
}

const longest = 200
