import { repositoryRights } from '../../../access/repository-rights.ts'
import { permittedUser, type Viewer } from '../../../access/viewer.ts'
import { wrongParams } from '../../../domain/errors.ts'
import type { Repository, Seen } from '../../../domain/repository.ts'
import { type ListedBuild, runningBuilds } from '../../../store/builds/listed-builds.ts'
import { type Call, get } from '../../core/endpoint.ts'
import { flag, idList } from '../../parameters/kinds.ts'
import { described, type Values } from '../../parameters/parameter.ts'
import { emptyLists } from '../empty-lists.ts'
import {
  branchBuildsOf,
  buildFilters,
  buildsByIds,
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
import { presentBuilds, presentJobsOf } from '../present/builds.ts'
import { presentCommitsOf } from '../present/commit.ts'
import { mostHeld, streamLists } from '../stream-lists.ts'

const accepts = {
  ids: described('ids of builds', idList()),
  ...repositoryNames,
  ...buildFilters,
  running: described('without a repository: running builds', flag()),
  branches: described('the last build of each branch, as `/branches` has it', flag()),
}

/** The selection of a list: by ids, by repository, or running builds. */
type Selection =
  | { of: 'ids' }
  | { of: 'running' }
  | { of: 'repository'; repository: Seen<Repository> }

const missing = emptyLists('builds', 'jobs', 'commits')

export const buildListEndpoints = [
  get('/builds', {
    type: 'repository',
    accepts,
    docs: {
      summary:
        'builds with these ids, the builds of a repository, or with `running` all running builds',
      schema: answers.builds,
    },
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
      if (selection.of === 'ids') {
        return listedByIds(values, (ids) => buildsByIds(call, ids))
      }
      const builds = await selected(call, selection, values)
      return presented(await withRecords(call, builds), listsOf(values))
    },
    present: (list) => list,
    missing,
  }),

  get(repositoryPaths('/builds'), {
    ...oneRepository,
    right: 'read',
    accepts: { ids: accepts.ids, ...buildFilters },
    docs: {
      summary: 'the builds of a repository, the newest first, or those with these ids',
      schema: answers.builds,
    },
    async act(call, repository, values) {
      if (values.ids !== undefined) {
        return listedByIds(values, async (ids) =>
          (await buildsByIds(call, ids)).filter(
            ({ build }) => build.repository_id === repository.id,
          ),
        )
      }
      const builds = await withRecords(call, await buildsOf(call, repository, values))
      return presented(builds, listsOf(values))
    },
    present: (list) => list,
    missing,
  }),
]

/** Lists that are not of a repository leave out records that the viewer cannot see. */
function selectionRights(viewer: Viewer, selection: Selection): { read: boolean } {
  if (selection.of !== 'repository') return { read: true }
  const { read } = repositoryRights(viewer, selection.repository)
  return { read }
}

function selected(
  call: Call,
  selection: Exclude<Selection, { of: 'ids' }>,
  values: Values<typeof accepts>,
): Promise<ListedBuild[]> {
  const { ctx, viewer } = call
  if (selection.of === 'running') return runningBuilds(ctx.db, permittedUser(viewer), mostBuilds)
  const { repository } = selection
  return values.branches ? branchBuildsOf(call, repository) : buildsOf(call, repository, values)
}

type Listed = readonly BuildWithRecords[]

/** Builds by their ids, in order of the ids; many builds are read while the response is sent. */
async function listedByIds(
  { ids = [], exclude_config }: { ids?: readonly number[] | undefined; exclude_config: boolean },
  read: (ids: readonly number[]) => Promise<Listed>,
) {
  const lists = listsOf({ exclude_config })
  return ids.length <= mostHeld ? presented(await read(ids), lists) : streamLists(ids, read, lists)
}

/** The lists of the response. */
function listsOf({ exclude_config }: { exclude_config: boolean }) {
  const shown = <T extends { config: object }>(records: T[]) =>
    exclude_config ? records.map((record) => ({ ...record, config: {} })) : records
  return {
    builds: (listed: Listed) => shown(presentBuilds(listed)),
    jobs: (listed: Listed) => shown(presentJobsOf(listed)),
    commits: presentCommitsOf,
  }
}

function presented(listed: Listed, { builds, jobs, commits }: ReturnType<typeof listsOf>) {
  return { builds: builds(listed), jobs: jobs(listed), commits: commits(listed) }
}
