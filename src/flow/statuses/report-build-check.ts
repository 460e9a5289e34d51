import { isForAllReaders } from '../../access/visibility.ts'
import type { CheckRun } from '../../codehost/codehost.ts'
import { type Build, type BuildState, isUnapproved } from '../../domain/build.ts'
import { conclusionOf } from '../../domain/commit/commit-check.ts'
import { says, type ShownStatus, statusesOf } from '../../domain/commit/commit-status.ts'
import { type StatusKind, statusKindsOf } from '../../domain/commit/status.ts'
import type { Shown } from '../../domain/failure/failed-build.ts'
import { basisText } from '../../domain/failure/failure.ts'
import { isFinished, type Job } from '../../domain/job/job.ts'
import { unmetNotes } from '../../domain/job/machine.ts'
import { withoutMarkers } from '../../domain/log/without-markers.ts'
import { resultSentence } from '../../domain/notification.ts'
import type { Announcements } from '../../domain/outbox.ts'
import { type FoundRepository, type Repository, slugOf } from '../../domain/repository.ts'
import { type RequestAbout, shownBuild } from '../../domain/request/about.ts'
import { visible } from '../../domain/text/escape-control-characters.ts'
import { shortened } from '../../domain/text/shortened.ts'
import { time } from '../../domain/time/api-time.ts'
import { findBuild } from '../../store/builds/builds.ts'
import { stagesOfBuild } from '../../store/builds/stages.ts'
import { requestsAbout } from '../../store/commits/commit-statuses.ts'
import { jobsOfBuild } from '../../store/jobs/jobs.ts'
import { findRepository } from '../../store/repositories/repositories.ts'
import { settingsOf } from '../../store/repositories/settings.ts'
import { paintLine } from '../../terminal/paint-line.ts'
import { plainStyle } from '../../terminal/text-style.ts'
import type { Context, FlowConfig } from '../context.ts'
import { maySeeSources, shownToReaders } from '../failures/failed-build.ts'
import { notesOnRun, reportsOfJobs, type RunReport } from '../failures/run-report.ts'
import { endIfReachable, type LogSource } from '../logs/read-log.ts'
import { atCodehost } from '../repositories/at-codehost.ts'
import { approveButton, buildUrl, jobUrl, repositoryUrl } from './links.ts'
import { fenced, inMarkdown } from './markdown.ts'

/** Maximum number of jobs whose last log lines are shown, and of lines of each job. */
const mostJobs = 20
const linesOfJob = 30

/**
 * Posts the check run of a commit and one kind of build: the jobs of the build, with the last log lines of
 * failed jobs (D28), or the reason for the missing build (D51). Rerunning the check restarts the build.
 */
export async function reportBuildCheck(
  ctx: Context,
  target: Announcements['check:build'],
): Promise<void> {
  const repository = await findRepository(ctx.db, { id: target.repository_id })
  const requests = await requestsAbout(ctx.db, target)
  const shown = statusesOf(requests, true)[target.kind]
  const ofKind = requests.filter((each) => statusKindsOf(each).includes(target.kind))
  if (!repository || (shown && !isToBeShown(shown, ofKind, target.kind))) return
  // If no request counts now, the check of the newest build must not stay open.
  const newest = ofKind.findLast(({ build }) => build !== null)
  const build = shown ? shownBuild(shown.request) : newest?.build
  const { codehost, ref } = atCodehost(ctx, repository)
  const run = build
    ? await runOfBuild(ctx, repository, build.id)
    : shown && runOfRequest(ctx, repository, shown)
  if (!run) return
  const name = buildCheckName(target.kind, ctx.config)
  await codehost.putCheckRun(ref, { name, head_sha: target.sha, annotations: [], ...run })
}

/**
 * Whether a check is to be posted. An undecided request is shown if it has a build, which was restarted, or
 * if it replaces an earlier result until its own result follows.
 */
function isToBeShown(
  { request: { result, build } }: ShownStatus,
  ofKind: readonly RequestAbout[],
  kind: StatusKind,
): boolean {
  if (result !== null || build !== null) return true
  return ofKind.some((each) => each.result !== null && says(each, kind, true))
}

type Run = Omit<CheckRun, 'name' | 'head_sha' | 'annotations'>

async function runOfBuild(
  ctx: Context,
  repository: FoundRepository,
  id: number,
): Promise<Run | undefined> {
  const build = await findBuild(ctx.db, id)
  if (!build) return
  const slug = slugOf(repository)
  const jobs = await jobsOfBuild(ctx.db, build.id)
  const ended = isFinished(build)
  return {
    external_id: String(build.id),
    details_url: buildUrl(ctx.config, slug, build.id),
    conclusion: conclusions[build.state],
    ...(ended ? {} : { begun: build.state === 'started' }),
    ...timesOf(build),
    title: titleOf(build, jobs),
    summary: ended ? await summaryOf(ctx, build, slug, jobs) : titleOf(build, jobs),
    ...(await textOf(ctx, build, repository, jobs)),
    ...(isUnapproved(build) ? { actions: [approveButton] } : {}),
  }
}

/** The code host shows how long a build took: its own times would include the waiting, and late reports. */
function timesOf({ started_at, finished_at }: Build): Pick<Run, 'started_at' | 'completed_at'> {
  return {
    started_at: time(started_at ?? finished_at) ?? undefined,
    completed_at: time(finished_at) ?? undefined,
  }
}

/** The run of a request that is not built. If it had a build before, the check of that build is completed. */
function runOfRequest(
  { config }: Pick<Context, 'config'>,
  repository: Repository,
  shown: ShownStatus,
): Run {
  const conclusion = conclusionOf(shown) ?? null
  const { request, text } = shown
  return {
    external_id: request.build ? String(request.build.id) : `${ofRequest}${request.id}`,
    details_url: repositoryUrl(config, slugOf(repository)),
    conclusion,
    title: text,
    summary: inMarkdown(text),
    ...(conclusion === 'action_required' ? { actions: [approveButton] } : {}),
  }
}

/** Prefix of the external id of a request without a build. */
const ofRequest = 'request-'

/** The id of the request without a build that a run is about; undefined for runs about builds. */
export function requestOfRun(external_id: string | null): number | undefined {
  return external_id?.startsWith(ofRequest)
    ? Number(external_id.slice(ofRequest.length))
    : undefined
}

/** The check's name. The external id of its runs is that of the build, or of a request without a build. */
export function buildCheckName(
  kind: StatusKind,
  { statusContext }: Pick<FlowConfig, 'statusContext'>,
): string {
  return `${statusContext} - ${contextNames[kind]}`
}

const contextNames: Readonly<Record<StatusKind, string>> = {
  push: 'Branch',
  tag: 'Tag',
  cron: 'Cron',
  api: 'API',
  pr: 'Pull Request',
}

const conclusions = {
  created: null,
  received: null,
  started: null,
  passed: 'success',
  failed: 'failure',
  errored: 'action_required',
  canceled: 'cancelled',
} as const satisfies Record<BuildState, CheckRun['conclusion']>

function titleOf(build: Build, jobs: readonly Job[]): string {
  if (isUnapproved(build)) {
    return 'Waiting for a maintainer to approve this commit'
  }
  const result = build.state === 'created' ? 'Build queued' : resultSentence(build)
  return [result, ...unmetNotes(jobs.length, jobs).map((note) => `${note}.`)].join(' ')
}

/** The jobs as a table, with their stages if there are any. */
async function summaryOf(
  { db, config }: Pick<Context, 'db' | 'config'>,
  build: Build,
  slug: string,
  jobs: readonly Job[],
): Promise<string> {
  const stages = await stagesOfBuild(db, build.id)
  const nameOf = (job: Job) => stages.find(({ id }) => id === job.stage_id)?.name ?? ''
  const hasStages = stages.length > 0
  const rows = jobs.map((job) => {
    const state = job.allow_failure ? `${job.state} (may fail)` : job.state
    const cells = [
      `[${job.number}](${jobUrl(config, slug, job.id)})`,
      inCell(job.name ?? ''),
      state,
    ]
    return hasStages ? [inCell(nameOf(job)), ...cells] : cells
  })
  const head = ['Job', 'Name', 'Result']
  const columns = hasStages ? ['Stage', ...head] : head
  const lines = [columns, columns.map(() => '---'), ...rows].map(
    (cells) => `| ${cells.join(' | ')} |`,
  )
  return [titleOf(build, jobs), '', ...lines].join('\n')
}

const inCell = (text: string) => inMarkdown(shortened(text.replaceAll(/\s+/g, ' '), 200))

/**
 * The last log lines of the jobs that did not pass. They are left out if the repository's settings restrict
 * logs to users with push access, and for builds from before it was public: checks are visible to everyone
 * who can see the commit.
 */
async function textOf(
  ctx: LogSource & Pick<Context, 'config' | 'now'>,
  build: Build,
  repository: FoundRepository,
  jobs: readonly Job[],
): Promise<Pick<CheckRun, 'text'>> {
  const { db, config } = ctx
  const broken = jobs
    .filter(({ state }) => state === 'failed' || state === 'errored')
    .slice(0, mostJobs)
  if (!isFinished(build) || broken.length === 0) return {}
  if (!isForAllReaders(repository, build)) return {}
  const { job_log_access_based_limit: isClosed } = await settingsOf(db, build.repository_id)
  if (isClosed) return {}
  const slug = slugOf(repository)
  const sections: string[] = []
  const shown = await shownToReaders(db, repository, build)
  const reports = await reportsOfJobs(
    ctx,
    broken.map(({ id }) => id),
  )
  for (const job of broken) {
    const lines = await lastLines(ctx, job, linesOfJob)
    const heading = `### [${job.number}](${jobUrl(config, slug, job.id)}) ${inCell(job.name ?? '')}`
    const report = reports.get(job.id)
    const names = shown.names && (await maySeeSources(db, repository, report?.outside ?? null))
    const why = causeOf(report, { names })
    sections.push([heading.trimEnd(), '', ...why, fenced(lines)].join('\n'))
  }
  return { text: withinLimit(sections).join('\n\n') }
}

/** The likeliest causes and the changes outside the commit, above the last lines. */
function causeOf(report: RunReport | undefined, shown: Pick<Shown, 'names'>): string[] {
  if (!report?.failure) return []
  const { failure } = report
  const notes = notesOnRun(report, shown).flatMap((note) => [inMarkdown(note), ''])
  if (failure.lines.length === 0) return notes
  const lines = failure.lines.map(({ number, text }) => `${number}: ${visible(text)}`)
  const compared = failure.compared.map(({ number }) => number)
  const runs = compared.length === 0 ? '' : ` (compared with ${compared.join(', ')})`
  const cut = lines.map((line) => shortened(line, longestLine))
  return [
    `${basisText(failure.basis)}${runs}:`,
    '',
    fenced(cut),
    '',
    ...notes,
    'The last lines:',
    '',
  ]
}

/** In bytes. Code hosts truncate longer texts, and an unclosed block would swallow the text after it. */
const longestText = 60_000

function withinLimit(sections: readonly string[]): string[] {
  let length = 0
  return sections.filter((section) => {
    length += Buffer.byteLength(section) + 2
    return length <= longestText
  })
}

/** Characters read from the end of a log, and the length to which longer lines are cut. */
const mostRead = 16_000
const longestLine = 300

/** The last lines of a job's log as a terminal shows them, without colours. Secrets in it are masked. */
async function lastLines(
  source: LogSource,
  { id }: Pick<Job, 'id'>,
  count: number,
): Promise<string[]> {
  const text = withoutMarkers((await endIfReachable(source, id, mostRead)) ?? '').trimEnd()
  if (text === '') return []
  return text
    .split('\n')
    .slice(-count)
    .map((line) => plain(line.slice(-mostRead)))
    .map((line) => shortened(line, longestLine))
}

function plain(line: string): string {
  return paintLine(line, plainStyle)
    .spans.map(({ text }) => text)
    .join('')
}
