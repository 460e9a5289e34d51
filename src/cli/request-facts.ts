import { slugOf } from '../domain/repository.ts'
import { unusableText } from '../domain/request/decision.ts'
import { placeText, type Request } from '../domain/request/request.ts'
import { visible } from '../domain/text/escape-control-characters.ts'
import { shownTime } from '../domain/time/shown-time.ts'
import { reportsOfJobs } from '../flow/failures/run-report.ts'
import { buildUrl } from '../flow/statuses/links.ts'
import { jobNotes } from '../http/views/job-notes.ts'
import { requestApproval } from '../http/views/request-approval.ts'
import { findBuildOfRequest } from '../store/builds/builds.ts'
import { findCommit } from '../store/commits/commits.ts'
import { jobsOfBuild } from '../store/jobs/jobs.ts'
import { findRepository } from '../store/repositories/repositories.ts'
import type { Database } from '../store/tables.ts'
import { approvalText } from '../texts/approval-text.ts'
import { checkText, checkValues } from '../texts/check-text.ts'
import { waitingReasons } from '../texts/waiting-reasons.ts'
import { failureLines } from './failure-lines.ts'

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
    approval: await requestApproval(db, request),
    build: await buildFacts(db, id, publicUrl, slug ?? ''),
  }
}

async function buildFacts(db: Database, requestId: number, publicUrl: string, slug: string) {
  const build = await findBuildOfRequest(db, requestId)
  if (!build) return null
  const { id, number, state } = build
  const jobs = await jobsOfBuild(db, id)
  const known = await reportsOfJobs(
    { db, now: () => new Date() },
    jobs.map((job) => job.id),
  )
  const failures = jobs.flatMap((job) => {
    const report = known.get(job.id)
    return report?.failure ? [{ job: job.number, ...report }] : []
  })
  const waiting = jobs
    .map((job) => ({ job: job.number, why: waitingReasons(job) }))
    .filter(({ why }) => why.length > 0)
  const notes = jobs.flatMap((job) =>
    [...jobNotes(job), ...(job.reason === null ? [] : [job.reason])].map((text) => ({
      job: job.number,
      text,
    })),
  )
  return { id, number, state, url: buildUrl({ publicUrl }, slug, id), waiting, notes, failures }
}

/** The result of a request in one line, then its checks; characters that act on a terminal are escaped. */
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
    ...(build?.failures ?? []).flatMap(({ job, ...report }) => failureLines(`job ${job}`, report)),
  ]
}

function verdictOf({ state, result, message, checks }: Facts): string {
  const verdict = result ?? (state === 'started' ? 'being decided' : 'waiting')
  const unusable = unusableText(checks)
  if (unusable !== undefined) return `${verdict}, but its jobs cannot be made: ${unusable}`
  return message === null ? verdict : `${verdict}: ${message}`
}

function checkLines({ rule, passed, text, values, source }: Facts['checks'][number]): string[] {
  const place = source === null ? '' : ` (${visible(placeText(source))})`
  return [
    `  ${passed ? '✓' : '✗'} ${text}${place}`,
    ...checkValues({ rule, values }).map((value) => `      ${value}`),
  ]
}
