import { presentJobConfig } from '../config/shown-config.ts'
import { withoutTokens } from '../text/token-shapes.ts'
import type { Job } from './job.ts'

/**
 * What tells a job from the others of its build: its name, or the values of the keys and variables in which
 * they differ, such as `node 20, DB=mysql`. Empty for a job that has neither.
 */
export function distinctionOf({
  name,
  config,
  origin,
}: Pick<Job, 'name' | 'config' | 'origin'>): string {
  if (name !== null) return name
  const values = (origin.differing ?? []).flatMap((key) => {
    const value = config[key]
    if (typeof value !== 'string' && typeof value !== 'number') return []
    return [`${key.replace(/_js$/, '')} ${value}`]
  })
  const hasOwnVariables =
    origin.kind === 'include' || origin.cell?.some(({ key, of }) => key === 'env' && of > 1)
  // Encrypted variables are left out, as for forks: they tell nothing.
  const { env } = presentJobConfig(hasOwnVariables ? { env: config.env } : {}, true)
  return withoutTokens([...values, ...(typeof env === 'string' ? [env] : [])].join(', '))
}
