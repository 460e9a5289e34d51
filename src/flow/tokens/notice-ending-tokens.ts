import { visible } from '../../domain/text/escape-control-characters.ts'
import { shownTime } from '../../domain/time/shown-time.ts'
import { soonDays, whenItEnds } from '../../domain/token-end.ts'
import { NotifyError } from '../../notify/notify-error.ts'
import {
  claimNotice,
  dropNotice,
  type EndingToken,
  endingTokens,
} from '../../store/tokens/ending-tokens.ts'
import type { Context } from '../context.ts'

/** Notices per run; the other tokens wait for the next run. */
const mostAtOnce = 100

/**
 * Notifies the makers of tokens by mail that these end soon, once for each end. Without a mail server, or
 * without an address of the maker, only the profile shows it.
 */
export async function noticeEndingTokens(ctx: Context): Promise<void> {
  if (!ctx.notifier.mail || ctx.config.mailFrom === undefined) return
  const now = ctx.now()
  const found = await endingTokens(ctx.db, { now, days: soonDays, limit: mostAtOnce })
  for (const token of found) {
    if (!(await claimNotice(ctx.db, token))) continue
    try {
      await sendNotice(ctx, token, now)
    } catch (error) {
      if (!(error instanceof NotifyError)) throw error
      ctx.log.info(
        { token_id: token.id, reason: error.message },
        'the owner of an expiring token was not notified',
      )
      if (!error.temporary) continue
      await dropNotice(ctx.db, token.id)
      // A mail server that does not respond will not accept the others now either.
      if (error.status === undefined) return
    }
  }
}

async function sendNotice(
  { notifier, config }: Pick<Context, 'notifier' | 'config'>,
  token: EndingToken,
  now: Date,
): Promise<void> {
  const { id, email, slug, expires_at, ends_at } = token
  const name = visible(token.name ?? `number ${id}`)
  const when = whenItEnds(expires_at, now)
  const of = slug === null ? '' : ` of ${slug}`
  const host = new URL(config.publicUrl).hostname
  await notifier.mail?.({
    from: config.mailFrom ?? '',
    to: email,
    subject: `The access token ${name}${of} ends ${when}`,
    text: [
      `The access token ${name}${of}, which you created at ${config.publicUrl},`,
      `ends ${when} (${shownTime(expires_at)})${ends_at === null ? ', unless it is used before' : ''}.`,
      '',
      'If something still uses it, make another one and put it there:',
      slug === null ? `${config.publicUrl}/profile` : `${config.publicUrl}/${slug}`,
      '',
    ].join('\n'),
    messageId: `<token-${id}-${expires_at.getTime()}@${host}>`,
    headers: { 'Auto-Submitted': 'auto-generated' },
  })
}
