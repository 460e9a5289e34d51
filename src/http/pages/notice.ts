import type { IncomingHttpHeaders } from 'node:http'
import { type ErrorKind, ServiceError } from '../../domain/errors.ts'
import { type Answer, redirect, withCookie } from '../core/answer.ts'
import type { Site } from '../core/context.ts'
import type { Call } from '../core/endpoint.ts'
import { siteCookie, siteCookieIn } from '../identity/site-cookie.ts'

/** The notices that the next page can show about the form that was sent before it. */
const notices = {
  restarted: 'Restarted. Its jobs run as soon as a runner is free.',
  failed_restarted: 'Restarted the jobs that did not pass. They run as soon as a runner is free.',
  canceled: 'Canceled. Runners stop its jobs within a few seconds.',
  approved: 'Approved. Its jobs run as soon as a runner is free.',
  passed_over: 'Approved: the commit passes without a build.',
  requested: 'Requested. The build appears here as soon as its build file has been read.',
  saved: 'Saved.',
  variable_added: 'The variable is added. Jobs that begin from now on get it.',
  variable_deleted: 'The variable is deleted. Jobs that begin from now on do not get it.',
  cron_set: 'The cron is set. It builds its branch at the time shown below.',
  cron_deleted: 'The cron is deleted.',
  key_set: 'The key is set. Jobs that begin from now on use it.',
  key_deleted: 'The key is removed. Jobs that begin from now on use the generated key.',
} as const

export type Notice = keyof typeof notices

const name = 'service.notice'
const seconds = 60

/** Redirects to the page that shows the result of a form, with a notice that is shown once. */
export function redirectWith(site: Site, path: string, notice: Notice): Answer {
  return withCookie(redirect(path, 303), noticeCookie(site, notice))
}

/** A cookie with a notice, or one that removes it. It holds the name of the notice, not a text. */
export function noticeCookie(site: Site, value: Notice | null) {
  return siteCookie(site, { name, value, path: '/', lifetime: seconds, sameSite: 'Lax' })
}

/** The sentence of the notice that a browser was given. */
export function noticeIn(site: Site, headers: IncomingHttpHeaders): string | undefined {
  const given = siteCookieIn(site, headers, name)
  const found = Object.entries(notices).find(([each]) => each === given)
  return found?.[1]
}

interface Submitted {
  /** The page on which the change is visible. */
  path: string
  notice: Notice
  /** The page of the form, with why nothing was changed. */
  refused(problem: string): Promise<Answer>
}

/** Makes the change that a form asks for, and leads to the page that shows it; or says why it cannot be made. */
export async function submit(
  { ctx: { site } }: Pick<Call, 'ctx'>,
  change: () => Promise<unknown>,
  { path, notice, refused }: Submitted,
): Promise<Answer> {
  try {
    await change()
  } catch (error) {
    return refused(refusalIn(error))
  }
  return redirectWith(site, path, notice)
}

const refusals: ReadonlySet<ErrorKind> = new Set([
  'build_already_running',
  'build_not_cancelable',
  'duplicate_resource',
  'job_already_running',
  'job_not_cancelable',
  'not_restartable',
  'repository_inactive',
  'request_limit_reached',
  'too_costly',
  'unprocessable_entity',
  'wrong_params',
])

/**
 * The reason why a form changed nothing, as a sentence for its page. Throws errors that have their own page.
 */
export function refusalIn(error: unknown): string {
  if (!(error instanceof ServiceError) || !refusals.has(error.kind)) throw error
  const { message } = error
  return `${message.slice(0, 1).toUpperCase()}${message.slice(1)}.`
}
