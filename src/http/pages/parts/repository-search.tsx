import { homePath } from '../paths.ts'

interface RepositorySearchProps {
  prefix: string
  /** The text in the search field. */
  search?: string
}

/** Finds repositories by a part of their names; the result is the home page. */
export function RepositorySearch({ prefix, search = '' }: RepositorySearchProps) {
  const href = homePath(prefix)
  return (
    <form class="filters" action={href} role="search" aria-label="Find a repository">
      <label>
        Repository
        <input
          name="search"
          type="search"
          value={search}
          placeholder="owner/name"
          autocapitalize="off"
          spellcheck={false}
        />
      </label>
      <button>Find</button>
      {search !== '' && <a href={href}>Show all</a>}
    </form>
  )
}
