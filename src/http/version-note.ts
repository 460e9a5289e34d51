import type { Job } from '../domain/job/job.ts'
import { otherVersion } from '../domain/job/language-tools.ts'
import { askedVersion } from '../script/language/asked-version.ts'

/** That a job ran with another version of its language than it asks for (D42); undefined if it did not. */
export function versionNote({
  config,
  found_version: found,
}: Pick<Job, 'config' | 'found_version'>): string | undefined {
  const asked = askedVersion(config)
  return found === null || asked === undefined ? undefined : otherVersion({ asked, found })
}
