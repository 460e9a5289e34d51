import { StringDecoder } from 'node:string_decoder'
import { isDeepStrictEqual } from 'node:util'
import { shortened } from '../../domain/text/shortened.ts'
import { type Annotation, type CheckRun, CodehostError, type RepositoryRef } from '../codehost.ts'
import type { App } from './app.ts'
import { scopeOf } from './client.ts'
import type { ResponseData } from './octokit.ts'

type Runs = ResponseData<'checks', 'listForRef'>
type Run = Runs['check_runs'][number]
type Notes = ResponseData<'checks', 'listAnnotations'>

/** The most annotations that the code host accepts in one call. */
const annotationsPerCall = 50
/** Most bytes of a summary, a text, or the message of an annotation. */
const longestText = 65_535
/** Most characters of a title. */
const longestTitle = 255

/**
 * Creates the run, or replaces the newest run of the same name if that has the same external id: the
 * code host shows the newest run. Annotations can be added to a run but never removed, so a run that has
 * annotations is followed by a new run.
 */
export async function putCheckRun(
  app: App,
  repository: RepositoryRef,
  whole: CheckRun,
  again: boolean,
): Promise<void> {
  const run = withinLimits(whole)
  try {
    await putOne(app, repository, run, again)
  } catch (error) {
    if (!(error instanceof CodehostError) || error.kind !== 'invalid') throw error
    await putOne(app, repository, withoutDetails(run), again)
  }
}

const refusedDetails = 'The code host rejected the text and annotations of this check.'

/** The rejected part may be text written by people; the conclusion must not be lost with it. */
function withoutDetails({ text: _text, ...run }: CheckRun): CheckRun {
  const longest = longestText - Buffer.byteLength(`\n\n${refusedDetails}`)
  const summary = `${cut(run.summary, longest)}\n\n${refusedDetails}`
  return { ...run, summary, annotations: [] }
}

/** Posts a run unless it is already shown, with or without the parts that were rejected. */
async function putOne(
  app: App,
  repository: RepositoryRef,
  run: CheckRun,
  again: boolean,
): Promise<void> {
  const [known] = await runsAt(app, repository, run.head_sha, run.name)
  if (known?.external_id !== run.external_id) return createRun(app, repository, run)
  if (!again) {
    const there = await readRun(app, repository, known)
    if (isShown(there, run) || isShown(there, withoutDetails(run))) return
  }
  // A completed run stays completed: when a check begins again, a new run is created.
  const isReopened = known.status === 'completed' && run.conclusion === null
  if (isReopened || known.output.annotations_count > 0) return createRun(app, repository, run)
  await updateRun(app, repository, known.id, run, run.annotations)
}

/** The times follow from the state, and the buttons are not shown by the API. */
function isShown(there: CheckRun, run: CheckRun): boolean {
  const { actions: _actions, started_at: _started_at, completed_at: _completed_at, ...shown } = run
  return isDeepStrictEqual(there, shown)
}

/** The newest run of each name and external id, newest first. */
export async function checkRunsOf(
  app: App,
  repository: RepositoryRef,
  sha: string,
): Promise<CheckRun[]> {
  const newest = new Map<string, Run>()
  for (const run of await runsAt(app, repository, sha)) {
    const key = JSON.stringify([run.name, run.external_id])
    if (!newest.has(key)) newest.set(key, run)
  }
  return Promise.all([...newest.values()].map((run) => readRun(app, repository, run)))
}

async function createRun(app: App, repository: RepositoryRef, run: CheckRun): Promise<void> {
  const { name, head_sha, external_id, annotations } = run
  const first = annotations.slice(0, annotationsPerCall)
  const created = await app.call<Run>(scopeOf(repository), 'POST /repositories/{id}/check-runs', {
    id: repository.codehost_id,
    name,
    head_sha,
    external_id,
    ...body(run, first),
  })
  const rest = annotations.slice(annotationsPerCall)
  if (rest.length > 0) await updateRun(app, repository, created.id, run, rest)
}

async function updateRun(
  app: App,
  repository: RepositoryRef,
  run_id: number,
  run: CheckRun,
  annotations: readonly Annotation[],
): Promise<void> {
  const route = 'PATCH /repositories/{id}/check-runs/{run_id}'
  for (let from = 0; from === 0 || from < annotations.length; from += annotationsPerCall) {
    await app.call(scopeOf(repository), route, {
      id: repository.codehost_id,
      run_id,
      ...body(run, annotations.slice(from, from + annotationsPerCall)),
    })
  }
}

function body(
  { details_url, conclusion, begun, title, summary, text, actions = [], ...run }: CheckRun,
  annotations: readonly Annotation[],
) {
  return {
    details_url,
    ...(conclusion === null
      ? { status: begun === true ? 'in_progress' : 'queued' }
      : { status: 'completed', conclusion }),
    started_at: run.started_at,
    completed_at: run.completed_at,
    output: {
      title,
      summary,
      ...(text === undefined ? {} : { text }),
      annotations: annotations.map(noteOf),
    },
    actions,
  }
}

/** The run within the code host's limits, and therefore as it is shown there. */
function withinLimits(run: CheckRun): CheckRun {
  const { text } = run
  return {
    ...run,
    title: shortened(run.title, longestTitle),
    summary: cut(run.summary),
    ...(text === undefined ? {} : { text: cut(text) }),
    annotations: run.annotations.map((note) => ({
      ...note,
      title: shortened(note.title, longestTitle),
      message: cut(note.message),
    })),
  }
}

function cut(text: string, bytes = longestText): string {
  // `write` leaves out an incomplete character at the end.
  return new StringDecoder('utf8').write(Buffer.from(text).subarray(0, bytes))
}

function noteOf({ level, start_column, end_column, ...rest }: Annotation) {
  // Columns are accepted within one line only.
  const columns = rest.start_line === rest.end_line ? { start_column, end_column } : {}
  return { ...rest, ...columns, annotation_level: level }
}

/** All runs at a commit, including runs of other apps, newest first. */
async function runsAt(
  app: App,
  repository: RepositoryRef,
  sha: string,
  name?: string,
): Promise<Run[]> {
  const route = 'GET /repositories/{id}/commits/{sha}/check-runs'
  const pages = await app.pages<Runs>(scopeOf(repository), route, {
    id: repository.codehost_id,
    sha,
    filter: 'all',
    ...(name === undefined ? {} : { check_name: name }),
  })
  return pages.flatMap(({ check_runs }) => check_runs).toSorted((a, b) => b.id - a.id)
}

async function readRun(app: App, repository: RepositoryRef, run: Run): Promise<CheckRun> {
  const { id, name, head_sha, external_id, details_url, status, conclusion, output } = run
  return {
    name,
    head_sha,
    external_id: external_id ?? '',
    details_url: details_url ?? '',
    conclusion: conclusion as CheckRun['conclusion'],
    ...(conclusion === null ? { begun: status === 'in_progress' } : {}),
    title: output.title ?? '',
    summary: output.summary ?? '',
    ...(output.text ? { text: output.text } : {}),
    annotations: output.annotations_count > 0 ? await annotationsOf(app, repository, id) : [],
  }
}

async function annotationsOf(
  app: App,
  repository: RepositoryRef,
  run_id: number,
): Promise<Annotation[]> {
  const route = 'GET /repositories/{id}/check-runs/{run_id}/annotations'
  const parameters = { id: repository.codehost_id, run_id }
  const pages = await app.pages<Notes>(scopeOf(repository), route, parameters)
  return pages
    .flat()
    .map((note) => ({
      path: note.path,
      start_line: note.start_line,
      end_line: note.end_line,
      ...(note.start_column === null ? {} : { start_column: note.start_column }),
      ...(note.end_column === null ? {} : { end_column: note.end_column }),
      level: note.annotation_level as Annotation['level'],
      title: note.title ?? '',
      message: note.message ?? '',
    }))
}
