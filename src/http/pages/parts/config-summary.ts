import { providersOf } from '../../../buildfile/expand/facts.ts'
import type { Job, JobConfig } from '../../../domain/job/job.ts'
import { visible } from '../../../domain/visible.ts'
import { presentJobConfig } from '../../../domain/shown-config.ts'

export interface ConfigEntry {
  name: string
  value: string
}

/**
 * What a job is, and what distinguishes it from its neighbours, in a few words. Secure values are
 * shown as `[secure]`, or omitted for a fork (D5); of deployments only where they go is shown.
 */
export function configSummary(
  { config, origin }: Pick<Job, 'config' | 'origin'>,
  fromFork: boolean,
): ConfigEntry[] {
  const shown: JobConfig = { ...presentJobConfig(config, fromFork) }
  if ('deploy' in config) shown.deploy = providersOf(config.deploy)
  const names = new Set(['language', 'os', 'dist', ...(origin.differing ?? []), 'env'])
  return [...names].flatMap((name) => {
    const value = textOf(shown[name])
    return value === '' ? [] : [{ name, value: shortened(visible(value)) }]
  })
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return ''
  if (Array.isArray(value)) return value.map(textOf).filter(Boolean).join(', ')
  return typeof value === 'string' ? value : JSON.stringify(value)
}

const longest = 200

function shortened(text: string): string {
  return text.length > longest ? `${text.slice(0, longest)}…` : text
}
