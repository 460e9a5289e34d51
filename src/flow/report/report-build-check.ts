import { isForAllReaders } from '../../access/visibility.ts'
import type { CheckRun } from '../../codehost/codehost.ts'
import type { Build, BuildState } from '../../domain/build.ts'
import { isFinished, type Job } from '../../domain/job/job.ts'
import { resultSentence } from '../../domain/notification.ts'
import type { Announcements } from '../../domain/outbox.ts'
import { type Repository, slugOf } from '../../domain/repository.ts'
import type { StatusKind } from '../../domain/status.ts'
import { findBuild, isOutdone } from '../../store/builds.ts'
import { jobsOfBuild } from '../../store/jobs.ts'
import { findRepository } from '../../store/repositories.ts'
import { settingsOf } from '../../store/settings.ts'
import { stagesOfBuild } from '../../store/stages.ts'
import type { Context, FlowConfig } from '../context.ts'
import { atCodehost } from '../repository/at-codehost.ts'
import { approveButton } from './approve-button.ts'
import { buildUrl, jobUrl } from './links.ts'
import { lastLines } from './log-end.ts'
import { fenced, inMarkdown } from './markdown.ts'
import { statusTarget } from './status-target.ts'

/** Jobs whose last lines are shown, and how many lines of each. */
const mostJobs = 20
const linesOfJob = 30

/**
 * Posts the check run of a build, as it was when that was announced: its jobs, and the last lines of
 * those that failed (D28). Repeating it at the code host restarts the build.
 */
export async function reportBuildCheck(
  ctx: Context,
  { build_id, state, kind }: Announcements['check:build'],
): Promise<void> {
  const found = await findBuild(ctx.db, build_id)
  const repository = found && (await findRepository(ctx.db, { id: found.repository_id }))
  if (!found || !repository || (await isOutdone(ctx.db, found, 'build'))) return
  const build = { ...found, state: state as BuildState }
  const { sha } = await statusTarget(ctx.db, build)
  const { codehost, ref } = atCodehost(ctx, repository)
  const slug = slugOf(repository)
  const jobs = await jobsOfBuild(ctx.db, build.id)
  const ended = isFinished(build)
  await codehost.putCheckRun(ref, {
    name: buildCheckName(kind, ctx.config),
    head_sha: sha,
    external_id: String(build.id),
    details_url: buildUrl(ctx.config, slug, build.id),
    conclusion: conclusions[build.state],
    ...(ended ? {} : { begun: build.state === 'started' }),
    title: titleOf(build),
    summary: ended ? await summaryOf(ctx, build, slug, jobs) : titleOf(build),
    ...(await textOf(ctx, build, repository, jobs)),
    annotations: [],
    ...(isWaiting(build) ? { actions: [approveButton] } : {}),
  })
}

/** Its runs have the id of their build as external id. */
export function buildCheckName(
  kind: StatusKind,
  { statusContext }: Pick<FlowConfig, 'statusContext'>,
): string {
  return `${statusContext} - ${kind === 'pr' ? 'Pull Request' : 'Branch'}`
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
    return 'The build waits for the approval of a maintainer'
  }
  return build.state === 'created' ? 'The build is waiting' : resultSentence(build)
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

/** Code hosts cut longer texts, and half a block would swallow what is behind it. */
const longestText = 60_000

function withinLimit(sections: readonly string[]): string[] {
  let length = 0
  return sections.filter((section) => {
    length += section.length + 2
    return length <= longestText
  })
}
