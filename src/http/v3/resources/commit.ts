import { repositoryRights } from '../../../access/repository-rights.ts'
import type { Commit } from '../../../domain/commit.ts'
import type { InRepository } from '../../find-record.ts'
import { time } from '../../time.ts'
import { each, resourceOf } from '../resource.ts'

type CommitModel = InRepository<Commit>

declare module '../resource.ts' {
  interface Models {
    commit: CommitModel
  }
}

const minimal = ['id', 'sha', 'ref', 'message', 'compare_url', 'committed_at'] as const

/** A commit. It has no path of its own. */
export const commit = resourceOf<CommitModel>()({
  type: 'commit',
  rights(viewer, { repository }) {
    const { read, write } = repositoryRights(viewer, repository)
    return { read, write }
  },
  permissions: ['read', 'write'],
  representations: { minimal, standard: minimal },
  later: ['committer', 'author'],
  values: { committed_at: each(({ committed_at }) => time(committed_at)) },
})
