import { objectAt } from '../git.ts'
import { counted, isWanted, list } from '../paging.ts'
import { created, notFound, notForIntegrations, ok, unprocessable } from '../reply.ts'
import { type RepositoryCall, repositoryRoute } from '../route.ts'
import { annotation, checkRun } from '../shapes/check-run.ts'
import type { CheckRun, Repository } from '../tables.ts'
import type { World } from '../world.ts'
import { readChanges } from './check-run-changes.ts'
import { commitOf } from './commits.ts'

export const checkRunRoutes = [
  ...repositoryRoute('POST /check-runs', 'checks', async (call) => {
    const { world, repository, body } = call
    onlyApps(call)
    const { name, head_sha } = body
    if (typeof name !== 'string' || typeof head_sha !== 'string') {
      throw unprocessable('Invalid request.\n\n"name", "head_sha" weren\'t supplied.')
    }
    const found = await objectAt(world, repository, head_sha)
    if (found?.sha !== head_sha) throw unprocessable(`No commit found for SHA: ${head_sha}`)
    const blank = blankRun(world, repository, name, head_sha)
    const made = { ...blank, ...readChanges(world, blank, body) }
    world.tables.checkRuns.push(made)
    return created(checkRun(world, made))
  }),

  ...repositoryRoute('PATCH /check-runs/{check_run_id}', 'checks', (call) => {
    onlyApps(call)
    const run = runOf(call)
    Object.assign(run, readChanges(call.world, run, call.body))
    return ok(checkRun(call.world, run))
  }),

  ...repositoryRoute('GET /check-runs/{check_run_id}', 'checks', (call) =>
    ok(checkRun(call.world, runOf(call))),
  ),

  ...repositoryRoute('GET /check-runs/{check_run_id}/annotations', 'checks', (call) => {
    const run = runOf(call)
    return list(call, run.annotations, (each) => annotation(call.world, run, each))
  }),

  ...repositoryRoute('GET /commits/{ref*}/check-runs', 'checks', async (call) => {
    const { world, repository, params, query } = call
    const { sha } = await commitOf(call, params.ref ?? '')
    const all = checkRunsOf(world, repository, sha).filter(
      ({ name, status }) =>
        isWanted(call, 'check_name', name) &&
        isWanted(call, 'status', status) &&
        isWanted(call, 'app_id', String(world.app.id)),
    )
    const wanted = query.get('filter') === 'all' ? all : latestOf(all)
    return counted(call, 'check_runs', wanted, (each) => checkRun(world, each))
  }),
]

/** Newest first. */
export function checkRunsOf({ tables }: World, repository: Repository, sha: string): CheckRun[] {
  return tables.checkRuns
    .filter((each) => each.repository === repository && each.head_sha === sha)
    .toReversed()
}

/** Of several with one name the newest hides the others, whatever their external ids. */
function latestOf(runs: readonly CheckRun[]): CheckRun[] {
  return runs.filter((each, index) => runs.findIndex(({ name }) => name === each.name) === index)
}

function runOf({ world, repository, params }: RepositoryCall): CheckRun {
  const found = world.tables.checkRuns.find(
    (each) => each.repository === repository && String(each.id) === params.check_run_id,
  )
  if (!found) throw notFound()
  return found
}

function onlyApps({ caller }: RepositoryCall): void {
  if (caller.kind !== 'installation') throw notForIntegrations('checks=write')
}

function blankRun(
  { tables, now, app }: World,
  repository: Repository,
  name: string,
  head_sha: string,
): CheckRun {
  // An app has one suite for a commit.
  const other = tables.checkRuns.find(
    (each) => each.repository === repository && each.head_sha === head_sha,
  )
  return {
    id: tables.nextId(),
    suite_id: other?.suite_id ?? tables.nextId(),
    repository,
    head_sha,
    name,
    external_id: '',
    details_url: `https://ci.example.org/${app.slug}`,
    status: 'queued',
    conclusion: null,
    started_at: now(),
    completed_at: null,
    output: { title: null, summary: null, text: null },
    annotations: [],
    actions: [],
  }
}
