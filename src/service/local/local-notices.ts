import type { LocalCodehost } from '../../codehost/local/local-codehost.ts'
import { hookFailure } from '../../codehost/local/hooks/hook-log.ts'
import { findRepository, type LocalRepository } from '../../codehost/local/repositories.ts'
import type { Repository } from '../../domain/repository.ts'
import { shownTime } from '../../domain/shown-time.ts'

/** What is wrong with the way in which changes of a repository get here, a sentence each. */
export async function localNotices(
  local: LocalCodehost,
  { provider, codehost_id }: Pick<Repository, 'provider' | 'codehost_id'>,
): Promise<string[]> {
  const repository = provider === 'local' && (await findRepository(local, { codehost_id }))
  const notice = repository && (await hookNotice(repository))
  return notice ? [notice] : []
}

/** Says how the hook of a repository failed when it ran last; undefined if it did not. */
export async function hookNotice({ path }: LocalRepository): Promise<string | undefined> {
  const failure = await hookFailure(path)
  if (!failure) return
  const time = shownTime(failure.at)
  return (
    `the git hook in ${path} failed at ${time}: ${failure.text}. Its changes are not built until ` +
    'the service is told: build-service local notify there, or build-service local add to renew the hook'
  )
}
