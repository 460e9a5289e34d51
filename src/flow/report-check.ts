import type { Annotation, CheckRun } from '../codehost/codehost.ts'
import type { Announcements } from '../domain/outbox.ts'
import { slugOf } from '../domain/repository.ts'
import type { MessageLevel, RequestMessage } from '../domain/request.ts'
import { findBuildOfRequest } from '../store/builds.ts'
import { messagesOfRequest } from '../store/requests.ts'
import { atCodehost } from './at-codehost.ts'
import type { Context } from './context.ts'
import { buildUrl, repositoryUrl } from './links.ts'
import { findReported } from './reported-request.ts'

export const checkName = 'service/config'

/** Code hosts take this many annotations in one call. */
const mostAnnotations = 50

/** Posts the check run that shows what was found in the build file, at its lines (D28). */
export async function reportCheck(
  ctx: Context,
  { request_id }: Announcements['check:config'],
): Promise<void> {
  const reported = await findReported(ctx, request_id)
  if (!reported) return
  const { request, repository, sha } = reported
  const build = await findBuildOfRequest(ctx.db, request.id)
  const messages = await messagesOfRequest(ctx.db, request.id)
  const { codehost, ref } = await atCodehost(ctx, repository)
  const slug = slugOf(repository)
  await codehost.putCheckRun(ref, {
    name: checkName,
    head_sha: sha,
    external_id: String(request.id),
    details_url: build ? buildUrl(ctx.config, slug, build.id) : repositoryUrl(ctx.config, slug),
    ...verdict(messages, build?.config_error ?? null),
    annotations: messages.flatMap(annotation).slice(0, mostAnnotations),
  })
}

function verdict(
  messages: readonly RequestMessage[],
  error: string | null,
): Pick<CheckRun, 'conclusion' | 'title' | 'summary'> {
  const count = messages.filter(({ level }) => level !== 'info').length
  const summary = messages.map(({ level, text }) => `- **${level}** ${text}`).join('\n')
  if (error !== null) {
    const title = 'The build file cannot be used'
    return { conclusion: 'failure', title, summary: summary || 'The log of the build says why.' }
  }
  const conclusion = count === 0 ? 'success' : 'neutral'
  const title = count === 0 ? 'No findings' : `${count} finding${count === 1 ? '' : 's'}`
  return { conclusion, title, summary: summary || 'The build file is as it should be.' }
}

const levels = {
  alert: 'failure',
  error: 'failure',
  warn: 'warning',
  info: 'notice',
} as const satisfies Record<MessageLevel, Annotation['level']>

function annotation({ level, text, code, src, line, column }: RequestMessage): Annotation[] {
  if (line === null) return []
  return [
    {
      path: src,
      start_line: line,
      end_line: line,
      ...(column === null ? {} : { start_column: column, end_column: column }),
      level: levels[level],
      title: code,
      message: text,
    },
  ]
}
