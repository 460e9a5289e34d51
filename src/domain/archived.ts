import { type Repository, slugOf } from './repository.ts'

type Named = Pick<Repository, 'provider' | 'owner_name' | 'name'>

/** Why an archived repository is not built, and how to change that. */
export function archivedText(
  repository: Named,
  { gheHost }: { gheHost: string | undefined },
): string {
  return (
    `${slugOf(repository)} is archived on ${codehostName(repository, gheHost)}: unarchive it there to ` +
    'resume builds'
  )
}

function codehostName({ provider }: Named, gheHost: string | undefined): string {
  if (provider === 'local') return 'this machine'
  return (gheHost ?? 'github.com') === 'github.com' ? 'GitHub' : 'GitHub Enterprise Server'
}
