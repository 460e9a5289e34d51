import type { JobConfig } from '../../../domain/job.ts'
import { presentJobConfig } from '../../present-config.ts'

export interface ConfigEntry {
  name: string
  value: string
}

const shownKeys = ['language', 'os', 'dist', 'env'] as const

/**
 * What distinguishes a job from its neighbours, in a few words. Secure values are shown as
 * `[secure]`, or omitted for a fork (D5).
 */
export function configSummary(config: JobConfig, fromFork: boolean): ConfigEntry[] {
  const shown = presentJobConfig(config, fromFork)
  return shownKeys.flatMap((name) => {
    const value = textOf(shown[name])
    return value === '' ? [] : [{ name, value }]
  })
}

function textOf(value: unknown): string {
  if (typeof value === 'string' || typeof value === 'number') return String(value)
  return Array.isArray(value) ? value.map(textOf).filter(Boolean).join(', ') : ''
}
