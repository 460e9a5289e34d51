import { requestRights } from '../../../access/build-rights.ts'
import type { RepositoryRecord } from '../../../access/visibility.ts'
import type { Commit } from '../../../domain/commit/commit.ts'
import { time } from '../../../domain/time/api-time.ts'
import { avatarsOfEmails } from '../../../store/people/users.ts'
import { each, resourceOf, type View } from '../core/resource.ts'
import { loader } from '../render/loader.ts'

type CommitModel = Commit & RepositoryRecord

declare module '../core/resource.ts' {
  interface Models {
    commit: CommitModel
  }
}

const minimal = ['id', 'sha', 'ref', 'message', 'compare_url', 'committed_at'] as const

const avatarOf = loader<string, string | null>(
  (email) => email,
  ({ ctx }, emails) => avatarsOfEmails(ctx.db, emails),
)

/** A commit's author or committer: the name in the commit, and the avatar of the user with the address. */
async function people(view: View, named: readonly [name: string | null, email: string | null][]) {
  const avatars = await avatarOf(
    view,
    named.map(([, email]) => email ?? ''),
  )
  return named.map(([name], index) => ({ name, avatar_url: avatars[index] ?? null }))
}

/** A commit, which has no path of its own. Addresses are never shown. */
export const commit = resourceOf<CommitModel>()({
  type: 'commit',
  rights: requestRights,
  permissions: ['read', 'write'],
  representations: { minimal, standard: [...minimal, 'committer', 'author'] },
  values: {
    committed_at: each(({ committed_at }) => time(committed_at)),
    committer: (view, commits) =>
      people(
        view,
        commits.map(({ committer_name, committer_email }) => [committer_name, committer_email]),
      ),
    author: (view, commits) =>
      people(
        view,
        commits.map(({ author_name, author_email }) => [author_name, author_email]),
      ),
  },
})
