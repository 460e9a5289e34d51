import {
  type Annotation,
  type CheckRun,
  type Codehost,
  CodehostError,
  type RepositoryRef,
} from '../../codehost/codehost.ts'
import { isFinished } from '../../domain/job/job.ts'
import type { Announcements } from '../../domain/outbox.ts'
import { slugOf } from '../../domain/repository.ts'
import { isApiSource, placeText } from '../../domain/request/request.ts'
import { visible } from '../../domain/visible.ts'
import { settingsPath } from '../../lint/project/settings.ts'
import { ReadingLimit } from '../../reader/reader.ts'
import type { Turn } from '../../reader/turns.ts'
import { findBuildOfRequest } from '../../store/builds.ts'
import { rawConfigsOfRequest } from '../../store/raw-configs.ts'
import { messagesOfRequest } from '../../store/request-messages.ts'
import { requestsShownAt } from '../../store/requests.ts'
import { buildFilePath } from '../build-file/config-read.ts'
import { fileText } from '../build-file/file-text.ts'
import type { Context } from '../context.ts'
import { atCodehost } from '../repository/at-codehost.ts'
import { turnOf } from '../repository/turn-of.ts'
import { approveButton } from './approve-button.ts'
import { type Fault, type FaultBeside, faultBeside, faultOf, unusableTitle } from './check-fault.ts'
import { type CheckFindings, type CheckInput, checkWork } from './check-findings.ts'
import { buildUrl, repositoryUrl } from './links.ts'
import { inMarkdown } from './markdown.ts'
import { findReportedRequest } from './reported-request.ts'

/** Its runs have the id of their request as external id. */
export const configCheck = 'service/config'

/** Posts the check run that shows the findings about the build file, at its lines (D28). */
export async function reportCheck(
  ctx: Context,
  { request_id }: Announcements['check:config'],
): Promise<void> {
  const reported = await findReportedRequest(ctx, request_id)
  if (!reported) return
  const { request, repository, sha } = reported
  const build = await findBuildOfRequest(ctx.db, request.id)
  const messages = await messagesOfRequest(ctx.db, request.id)
  const raw = await rawConfigsOfRequest(ctx.db, request.id)
  const file = raw.find(({ source }) => source.includes(`:${buildFilePath}@`))
  const fault = faultOf(request.checks)
  const { codehost, ref } = atCodehost(ctx, repository)
  const findings = await findingsOf(ctx, turnOf(repository), {
    messages,
    text: file?.text ?? null,
    settings: file ? await settingsAt(codehost, ref, sha) : null,
  })
  const slug = slugOf(repository)
  const waits = build?.waits_for_approval === true && !isFinished(build)
  const own = verdict(findings, build?.config_error ?? null, fault)
  const beside =
    own.conclusion === 'failure'
      ? undefined
      : faultBeside(request, await requestsShownAt(ctx.db, repository.id, sha))
  const { summary, ...told } = beside ? verdictBeside(beside, own) : own
  await codehost.putCheckRun(ref, {
    name: configCheck,
    head_sha: sha,
    external_id: String(request.id),
    details_url: build ? buildUrl(ctx.config, slug, build.id) : repositoryUrl(ctx.config, slug),
    ...told,
    summary: waits ? `${approvalWanted(sha)}\n\n${summary}` : summary,
    annotations: annotationsOf(findings, fault),
    ...(waits ? { actions: [approveButton] } : {}),
  })
}

function approvalWanted(sha: string): string {
  return (
    `**The build waits for approval.** Commit ${sha} comes from a fork: anyone who can push to this ` +
    'repository reviews it, and approves it with the button of this check. An approval is for this ' +
    'commit alone and ends with the next one, or after 30 days.'
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

type Verdict = Pick<CheckRun, 'conclusion' | 'title' | 'summary'>

/** Of a request with nothing wrong, whose commit another one is about that is not built. */
function verdictBeside({ title, text, ref }: FaultBeside, own: Verdict): Verdict {
  const of = ref.replace(/^refs\/(heads\/)?/, '')
  return {
    conclusion: 'failure',
    title: `${title} (${visible(of)})`,
    summary:
      `**Another request is about the same commit, of ${inMarkdown(ref)}:** ${inMarkdown(text)}\n\n` +
      `Of this request: ${own.title}.\n\n${own.summary}`,
  }
}

/** Neutral, so that it does not block merging, unless nothing can be built (D28, D38). */
function verdict(
  { count, summary }: CheckFindings,
  error: string | null,
  fault: Fault | undefined,
): Verdict {
  if (error !== null) {
    return {
      conclusion: 'failure',
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
    return { conclusion: 'failure', title, summary: parts.join('\n\n') }
  }
  const title = count === 0 ? 'No findings' : `${count} finding${count === 1 ? '' : 's'}`
  return {
    conclusion: 'neutral',
    title,
    summary: summary || 'No problems were found in the build file.',
  }
}
