import { isMembers, type Members, refuseHalves, textOf } from '../body.ts'
import { unprocessable, validationFailed } from '../reply.ts'
import { type Annotation, type CheckAction, type CheckRun, conclusions } from '../tables.ts'
import type { World } from '../world.ts'

const statuses = ['queued', 'in_progress', 'completed'] as const
const levels = ['notice', 'warning', 'failure'] as const
/** Of one call; a run may have more. */
const mostAnnotations = 50
/** In bytes. */
const longestText = 65_535
/** In UTF-16 units, the strictest way to count characters. */
const longestTitle = 255

/** What a call changes about a check run. Annotations are added to those that are there. */
export function readChanges(world: World, run: CheckRun, body: Members): Partial<CheckRun> {
  refuseHalves(body)
  const texts = { name: body.name, external_id: body.external_id, details_url: body.details_url }
  const given = Object.entries(texts).filter(([, value]) => typeof value === 'string')
  return {
    ...(Object.fromEntries(given) as Partial<CheckRun>),
    ...readState(world, run, body),
    ...(isMembers(body.output) ? readOutput(run, body.output) : {}),
    ...(Array.isArray(body.actions) ? { actions: body.actions.map(readAction) } : {}),
  }
}

const longestTexts = { label: 20, description: 40, identifier: 20 }

function readAction(given: Members): CheckAction {
  const { label, description, identifier } = given
  for (const [name, longest] of Object.entries(longestTexts)) {
    const text = textOf(given[name])
    if (text === null || text.length > longest) {
      throw unprocessable(`Invalid request.\n\n"${name}" is missing or too long.`)
    }
  }
  return { label: String(label), description: String(description), identifier: String(identifier) }
}

function readState({ now }: World, run: CheckRun, body: Members): Partial<CheckRun> {
  const conclusion = conclusions.find((each) => each === body.conclusion)
  if (body.conclusion !== undefined && !conclusion) {
    throw unprocessable(`Invalid request.\n\n${JSON.stringify(body.conclusion)} is not a member.`)
  }
  // A conclusion completes the run, whatever else is said.
  const status = conclusion ? 'completed' : statuses.find((each) => each === body.status)
  if (status === 'completed' && !conclusion && run.conclusion === null) {
    throw validationFailed('CheckRun', 'conclusion', 'conclusion is missing')
  }
  const completed = conclusion && run.completed_at === null ? { completed_at: now() } : {}
  return {
    ...(status ? { status } : {}),
    ...(conclusion ? { conclusion } : {}),
    ...completed,
    ...readTime('started_at', body),
    ...readTime('completed_at', body),
  }
}

function readTime(name: 'started_at' | 'completed_at', body: Members): Partial<CheckRun> {
  return typeof body[name] === 'string' ? { [name]: new Date(body[name]) } : {}
}

function readOutput(run: CheckRun, output: Members): Partial<CheckRun> {
  const { annotations = [] } = output
  const summary = textOf(output.summary)
  if (summary === null) throw unprocessable('"summary" wasn\'t supplied.')
  // The title may be left out by those who change a run.
  const title = textOf(output.title) ?? run.output.title
  if (title === null) throw unprocessable('"title" wasn\'t supplied.')
  const text = textOf(output.text) ?? run.output.text
  for (const long of [summary, text ?? '']) {
    const bytes = Buffer.byteLength(long)
    if (bytes <= longestText) continue
    const message = `Only ${longestText} characters are allowed; ${bytes} were supplied.`
    throw validationFailed('CheckRun', 'summary', message)
  }
  if (title.length > longestTitle) {
    throw validationFailed('CheckRun', 'title', `title exceeds ${longestTitle} characters`)
  }
  if (!Array.isArray(annotations) || annotations.length > mostAnnotations) {
    throw unprocessable(`Invalid request.\n\nNo more than ${mostAnnotations} items are allowed.`)
  }
  return {
    output: { title, summary, text },
    annotations: [...run.annotations, ...annotations.map(readAnnotation)],
  }
}

function readAnnotation(given: Members): Annotation {
  const { path, start_line, end_line, start_column = null, end_column = null, message } = given
  const level = levels.find((each) => each === given.annotation_level)
  const lines = [start_line, end_line].every((line) => Number.isInteger(line) && Number(line) > 0)
  if (typeof path !== 'string' || typeof message !== 'string' || !lines || !level) {
    throw unprocessable('Invalid request.\n\nAn annotation lacks what it must have.')
  }
  // Columns are of one line only.
  if (start_line !== end_line && (start_column !== null || end_column !== null)) {
    const text = 'start_column and end_column may only be given when start_line equals end_line'
    throw validationFailed('CheckAnnotation', 'start_column', text)
  }
  if (
    Buffer.byteLength(message) > longestText ||
    (textOf(given.title) ?? '').length > longestTitle
  ) {
    throw validationFailed('CheckAnnotation', 'message', 'title or message is too long')
  }
  return {
    path,
    message,
    annotation_level: level,
    start_line: Number(start_line),
    end_line: Number(end_line),
    start_column: start_column === null ? null : Number(start_column),
    end_column: end_column === null ? null : Number(end_column),
    title: textOf(given.title),
    raw_details: textOf(given.raw_details),
  }
}
