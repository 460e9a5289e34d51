import { isForAllReaders } from '../../access/visibility.ts'
import type { CheckRun } from '../../codehost/codehost.ts'
import type { Build, BuildState } from '../../domain/build.ts'
import { conclusionOf } from '../../domain/commit-check.ts'
import { type ShownStatus, statusesOf } from '../../domain/commit-status.ts'
import { isFinished, type Job } from '../../domain/job/job.ts'
import { resultSentence } from '../../domain/notification.ts'
import type { Announcements } from '../../domain/outbox.ts'
import { type Repository, slugOf } from '../../domain/repository.ts'
import type { StatusKind } from '../../domain/status.ts'
import { findBuild } from '../../store/builds.ts'
import { requestsAbout } from '../../store/commit-statuses.ts'
import { jobsOfBuild } from '../../store/jobs.ts'
import { findRepository } from '../../store/repositories.ts'
import { settingsOf } from '../../store/settings.ts'
import { stagesOfBuild } from '../../store/stages.ts'
import type { Context, FlowConfig } from '../context.ts'
import { atCodehost } from '../repository/at-codehost.ts'
import { approveButton } from './approve-button.ts'
import { buildUrl, jobUrl, repositoryUrl } from './links.ts'
import { lastLines } from './log-end.ts'
import { fenced, inMarkdown } from './markdown.ts'

/** Jobs whose last lines are shown, and how many lines of each. */
const mostJobs = 20
const linesOfJob = 30

/**
 * Posts the check run of what a commit shows in one context: the jobs of its build, and the last lines of
 * those that failed (D28), or why there is no build (D51). Repeating it restarts the build.
 */
export async function reportBuildCheck(
  ctx: Context,
  target: Announcements['check:build'],
): Promise<void> {
  const repository = await findRepository(ctx.db, { id: target.repository_id })
  const shown = statusesOf(await requestsAbout(ctx.db, target), true)[target.kind]
  if (!repository || !shown) return
  const { codehost, ref } = atCodehost(ctx, repository)
  const run = shown.request.build
    ? await runOfBuild(ctx, repository, shown.request.build.id)
    : runOfRequest(ctx, repository, shown)
  if (!run) return
  const name = buildCheckName(target.kind, ctx.config)
  await codehost.putCheckRun(ref, { name, head_sha: target.sha, annotations: [], ...run })
}

type Run = Omit<CheckRun, 'name' | 'head_sha' | 'annotations'>

async function runOfBuild(
  ctx: Context,
  repository: Repository,
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
    title: titleOf(build),
    summary: ended ? await summaryOf(ctx, build, slug, jobs) : titleOf(build),
    ...(await textOf(ctx, build, repository, jobs)),
    ...(isWaiting(build) ? { actions: [approveButton] } : {}),
  }
}

/** Of a request without a build, once that is decided. */
function runOfRequest(
  { config }: Pick<Context, 'config'>,
  repository: Repository,
  shown: ShownStatus,
): Run | undefined {
  const conclusion = conclusionOf(shown)
  if (!conclusion) return
  const { request, text } = shown
  return {
    external_id: `${ofRequest}${request.id}`,
    details_url: repositoryUrl(config, slugOf(repository)),
    conclusion,
    title: text,
    summary: inMarkdown(text),
    ...(conclusion === 'action_required' ? { actions: [approveButton] } : {}),
  }
}

/** Before the id of a request that has no build. */
const ofRequest = 'request-'

/** The id of the request that a run is about, where that has no build. */
export function requestOfRun(external_id: string | null): number | undefined {
  return external_id?.startsWith(ofRequest)
    ? Number(external_id.slice(ofRequest.length))
    : undefined
}

/** Its runs have the id of their build, or of a request without one, as external id. */
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

/** Whether it waits for an approval. */
function isWaiting({ waits_for_approval, state }: Build): boolean {
  return waits_for_approval && state === 'created'
}

function titleOf(build: Build): string {
  if (isWaiting(build)) {
    return 'Waiting for a maintainer to approve this commit'
  }
  return build.state === 'created' ? 'Build queued' : resultSentence(build)
}

/** The jobs as a table, by their stages. */
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
  return [resultSentence(build), '', ...lines].join('\n')
}

const inCell = (text: string) => inMarkdown(text.replaceAll(/\s+/g, ' ').slice(0, 200))

/**
 * The last lines of the jobs that did not pass. None where the settings of the repository show logs to
 * those alone who can push, and of builds from before it was public: whoever sees the commit sees its
 * checks.
 */
async function textOf(
  { db, config }: Pick<Context, 'db' | 'config'>,
  build: Build,
  repository: Repository,
  jobs: readonly Job[],
): Promise<Pick<CheckRun, 'text'>> {
  const broken = jobs.filter(({ state }) => state === 'failed' || state === 'errored')
  if (!isFinished(build) || broken.length === 0) return {}
  if (!isForAllReaders(repository, build)) return {}
  const { job_log_access_based_limit: isClosed } = await settingsOf(db, build.repository_id)
  if (isClosed) return {}
  const slug = slugOf(repository)
  const sections: string[] = []
  for (const job of broken.slice(0, mostJobs)) {
    const lines = await lastLines(db, job, linesOfJob)
    const heading = `### [${job.number}](${jobUrl(config, slug, job.id)}) ${inCell(job.name ?? '')}`
    sections.push([heading.trimEnd(), '', fenced(lines)].join('\n'))
  }
  return { text: withinLimit(sections).join('\n\n') }
}

/** In bytes. Code hosts cut longer texts, and half a block would swallow what is behind it. */
const longestText = 60_000

function withinLimit(sections: readonly string[]): string[] {
  let length = 0
  return sections.filter((section) => {
    length += Buffer.byteLength(section) + 2
    return length <= longestText
  })
}
