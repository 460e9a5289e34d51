import { type Approval, approvalSeconds } from '../domain/request/approval.ts'
import { shownTime } from '../domain/shown-time.ts'
import { slugOf } from '../domain/repository.ts'
import { unusableText } from '../domain/request/decision.ts'
import { placeText, type Request } from '../domain/request/request.ts'
import { visible } from '../domain/visible.ts'
import { buildUrl } from '../flow/report/links.ts'
import { checkText, checkValues } from '../http/check-text.ts'
import { versionNote } from '../http/version-note.ts'
import { waitingReasons } from '../http/waiting-reasons.ts'
import { approvalOf } from '../store/approvals.ts'
import { findBuildOfRequest } from '../store/builds.ts'
import { findCommit } from '../store/commits.ts'
import { jobsOfBuild } from '../store/jobs.ts'
import { findRepository } from '../store/repositories.ts'
import type { Database } from '../store/tables.ts'

type Facts = Awaited<ReturnType<typeof requestFacts>>

/** Why a request led to a build, or to none, as V3's `explain` and the pages show it (D34). */
export async function requestFacts(db: Database, request: Request, publicUrl: string) {
  const { id, event_type, state, result, reason, message, created_at, checks } = request
  const repository = await findRepository(db, { id: request.repository_id })
  const commit = request.commit_id === null ? undefined : await findCommit(db, request.commit_id)
  const slug = repository ? slugOf(repository) : null
  return {
    request: id,
    event_type,
    repository: slug,
    sender: request.sender_login || null,
    branch: commit?.branch ?? request.base_ref,
    sha: request.head_commit ?? commit?.sha ?? request.after_sha,
    created_at,
    state,
    result,
    reason,
    message,
    checks: checks.map((check) => ({
      rule: check.rule,
      passed: check.passed,
      text: checkText(check),
      values: check.values,
      source: check.source,
    })),
    approval: await approvalOf(db, request, approvalSeconds),
    build: await buildFacts(db, id, publicUrl, slug ?? ''),
  }
}

async function buildFacts(db: Database, requestId: number, publicUrl: string, slug: string) {
  const build = await findBuildOfRequest(db, requestId)
  if (!build) return null
  const { id, number, state } = build
  const jobs = await jobsOfBuild(db, id)
  const waiting = jobs
    .map((job) => ({ job: job.number, why: waitingReasons(job) }))
    .filter(({ why }) => why.length > 0)
  const notes = jobs.flatMap((job) => {
    const text = versionNote(job)
    return text === undefined ? [] : [{ job: job.number, text }]
  })
  return { id, number, state, url: buildUrl({ publicUrl }, slug, id), waiting, notes }
}

/** What came of a request in one line, then its checks; nothing in them acts on a terminal. */
export function requestLines(facts: Facts): string[] {
  const {
    request,
    event_type,
    repository,
    sender,
    branch,
    sha,
    created_at,
    checks,
    build,
    approval,
  } = facts
  const commit = [branch, sha?.slice(0, 12)].filter(Boolean).join(' ')
  const rows: [string, string | null][] = [
    ['request', `${request} (${event_type}) at ${shownTime(created_at)}`],
    ['repository', repository ?? 'deleted'],
    ['commit', commit || null],
    ['sender', sender],
    ['verdict', verdictOf(facts)],
    ['approval', approval && approvalText(approval)],
    ['build', build && `#${build.number}, ${build.state}: ${build.url}`],
  ]
  return [
    ...rows.flatMap(([name, text]) => (text === null ? [] : `${name.padEnd(12)}${visible(text)}`)),
    ...(checks.length > 0 ? ['checks, in their order; the last one decided'] : []),
    ...checks.flatMap(checkLines),
    ...(build?.waiting ?? []).flatMap(({ job, why }) => why.map((text) => `job ${job}: ${text}`)),
    ...(build?.notes ?? []).map(({ job, text }) => `job ${job}: ${visible(text)}`),
  ]
}

function verdictOf({ state, result, message, checks }: Facts): string {
  const verdict = result ?? (state === 'started' ? 'being decided' : 'waiting')
  const unusable = unusableText(checks)
  if (unusable !== undefined) return `${verdict}, but its jobs cannot be made: ${unusable}`
  return message === null ? verdict : `${verdict}: ${message}`
}

function approvalText(approval: Approval): string {
  if (approval.state === 'waiting') {
    return (
      'none yet: what comes from a fork waits until a maintainer approves this commit, on the page of ' +
      'the build'
    )
  }
  if (approval.state === 'superseded') {
    return 'none possible: the pull request has another head by now, and only that one is built'
  }
  const given = `by ${approval.by ?? 'a user who is deleted'} at ${shownTime(approval.at)}`
  const until = shownTime(approval.until)
  return approval.state === 'approved'
    ? `${given}, until ${until} or the next head`
    : `ended at ${until}: given ${given}. What is built or restarted now waits for another one`
}

function checkLines({ rule, passed, text, values, source }: Facts['checks'][number]): string[] {
  const place = source === null ? '' : ` (${visible(placeText(source))})`
  return [
    `  ${passed ? '✓' : '✗'} ${text}${place}`,
    ...checkValues({ rule, values }).map((value) => `      ${value}`),
  ]
}
