import type { Commit } from '../../../domain/commit/commit.ts'
import { presentBuildConfig, presentJobConfig } from '../../../domain/config/shown-config.ts'
import type { Job } from '../../../domain/job/job.ts'
import { resultNumber, resultWord } from '../../../domain/notification.ts'
import { slugOf } from '../../../domain/repository.ts'
import { shownTime } from '../../../domain/time/shown-time.ts'
import { sealedIn } from '../../../secrets/sealed-records.ts'
import { signText } from '../../../secrets/signature.ts'
import type { FlowConfig } from '../../context.ts'
import { signingKey } from '../../secrets/service-keys.ts'
import { buildUrl, repositoryUrl } from '../../statuses/links.ts'
import type { BuildFacts } from '../build-facts.ts'
import {
  addressesOf,
  type ContentOf,
  entriesOf,
  hiddenTarget,
  type Kind,
  type Opened,
  type Planner,
  sender,
} from './kind.ts'

export const webhook: Kind<'webhook'> = {
  named: ({ webhooks }) => entriesOf(webhooks).flatMap((entry) => addressesOf(entry, 'urls')),

  async plan(ctx, facts, { teams }, opened) {
    const target = shownUrl(opened)
    const { text: url, secret } = opened
    if (!teams) return [{ target, ...webhookTo(ctx, facts, { url, secret, trusted: false }) }]
    const skipped = 'Messages in the form of Microsoft Teams are not sent by this version.'
    return [{ kind: 'webhook', target, skipped }]
  },

  /**
   * Posts a build, signed. The signed text contains the notification's id, which stays the same, and the
   * time of the attempt, so that receivers can refuse replays by third parties.
   */
  async send(ctx, { guid }, { url, secret, trusted, slug, payload }) {
    const delivery = { id: guid, sent_at: shownTime(ctx.now()) }
    const text = JSON.stringify({ ...payload, delivery })
    const { sealed_private_key } = await signingKey(ctx)
    const key = ctx.sealer.openText(sealedIn.signingKey(), sealed_private_key)
    const post = trusted ? ctx.notifier.postTrusted : ctx.notifier.post
    return post({
      url,
      secret,
      body: new URLSearchParams({ payload: text }).toString(),
      headers: {
        ...sender,
        'content-type': 'application/x-www-form-urlencoded',
        signature: signText(key, text, 'sha1'),
        'signature-256': signText(key, text, 'sha256'),
        'service-repo-slug': slug,
        'service-delivery': guid,
      },
    })
  },
}

/** The webhook for an address. */
export function webhookTo(
  { config }: Pick<Planner, 'config'>,
  facts: BuildFacts,
  { url, secret, trusted }: { url: string; secret: boolean; trusted: boolean },
): { kind: 'webhook'; address: string; content: ContentOf<'webhook'> } {
  const payload = webhookPayload(config, facts)
  const slug = slugOf(facts.repository)
  return {
    kind: 'webhook',
    address: url,
    content: { kind: 'webhook', secret, url, trusted, slug, payload },
  }
}

/** An address without its credentials and query, which may be secret; an encrypted one is hidden. */
function shownUrl({ text, secret }: Opened): string {
  if (secret) return hiddenTarget
  if (!URL.canParse(text)) return text
  const { protocol, host, pathname } = new URL(text)
  return `${protocol}//${host}${pathname}`
}

/** The payload of a webhook about a build. */
function webhookPayload(
  config: Pick<FlowConfig, 'publicUrl'>,
  facts: BuildFacts,
): Record<string, unknown> {
  const { build, repository, commit, request, pull, jobs } = facts
  const slug = slugOf(repository)
  const word = resultWord(build)
  const result = resultNumber(build.state)
  return {
    id: build.id,
    number: String(build.number),
    config: presentBuildConfig(build.config),
    type: build.event_type,
    state: build.state,
    status: result,
    result,
    status_message: word,
    result_message: word,
    started_at: time(build.started_at),
    finished_at: time(build.finished_at),
    duration: build.duration,
    build_url: buildUrl(config, slug, build.id),
    commit_id: commit.id,
    commit: commit.sha,
    base_commit: request.base_commit,
    head_commit: request.head_commit,
    ...ofCommit(commit),
    pull_request: build.event_type === 'pull_request',
    pull_request_number: pull?.number ?? null,
    pull_request_title: pull?.title ?? null,
    tag: commit.tag_name,
    repository: {
      id: repository.id,
      name: repository.name,
      owner_name: repository.owner_name,
      url: repositoryUrl(config, slug),
    },
    matrix: jobs.map((job) => ofJob(job, facts)),
  }
}

function ofJob(job: Job, { repository, commit, request }: BuildFacts) {
  const result = resultNumber(job.state)
  return {
    id: job.id,
    repository_id: repository.id,
    parent_id: job.build_id,
    number: job.number,
    state: job.state,
    config: presentJobConfig(job.config, request.from_fork),
    status: result,
    result,
    commit: commit.sha,
    ...ofCommit(commit),
    started_at: time(job.started_at),
    finished_at: time(job.finished_at),
    allow_failure: job.allow_failure,
  }
}

function ofCommit(commit: Commit) {
  return {
    branch: commit.branch,
    message: commit.message,
    compare_url: commit.compare_url,
    committed_at: time(commit.committed_at),
    author_name: commit.author_name,
    author_email: commit.author_email,
    committer_name: commit.committer_name,
    committer_email: commit.committer_email,
  }
}

const time = (at: Date | null) => (at === null ? null : shownTime(at))
