import { type CloneSource, CodehostError } from '../../codehost/codehost.ts'
import { commitRange } from '../../domain/commit/commit.ts'
import { isMap } from '../../domain/config/config-value.ts'
import { assumedOf } from '../../domain/job/keys-without-effect.ts'
import { otherMachineText } from '../../domain/job/machine.ts'
import { type Repository, slugOf } from '../../domain/repository.ts'
import { findTokens } from '../../domain/text/token-shapes.ts'
import { readCheckout } from '../../script/checkout.ts'
import { compileScript } from '../../script/compile.ts'
import type { ScriptInput } from '../../script/input.ts'
import type { JobToRun } from '../../store/jobs/jobs-to-run.ts'
import { followsLost } from '../../texts/log-endings.ts'
import { isAboutWholeFile } from '../build-file/stored-advice.ts'
import type { Context } from '../context.ts'
import { atCodehost } from '../repositories/at-codehost.ts'
import type { JobSecrets } from '../secrets/job-secrets.ts'
import { buildUrl, jobUrl } from '../statuses/links.ts'

/** All data that a runner needs to run a job. Holds secrets in clear text: it must not leave the process. */
export interface PreparedJob {
  clone: string
  script: string
  /** The key that both programs find in descriptor 4. */
  ssh_key: string | null
  /** Folders of this machine that the clone step can read, by name. */
  inputs: { name: string; path: string }[]
  /** Values that must not appear in the log. */
  secrets: string[]
  /** The nonce with which the script hands over secrets as bash evaluates them; null if it does not. */
  mask_nonce: string | null
  limits: JobLimits
  /** The text before all output in the log. */
  heading: string
  slug: string
  /** The host to fetch from; null for a folder of this machine. */
  code_host: string | null
}

interface JobLimits {
  hard_seconds: number
  silence_seconds: number
  log_bytes: number
  grace_seconds: number
}

const inputName = 'repository'

/** Compiles the programs of a job, with the current data and secrets of its repository. */
export function prepareJob(
  ctx: Pick<Context, 'config'>,
  run: JobToRun,
  source: CloneSource,
  secrets: JobSecrets,
): PreparedJob {
  const { job, build, commit, repository, pull } = run
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
    source: source.kind === 'url' ? source : { input: inputName, origin: source.origin },
    notes: notesOf(run, ctx.config),
    assumed: assumedOf(job),
    ...toolsOf(ctx.config),
    app_host: new URL(ctx.config.publicUrl).host,
    ...secrets,
    config: job.config,
  })
  return {
    clone: programs.clone,
    script: programs.job,
    ssh_key: programs.ssh_key,
    slug,
    code_host: source.kind === 'url' ? new URL(source.url).hostname : null,
    inputs: source.kind === 'folder' ? [{ name: inputName, path: source.path }] : [],
    secrets: [...secretsOf(source), ...programs.secrets, ...new Set(tokensIn(job.config))],
    mask_nonce: programs.mask_nonce,
    limits: limitsOf(ctx.config, run.settings, repository),
    heading: run.lost_reason === null ? '' : followsLost(job.attempt, run.lost_reason),
  }
}

/** The values that must not appear in the log of a job, except the credential of its fetch. */
export function secretsInLog(
  ctx: Pick<Context, 'config'>,
  run: JobToRun,
  secrets: JobSecrets,
): string[] {
  return prepareJob(ctx, run, { kind: 'folder', path: '' }, secrets).secrets
}

function toolsOf({
  executor,
  languageVersions,
  pathVariable,
}: Context['config']): Pick<ScriptInput, 'versions' | 'path_variable'> {
  if (executor === 'docker') return { versions: 'image', path_variable: 'IMAGES' }
  return { versions: languageVersions, path_variable: pathVariable }
}

/** Minutes that a job can run if neither its repository nor the installation has a limit. */
const usualMinutes = { public: 50, private: 120 }

/** The repository's time limits, else the installation's (RN-04). */
function limitsOf(
  { jobMinutes, silenceMinutes, logLimit, cancelGraceSeconds }: Context['config'],
  { timeout_hard_limit, timeout_log_silence }: JobToRun['settings'],
  repository: Pick<Repository, 'private'>,
): JobLimits {
  const usual = repository.private ? usualMinutes.private : usualMinutes.public
  return {
    hard_seconds: (timeout_hard_limit ?? jobMinutes ?? usual) * 60,
    silence_seconds: (timeout_log_silence ?? silenceMinutes) * 60,
    log_bytes: logLimit,
    grace_seconds: cancelGraceSeconds,
  }
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

function notesOf(
  { job, has_config, messages }: JobToRun,
  { machineChoice }: Context['config'],
): string[] {
  const notes: string[] = []
  if (!has_config) {
    notes.push('No .service.yml was found in this commit: the job runs with defaults.')
  }
  for (const { src, text } of messages.filter(isAboutWholeFile)) notes.push(`${src}: ${text}.`)
  for (const { code, src, line, text } of messages) {
    if (code === 'invalid_env_var') notes.push(`${src}${line === null ? '' : `:${line}`}: ${text}.`)
  }
  if (job.found_machine !== null) {
    notes.push(otherMachineText(job, job.found_machine, machineChoice))
  }
  return notes
}

/** The tokens that a configuration has in plain text. The name of a value can tell that it is one. */
function tokensIn(value: unknown, name = ''): string[] {
  if (typeof value === 'string') {
    const text = name === '' ? value : `${name}=${value}`
    return findTokens(text).map(({ from, to }) =>
      text.slice(Math.max(from, text.length - value.length), to),
    )
  }
  if (Array.isArray(value)) return value.flatMap((each) => tokensIn(each))
  return isMap(value) ? Object.entries(value).flatMap(([key, member]) => tokensIn(member, key)) : []
}

/** The token, both itself and in the form that git sends. */
function secretsOf(source: CloneSource): string[] {
  if (source.kind === 'folder' || source.token === null) return []
  const sent = Buffer.from(`x-access-token:${source.token}`).toString('base64')
  return [source.token, sent]
}

/**
 * The source that a job's commit is fetched from, with a credential for the fetch. There is no credential if
 * nothing is fetched, so that such jobs run while the code host is unavailable, nor for a fork if everyone
 * can fetch. On an Enterprise Server, reading even public repositories may require a login.
 */
export async function findSource(
  ctx: Context,
  { job, repository, from_fork }: Pick<JobToRun, 'job' | 'repository' | 'from_fork'>,
): Promise<CloneSource> {
  if (!repository) {
    throw new CodehostError('the repository of this job is deleted', { kind: 'missing' })
  }
  const { codehost, ref } = atCodehost(ctx, repository)
  const isOpen = ctx.config.gheHost === undefined && !repository.private
  const withToken = readCheckout(job.config.git).clone && !(from_fork && isOpen)
  // A retry gets a new token, because a refused one may have caused the loss.
  return codehost.cloneSource(ref, { withToken, isNew: job.retries > 0 })
}
