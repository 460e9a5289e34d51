import { presentJobConfig } from '../config/shown-config.ts'
import { withoutTokens } from '../text/token-shapes.ts'
import type { Job } from './job.ts'

type Named = Pick<Job, 'name' | 'config' | 'origin'>

/**
 * What distinguishes a job from the others of its build: its name, or the values of the keys in which they
 * differ, such as `node 20`. Empty for a job that has neither.
 */
export function distinctionOf({ name, config, origin }: Named): string {
  const values = (origin.differing ?? []).flatMap((key) => {
    const value = config[key]
    if (typeof value !== 'string' && typeof value !== 'number') return []
    return [`${key.replace(/_js$/, '')} ${value}`]
  })
  return withoutTokens(name ?? values.join(', '))
}

/**
 * The variables of a job that not all jobs of its build have, such as `DB=mysql`. Encrypted ones are left out. Only for
 * the author of the build file: a variable can come from a request, or be secret by its name.
 */
export function ownVariables(job: Named, jobs: readonly Named[]): string {
  const [own, ...all] = [job, ...jobs].map(({ config }) => [config.env].flat().flatMap(shownEntry))
  return (own ?? [])
    .filter((entry) => !all.every((entries) => entries.includes(entry)))
    .map(withoutTokens)
    .join(' ')
}

function shownEntry(entry: unknown): string[] {
  const { env } = presentJobConfig({ env: entry }, true)
  return typeof env === 'string' ? [env] : []
}
