import { repositoryRights } from '../../../access/repository-rights.ts'
import { listViewer, permittedUser, type Viewer } from '../../../access/viewer.ts'
import { wrongParams } from '../../../domain/errors.ts'
import type { Repository, Seen } from '../../../domain/repository.ts'
import { type ListedBuild, listedBuildsByIds, runningBuilds } from '../../../store/listed-builds.ts'
import { type Call, get } from '../../endpoint.ts'
import { flag, idList } from '../../parameters/kinds.ts'
import type { Values } from '../../parameters/parameter.ts'
import { emptyLists } from '../empty-lists.ts'
import {
  branchBuildsOf,
  buildFilters,
  buildsOf,
  type BuildWithRecords,
  mostBuilds,
  withRecords,
} from '../listed-builds.ts'
import {
  oneRepository,
  repositoryInQuery,
  repositoryNames,
  repositoryPaths,
} from '../one-repository.ts'
import { answers } from '../openapi/answers.ts'
import { presentBuilds, presentCommitsOf, presentJobsOf } from '../present/builds.ts'

const accepts = {
  ids: idList(),
  ...repositoryNames,
  ...buildFilters,
  running: flag(),
  /** As in the list of branches: the last build of each. */
  branches: flag(),
}

/** What a list is of: of ids, of a repository, or of what runs now. */
type Selection =
  { of: 'ids' } | { of: 'running' } | { of: 'repository'; repository: Seen<Repository> }

const missing = emptyLists('builds', 'jobs', 'commits')

export const buildListEndpoints = [
  get('/builds', {
    type: 'repository',
    accepts,
    docs: { schema: answers.builds },
    check({ given }) {
      const { ids, repository_id, slug, running } = given
      const named = [ids, repository_id, slug].some((selector) => selector !== undefined)
      if (!named && !accepts.running.read(running, 'running')) {
        throw wrongParams('one of ids, repository_id, slug is required')
      }
    },
    async find(call): Promise<Selection | undefined> {
      const { ids, repository_id, slug } = call.given
      if (ids !== undefined) return { of: 'ids' }
      if (repository_id === undefined && slug === undefined) return { of: 'running' }
      const repository = await repositoryInQuery.find(call)
      return repository && { of: 'repository', repository }
    },
    rights: selectionRights,
    right: 'read',
    async act(call, selection, values) {
      const { db } = call.ctx
      return listOf(await withRecords(db, await selected(call, selection, values)), values)
    },
    present: (list) => list,
    missing,
  }),

  get(repositoryPaths('/builds'), {
    ...oneRepository,
    right: 'read',
    accepts: buildFilters,
    docs: { schema: answers.builds },
    async act(call, repository, values) {
      const { db } = call.ctx
      return listOf(await withRecords(db, await buildsOf(call, repository, values)), values)
    },
    present: (list) => list,
    missing,
  }),
]

/** Lists that are of no repository leave out what the viewer cannot see. */
function selectionRights(viewer: Viewer, selection: Selection): { read: boolean } {
  if (selection.of !== 'repository') return { read: true }
  const { read } = repositoryRights(viewer, selection.repository)
  return { read }
}

function selected(
  call: Call,
  selection: Selection,
  values: Values<typeof accepts>,
): Promise<ListedBuild[]> {
  const { ctx, viewer } = call
  if (selection.of === 'ids') {
    return listedBuildsByIds(ctx.db, values.ids ?? [], listViewer(viewer))
  }
  if (selection.of === 'running') return runningBuilds(ctx.db, permittedUser(viewer), mostBuilds)
  const { repository } = selection
  return values.branches ? branchBuildsOf(call, repository) : buildsOf(call, repository, values)
}

function listOf(
  listed: readonly BuildWithRecords[],
  { exclude_config }: { exclude_config: boolean },
) {
  const shown = <T extends { config: object }>(records: T[]) =>
    exclude_config ? records.map((record) => ({ ...record, config: {} })) : records
  return {
    builds: shown(presentBuilds(listed)),
    jobs: shown(presentJobsOf(listed)),
    commits: presentCommitsOf(listed),
  }
}
