import type { JobConfig } from '../domain/job.ts'
import { say } from './steps.ts'

const sections = {
  addons: 'addons are not installed',
  cache: 'nothing is cached',
  deploy: 'nothing is deployed',
  services: 'no services are started',
}

/** Program text that lists the sections of the config that have no effect in this version. */
export function unsupported(config: JobConfig): string {
  return Object.entries(sections)
    .filter(([key]) => isUsed(config[key]))
    .map(([key, effect]) => say('dim', `The section "${key}" has no effect: ${effect} here.`))
    .join('\n')
}

function isUsed(value: unknown): boolean {
  if (value === undefined || value === null || value === false) return false
  return typeof value !== 'object' || Object.keys(value).length > 0
}
