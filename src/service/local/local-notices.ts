import { hookFailure } from '../../codehost/local/hooks/hook-log.ts'
import type { LocalCodehost } from '../../codehost/local/local-codehost.ts'
import { findRepository, type LocalRepository } from '../../codehost/local/repositories.ts'
import type { Repository } from '../../domain/repository.ts'
import { shownTime } from '../../domain/time/shown-time.ts'

/** Problems with how changes of a local repository reach this service, a sentence each. */
export async function localNotices(
  local: LocalCodehost,
  { provider, codehost_id }: Pick<Repository, 'provider' | 'codehost_id'>,
): Promise<string[]> {
  const repository = provider === 'local' && (await findRepository(local, { codehost_id }))
  const notice = repository && (await hookNotice(repository))
  return notice ? [notice] : []
}

/** Describes how the last run of a repository's hook failed; undefined if it did not fail. */
export async function hookNotice({ path }: LocalRepository): Promise<string | undefined> {
  const failure = await hookFailure(path)
  if (!failure) return
  const time = shownTime(failure.at)
  return (
    `the git hook in ${path} failed at ${time}: ${failure.text}. Its changes are not built until ` +
    'the service is notified: build-service local notify there, or build-service local add to renew the hook'
  )
}
