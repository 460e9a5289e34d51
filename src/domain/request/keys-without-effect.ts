import type { JobConfig } from '../job/job.ts'

const effects = {
  addons: 'addons are not installed',
  cache: 'nothing is cached',
  deploy: 'nothing is deployed',
  services: 'no services are started',
  workspaces: 'no files are passed between jobs',
  sudo: 'jobs have no rights of root',
  group: 'all jobs run on the machine of the runner',
  virt: 'jobs run on the machine of the runner',
  vm: 'jobs get what the machine of the runner has',
  osx_image: 'jobs run on the machine of the runner',
}

/** A sentence for each key of a job that this version reads but does not act upon (D42). */
export function keysWithoutEffect(config: JobConfig): string[] {
  return Object.entries(effects)
    .filter(([key]) => isUsed(config[key]))
    .map(([key, effect]) => `The key "${key}" has no effect here: ${effect}.`)
}

function isUsed(value: unknown): boolean {
  if (value === undefined || value === null || value === false) return false
  return typeof value !== 'object' || Object.keys(value).length > 0
}
