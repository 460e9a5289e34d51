import type { Repository } from '../../../domain/repository.ts'

/** Tags for the unusual properties of a repository. */
export function RepositoryTags({ repository }: { repository: Repository }) {
  return (
    <>
      {repository.private && <span class="tag">private</span>}
      {!repository.active && <span class="tag">not active</span>}
    </>
  )
}
