import type { Repository } from '../../../domain/repository.ts'

/** What is out of the ordinary about a repository. */
export function RepositoryTags({ repository }: { repository: Repository }) {
  return (
    <>
      {repository.private && <span class="tag">private</span>}
      {!repository.active && <span class="tag">not active</span>}
    </>
  )
}
