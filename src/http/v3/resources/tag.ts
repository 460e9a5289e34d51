import { requestRights } from '../../../access/build-rights.ts'
import type { RepositoryRecord } from '../../../access/visibility.ts'
import type { Tag } from '../../../domain/commit/commit.ts'
import { resourceOf } from '../core/resource.ts'
import { lastBuildsOf } from '../render/reads.ts'

type TagModel = Tag & RepositoryRecord

declare module '../core/resource.ts' {
  interface Models {
    tag: TagModel
  }
}

const attributes = ['repository_id', 'name', 'last_build_id'] as const

/** A tag, which has no path of its own. */
export const tag = resourceOf<TagModel>()({
  type: 'tag',
  rights: requestRights,
  permissions: ['read', 'write'],
  representations: { minimal: attributes, standard: attributes },
  values: {
    last_build_id: async (view, tags) =>
      (await lastBuildsOf(view, tags)).map((build) => build?.id ?? null),
  },
})
