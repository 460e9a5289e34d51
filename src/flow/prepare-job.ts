import { isDeepStrictEqual } from 'node:util'
import type { CloneSource } from '../codehost/codehost.ts'
import type { Build } from '../domain/build.ts'
import { type Commit, commitRange, type PullRequest } from '../domain/commit.ts'
import type { Job } from '../domain/job.ts'
import { type Repository, slugOf } from '../domain/repository.ts'
import { compileScript } from '../script/compile.ts'
import { findBuild } from '../store/builds.ts'
import { findCommit } from '../store/commits.ts'
import { findPullRequest } from '../store/pull-requests.ts'
import { hasRawConfigs } from '../store/raw-configs.ts'
import { messagesOfRequest } from '../store/requests.ts'
import { findRepository } from '../store/repositories.ts'
import { stagesOfBuild } from '../store/stages.ts'
import { findUser } from '../store/users.ts'
import { isAboutWholeFile } from './build-file/whole-file-messages.ts'
import type { Context } from './context.ts'
import { buildUrl, jobUrl } from './report/links.ts'

/** What a runner needs to run a job. Holds secrets in clear text: it must not leave the process. */
export interface PreparedJob {
  clone: string
  script: string
  /** Folders of this machine that the clone step can read, by name. */
  inputs: { name: string; path: string }[]
  /** Values that must not appear in the log. */
  secrets: string[]
  limits: { hard_seconds: number; silence_seconds: number; log_bytes: number }
  slug: string
}

const inputName = 'repository'

/** Compiles the programs of a job, with the current data of its repository. */
export async function prepareJob(
  ctx: Context,
  job: Job,
  source: CloneSource,
): Promise<PreparedJob> {
  const { build, repository, commit, pull } = await recordsOf(ctx, job)
  const slug = slugOf(repository)

  const { clone, job: script } = compileScript({
    job: await jobFacts(ctx, job, slug),
    build: {
      id: build.id,
      number: build.number,
      event_type: build.event_type,
      web_url: buildUrl(ctx.config, slug, build.id),
    },
    repository: {
      slug,
      private: repository.private,
      default_branch: repository.default_branch_name,
    },
    commit: {
      sha: commit.sha,
      ref: commit.ref,
      branch: commit.branch,
      tag_name: commit.tag_name,
      message: commit.message,
      range: commitRange(commit),
    },
    pull_request: pull ? pullFacts(pull) : null,
    source: source.kind === 'url' ? source : { input: inputName },
    notes: await notesOf(ctx, build, job),
    assumed: await assumedKeys(ctx, build, job),
    versions: ctx.config.languageVersions,
    path_variable: ctx.config.pathVariable,
    app_host: new URL(ctx.config.publicUrl).host,
    config: job.config,
  })
  return {
    clone,
    script,
    slug,
    inputs: source.kind === 'folder' ? [{ name: inputName, path: source.path }] : [],
    secrets: secretsOf(source),
    limits: {
      hard_seconds: ctx.config.jobMinutes * 60,
      silence_seconds: ctx.config.silenceMinutes * 60,
      log_bytes: ctx.config.logLimit,
    },
  }
}

/** The keys of a job's config whose values are defaults: the request's messages name those. */
async function assumedKeys({ db }: Context, build: Build, { config }: Job): Promise<string[]> {
  const messages = await messagesOfRequest(db, build.request_id)
  return messages
    .filter(({ code }) => code === 'default')
    .flatMap(({ args: { key, default: value } }) =>
      typeof key === 'string' && isDeepStrictEqual([config[key]].flat(), [value].flat()) ? key : [],
    )
}

interface JobRecords {
  build: Build
  repository: Repository
  commit: Commit
  pull: PullRequest | undefined
}

async function recordsOf({ db }: Context, job: Job): Promise<JobRecords> {
  const [build, repository, commit] = await Promise.all([
    findBuild(db, job.build_id),
    findRepository(db, { id: job.repository_id }),
    findCommit(db, job.commit_id),
  ])
  if (!build || !repository || !commit) throw new Error(`job ${job.id} has lost its build`)
  const pull =
    build.pull_request_id === null ? undefined : await findPullRequest(db, build.pull_request_id)
  return { build, repository, commit, pull }
}

async function jobFacts({ db, config }: Context, job: Job, slug: string) {
  const stages = job.stage_id === null ? [] : await stagesOfBuild(db, job.build_id)
  const by = job.restarted_by_id === null ? undefined : await findUser(db, job.restarted_by_id)
  return {
    id: job.id,
    number: job.number,
    name: job.name,
    stage_name: stages.find(({ id }) => id === job.stage_id)?.name ?? null,
    allow_failure: job.allow_failure,
    restarted: job.restarted_at !== null,
    restarted_by: by?.login ?? null,
    web_url: jobUrl(config, slug, job.id),
  }
}

function pullFacts(pull: PullRequest) {
  return {
    number: pull.number,
    head_branch: pull.head_ref,
    head_sha: pull.head_sha,
    head_slug: pull.head_slug,
    draft: pull.draft,
  }
}

async function notesOf({ db }: Context, build: Build, job: Job): Promise<string[]> {
  const notes: string[] = []
  if (build.event_type !== 'api' && !(await hasRawConfigs(db, build.request_id))) {
    notes.push('No .service.yml was found in this commit: the job runs with defaults.')
  }
  const messages = await messagesOfRequest(db, build.request_id)
  for (const { src, text } of messages.filter(isAboutWholeFile)) notes.push(`${src}: ${text}.`)
  if (job.attempt > 1 && job.restarted_at === null) {
    notes.push(`This is attempt ${job.attempt}: an earlier run of the job did not finish.`)
  }
  return notes
}

/** The token itself and in the form that git sends. */
function secretsOf(source: CloneSource): string[] {
  if (source.kind === 'folder' || source.token === null) return []
  const sent = Buffer.from(`x-access-token:${source.token}`).toString('base64')
  return [source.token, sent]
}
