import {
  type Annotation,
  type CheckRun,
  type Codehost,
  CodehostError,
  type RepositoryRef,
} from '../../codehost/codehost.ts'
import { type Checked, checkedOf } from '../../domain/commit-check.ts'
import { subjectOf } from '../../domain/commit-status.ts'
import type { Announcements } from '../../domain/outbox.ts'
import { slugOf } from '../../domain/repository.ts'
import { isApiSource, placeText } from '../../domain/request/request.ts'
import { visible } from '../../domain/visible.ts'
import { settingsPath } from '../../lint/project/settings.ts'
import { ReadingLimit } from '../../reader/reader.ts'
import type { Turn } from '../../reader/turns.ts'
import { requestsAbout } from '../../store/commit-statuses.ts'
import { rawConfigsOfRequest } from '../../store/raw-configs.ts'
import { messagesOfRequest } from '../../store/request-messages.ts'
import { findRepository } from '../../store/repositories.ts'
import { buildFilePath } from '../build-file/config-read.ts'
import { fileText } from '../build-file/file-text.ts'
import type { Context } from '../context.ts'
import { atCodehost } from '../repository/at-codehost.ts'
import { turnOf } from '../repository/turn-of.ts'
import { approveButton } from './approve-button.ts'
import { type Fault, faultOf, unusableTitle } from './check-fault.ts'
import { type CheckFindings, type CheckInput, checkWork } from './check-findings.ts'
import { buildUrl, repositoryUrl } from './links.ts'
import { inMarkdown } from './markdown.ts'

/** Its runs have the id of their request as external id. */
export const configCheck = 'service/config'

/**
 * Posts the check run of a commit's build file, of the request that decides it (D51): the findings, at their
 * lines (D28), or why it was not built.
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
  const messages = await messagesOfRequest(ctx.db, request.id)
  const raw = await rawConfigsOfRequest(ctx.db, request.id)
  const fault = faultOf(request.checks)
  // Without a file there is nothing to be said about it (D38).
  if (request.build?.is_unusable === false && raw.length === 0 && !fault) return
  const file = raw.find(({ source }) => source.includes(`:${buildFilePath}@`))
  const { codehost, ref } = atCodehost(ctx, repository)
  const findings = await findingsOf(ctx, turnOf(repository), {
    messages,
    text: file?.text ?? null,
    settings: file ? await settingsAt(codehost, ref, commit.sha) : null,
  })
  const { title, summary } = verdict(findings, checked, fault)
  const slug = slugOf(repository)
  const { build, pull } = request
  const mayBeApproved = build
    ? build.waits_for_approval && build.state === 'created'
    : checked.conclusion === 'action_required'
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

function approvalWanted(sha: string, base: string): string {
  return (
    `**A maintainer decides.** Commit ${sha} comes from a fork: anyone who can push to this repository ` +
    `reviews it, and approves it with the button of this check. An approval is for this commit and for ` +
    `${inMarkdown(base)} as its base, and ends when either changes, or after 30 days.`
  )
}

/** What the project wants of the linter; none where they may not be read. */
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

/** Without advice for a file that takes too much to read. */
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

/** Those of the findings; why nothing can be built always has one, at its line (D38). */
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
  return [{ ...at, level: 'failure', title, message: text }, ...annotations]
}

/** Whether a source is a file of the commit, rather than one of another repository or brought by the request. */
function isOfCommit(file: string): boolean {
  return !isApiSource(file) && !file.includes(':')
}

type Verdict = Pick<CheckRun, 'title' | 'summary'>

/** Why nothing is built, or else what was found. */
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
    // An annotation has the text where there is a line of this commit for it.
    const told =
      source === null || isOfCommit(source.file)
        ? []
        : [`${inMarkdown(placeText(source))}: ${inMarkdown(text)}`]
    const parts = [...told, summary || 'Nothing is built before it is corrected.']
    return { title, summary: parts.join('\n\n') }
  }
  if (!build) {
    return { title: said, summary: [inMarkdown(said), summary].filter(Boolean).join('\n\n') }
  }
  const title = count === 0 ? 'No findings' : `${count} finding${count === 1 ? '' : 's'}`
  return { title, summary: summary || 'No problems were found in the build file.' }
}
