import {
  type Annotation,
  type CheckRun,
  type Codehost,
  CodehostError,
  type RepositoryRef,
} from '../../codehost/codehost.ts'
import { isUnapproved } from '../../domain/build.ts'
import { type Checked, checkedOf } from '../../domain/commit/commit-check.ts'
import type { Announcements } from '../../domain/outbox.ts'
import { slugOf } from '../../domain/repository.ts'
import { shownBuild, subjectOf } from '../../domain/request/about.ts'
import { isApiSource, placeText } from '../../domain/request/request.ts'
import { visible } from '../../domain/text/escape-control-characters.ts'
import { settingsPath } from '../../lint/project/settings.ts'
import { ReadingLimit } from '../../reader/reader.ts'
import type { Turn } from '../../reader/turns.ts'
import { requestsAbout } from '../../store/commits/commit-statuses.ts'
import { findRepository } from '../../store/repositories/repositories.ts'
import { rawConfigsOfRequest } from '../../store/requests/raw-configs.ts'
import { messagesOfRequest } from '../../store/requests/request-messages.ts'
import { buildFilePath } from '../build-file/config-read.ts'
import { fileText } from '../build-file/file-text.ts'
import type { Context } from '../context.ts'
import { atCodehost } from '../repositories/at-codehost.ts'
import { turnOf } from '../repositories/store-owner.ts'
import { type Fault, faultOf, unusableTitle } from './check-fault.ts'
import {
  type CheckFindings,
  type CheckInput,
  checkWork,
  findingsText,
  mostAnnotations,
} from './check-findings.ts'
import { approveButton, buildUrl, repositoryUrl } from './links.ts'
import { inMarkdown } from './markdown.ts'

/** The check's name. The external id of its runs is the id of their request. */
export const configCheck = 'service/config'

/**
 * Posts the check run of a commit's build file, for the request that determines it (D51): the findings, at
 * their lines (D28), or the reason for the missing build.
 */
export async function reportCheck(
  ctx: Context,
  { again = false, ...commit }: Announcements['check:config'],
): Promise<void> {
  const repository = await findRepository(ctx.db, { id: commit.repository_id })
  const requests = await requestsAbout(ctx.db, commit)
  const checked = checkedOf(requests)
  if (!repository || !checked) return
  const { request } = checked
  const build = shownBuild(request)
  const messages = await messagesOfRequest(ctx.db, request.id)
  const raw = await rawConfigsOfRequest(ctx.db, request.id)
  const fault = faultOf(request.checks)
  const isWithoutFile = build?.is_unusable === false && raw.length === 0 && !fault
  const { codehost, ref } = atCodehost(ctx, repository)
  // A commit without a build file needs no check (D38), but a check that was posted before must be completed.
  if (isWithoutFile && !(await isShown(codehost, ref, commit.sha))) return
  const file = raw.find(({ source }) => source.includes(`:${buildFilePath}@`))
  const findings = await findingsOf(ctx, turnOf(repository), {
    messages,
    text: file?.text ?? null,
    settings: file ? await settingsAt(codehost, ref, commit.sha) : null,
  })
  const { title, summary } = isWithoutFile ? withoutFile : verdict(findings, checked, fault)
  const slug = slugOf(repository)
  const { pull } = request
  const mayBeApproved = build ? isUnapproved(build) : checked.conclusion === 'action_required'
  const isOneOfMany = new Set(requests.map((each) => each.ref)).size > 1
  const run = {
    name: configCheck,
    head_sha: commit.sha,
    external_id: String(request.id),
    details_url: build ? buildUrl(ctx.config, slug, build.id) : repositoryUrl(ctx.config, slug),
    conclusion: checked.conclusion,
    title: isOneOfMany ? `${visible(subjectOf(request))}: ${title}` : title,
    summary: mayBeApproved
      ? `${approvalWanted(commit.sha, pull?.base_ref ?? '')}\n\n${summary}`
      : summary,
    annotations: annotationsOf(findings, fault),
    ...(mayBeApproved ? { actions: [approveButton] } : {}),
  }
  await codehost.putCheckRun(ref, run, again)
}

async function isShown(codehost: Codehost, ref: RepositoryRef, sha: string): Promise<boolean> {
  const runs = await codehost.checkRuns(ref, sha)
  return runs.some(({ name }) => name === configCheck)
}

function approvalWanted(sha: string, base: string): string {
  return (
    `**A maintainer decides.** Commit ${sha} comes from a fork: anyone who can push to this repository ` +
    `reviews it, and approves it with the button of this check. An approval is for this commit and for ` +
    `${inMarkdown(base)} as its base, and ends when either changes, or after 30 days.`
  )
}

/** The project's linter settings; null if there are none, or the app cannot read them. */
async function settingsAt(
  codehost: Codehost,
  ref: RepositoryRef,
  sha: string,
): Promise<string | null> {
  try {
    const bytes = await codehost.file(ref, settingsPath, sha)
    return bytes ? fileText(bytes) : null
  } catch (error) {
    if (!(error instanceof CodehostError) || error.temporary) throw error
    return null
  }
}

/** The findings of a build file; without advice if linting the file takes too many resources. */
async function findingsOf(
  { reader }: Context,
  turn: Turn,
  input: CheckInput,
): Promise<CheckFindings> {
  try {
    return (await reader.run(checkWork, input, { turn })).result
  } catch (error) {
    if (!(error instanceof ReadingLimit) || input.text === null) throw error
    const without = { ...input, text: null, settings: null }
    return (await reader.run(checkWork, without, { turn })).result
  }
}

/** The annotations of the findings, with one for the fault that prevents the build, at its line (D38). */
function annotationsOf(
  { annotations }: CheckFindings,
  fault: Fault | undefined,
): readonly Annotation[] {
  if (!fault?.source || !isOfCommit(fault.source.file)) return annotations
  const { file: path, line } = fault.source
  const isThere = annotations.some(
    (each) => each.level === 'failure' && each.path === path && each.start_line === line,
  )
  if (isThere) return annotations
  const at = { path, start_line: line, end_line: line }
  const { title, text } = fault
  const first: Annotation = { ...at, level: 'failure', title, message: text }
  return [first, ...annotations].slice(0, mostAnnotations)
}

/** Whether a source is a file of the commit, not of another repository or from the request. */
function isOfCommit(file: string): boolean {
  return !isApiSource(file) && !file.includes(':')
}

type Verdict = Pick<CheckRun, 'title' | 'summary'>

const withoutFile: Verdict = {
  title: 'No build file',
  summary: `This commit has no \`${buildFilePath}\`. Its build is one job of the language \`generic\`.`,
}

/** The reason for a missing build, or else the findings. */
function verdict(
  { count, summary }: CheckFindings,
  { request: { build }, text: said }: Checked,
  fault: Fault | undefined,
): Verdict {
  if (build?.is_unusable) {
    return {
      title: fault?.title ?? unusableTitle,
      summary: summary || (fault ? inMarkdown(fault.text) : 'The log of the build says why.'),
    }
  }
  if (fault) {
    const { title, text, source } = fault
    // If the fault is on a line of this commit, its annotation has the text.
    const told =
      source === null || isOfCommit(source.file)
        ? []
        : [`${inMarkdown(placeText(source))}: ${inMarkdown(text)}`]
    const parts = [...told, summary || 'Nothing is built until it is fixed.']
    return { title, summary: parts.join('\n\n') }
  }
  if (!build) {
    return { title: said, summary: [inMarkdown(said), summary].filter(Boolean).join('\n\n') }
  }
  const title = count === 0 ? 'No findings' : findingsText(count)
  return { title, summary: summary || 'No problems were found in the build file.' }
}
