import { listViewer, permittedUser } from '../../access/viewer.ts'
import { buildStates } from '../../domain/build.ts'
import type { Repository, Seen } from '../../domain/repository.ts'
import { eventTypes } from '../../domain/request/request.ts'
import { isStorable } from '../../domain/text/storable-text.ts'
import { type BuildRecords, recordsOfBuilds } from '../../store/builds/build-records.ts'
import {
  filteredBuilds,
  lastBuildsOfBranches,
  type ListedBuild,
  listedBuildsByIds,
} from '../../store/builds/listed-builds.ts'
import type { Call } from '../core/endpoint.ts'
import { filterFlag, filterText, flag, integerPrefix, list, words } from '../parameters/kinds.ts'
import { described, type Values } from '../parameters/parameter.ts'

const largestNumber = 2 ** 31 - 1

/** Most builds in a list, unless it is a list by ids. */
export const mostBuilds = 25

/** The parameters of a repository's builds; the last three filters are beyond the interface. */
export const buildFilters = {
  number: described('the number of one build', filterText()),
  after_number: described('only builds with a lower number', integerPrefix(largestNumber)),
  event_type: words(eventTypes),
  branch: described('names of branches', list()),
  state: words(buildStates),
  pull_request: described('whether only builds of pull requests are listed, or none', filterFlag()),
  exclude_config: described('whether each `config` is left empty', flag()),
}

/** The builds of a repository that the call requests and the viewer can see. */
export async function buildsOf(
  { ctx }: Call,
  repository: Seen<Repository>,
  values: Values<typeof buildFilters>,
): Promise<ListedBuild[]> {
  const number = values.number === undefined ? undefined : numberIn(values.number)
  if (number === null) return []
  const filter = {
    number,
    after_number: values.after_number,
    event_types: values.event_type,
    states: values.state,
    branches: values.branch?.length ? values.branch.filter(isStorable) : undefined,
    pull_request: values.pull_request,
  }
  const builds = await filteredBuilds(ctx.db, repository, filter, mostBuilds)
  return builds.map((build) => ({ ...build, repository }))
}

/** The build of each of the newest branches of a repository. */
export async function branchBuildsOf(
  { ctx }: Call,
  repository: Seen<Repository>,
): Promise<ListedBuild[]> {
  const builds = await lastBuildsOfBranches(ctx.db, repository, mostBuilds)
  return builds.map((build) => ({ ...build, repository }))
}

/** Numbers are compared as texts, so `07` is invalid. Null if no build can have the number. */
function numberIn(given: string): number | null {
  return /^[1-9]\d{0,9}$/.test(given) && Number(given) <= largestNumber ? Number(given) : null
}

/** A build with the records that are shown with it. */
export type BuildWithRecords = BuildRecords & { build: ListedBuild }

/** The builds with these ids that the viewer can see, with their records. */
export async function buildsByIds(call: Call, ids: readonly number[]): Promise<BuildWithRecords[]> {
  return withRecords(call, await listedBuildsByIds(call.ctx.db, ids, listViewer(call.viewer)))
}

export async function withRecords(
  { ctx: { db }, viewer }: Call,
  builds: readonly ListedBuild[],
): Promise<BuildWithRecords[]> {
  const records = await recordsOfBuilds(db, builds, permittedUser(viewer))
  return builds.flatMap((build, index) => {
    const found = records[index]
    return found ? { ...found, build } : []
  })
}
