import { isDeepStrictEqual } from 'node:util'
import type { CloneSource } from '../codehost/codehost.ts'
import { commitRange } from '../domain/commit.ts'
import type { Job } from '../domain/job/job.ts'
import { slugOf } from '../domain/repository.ts'
import { compileScript } from '../script/compile.ts'
import type { JobToRun } from '../store/jobs-to-run.ts'
import { isAboutWholeFile } from './build-file/whole-file-messages.ts'
import type { Context } from './context.ts'
import type { JobSecrets } from './secrets/job-secrets.ts'
import { buildUrl, jobUrl } from './report/links.ts'

/** What a runner needs to run a job. Holds secrets in clear text: it must not leave the process. */
export interface PreparedJob {
  clone: string
  script: string
  /** What both of them find in descriptor 4. */
  ssh_key: string | null
  /** Folders of this machine that the clone step can read, by name. */
  inputs: { name: string; path: string }[]
  /** Values that must not appear in the log. */
  secrets: string[]
  /** With which the script hands over what bash makes of secrets; null where it does not. */
  mask_nonce: string | null
  limits: { hard_seconds: number; silence_seconds: number; log_bytes: number }
  slug: string
}

const inputName = 'repository'

/** Compiles the programs of a job, with the current data and secrets of its repository. */
export function prepareJob(
  ctx: Pick<Context, 'config'>,
  run: JobToRun,
  source: CloneSource,
  secrets: JobSecrets,
): PreparedJob {
  const { job, build, commit, repository, pull, messages } = run
  if (!repository) throw new Error(`job ${job.id} has lost its repository`)
  const slug = slugOf(repository)

  const programs = compileScript({
    job: {
      id: job.id,
      number: job.number,
      name: job.name,
      stage_name: run.stage_name,
      allow_failure: job.allow_failure,
      restarted: job.restarted_at !== null,
      restarted_by: run.restarted_by,
      web_url: jobUrl(ctx.config, slug, job.id),
    },
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
    pull_request: pull && pullFacts(pull),
    source: source.kind === 'url' ? source : { input: inputName },
    notes: notesOf(run),
    assumed: assumedKeys(job, messages),
    versions: ctx.config.languageVersions,
    path_variable: ctx.config.pathVariable,
    app_host: new URL(ctx.config.publicUrl).host,
    ...secrets,
    config: job.config,
  })
  return {
    clone: programs.clone,
    script: programs.job,
    ssh_key: programs.ssh_key,
    slug,
    inputs: source.kind === 'folder' ? [{ name: inputName, path: source.path }] : [],
    secrets: [...secretsOf(source), ...programs.secrets],
    mask_nonce: programs.mask_nonce,
    limits: {
      hard_seconds: ctx.config.jobMinutes * 60,
      silence_seconds: ctx.config.silenceMinutes * 60,
      log_bytes: ctx.config.logLimit,
    },
  }
}

/** The keys of a job's config whose values are defaults: the request's messages name those. */
function assumedKeys({ config }: Job, messages: JobToRun['messages']): string[] {
  return messages
    .filter(({ code }) => code === 'default')
    .flatMap(({ args: { key, default: value } }) =>
      typeof key === 'string' && isDeepStrictEqual([config[key]].flat(), [value].flat()) ? key : [],
    )
}

function pullFacts(pull: NonNullable<JobToRun['pull']>) {
  return {
    number: pull.number,
    head_branch: pull.head_ref,
    head_sha: pull.head_sha,
    head_slug: pull.head_slug,
    draft: pull.draft,
  }
}

function notesOf({ build, job, has_config, messages }: JobToRun): string[] {
  const notes: string[] = []
  if (build.event_type !== 'api' && !has_config) {
    notes.push('No .service.yml was found in this commit: the job runs with defaults.')
  }
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
