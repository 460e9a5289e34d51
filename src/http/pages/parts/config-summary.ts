import type { JobConfig } from '../../../domain/job.ts'
import { shownJobConfig } from '../../present-config.ts'

export interface ConfigEntry {
  name: string
  value: string
}

const shownKeys = ['language', 'os', 'dist', 'env'] as const

/**
 * What tells a job from its neighbours, in a few words. Secure values never come this far: where
 * they stood it says `[secure]`, or nothing for a fork (D5).
 */
export function configSummary(config: JobConfig, fromFork: boolean): ConfigEntry[] {
  const shown = shownJobConfig(config, fromFork)
  return shownKeys.flatMap((name) => {
    const value = textOf(shown[name])
    return value === '' ? [] : [{ name, value }]
  })
}

function textOf(value: unknown): string {
  if (typeof value === 'string' || typeof value === 'number') return String(value)
  return Array.isArray(value) ? value.map(textOf).filter(Boolean).join(', ') : ''
}
