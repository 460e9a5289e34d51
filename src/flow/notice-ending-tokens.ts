import { shownTime } from '../domain/shown-time.ts'
import { soonDays, whenItEnds } from '../domain/token-end.ts'
import { visible } from '../domain/visible.ts'
import { NotifyError } from '../notify/notify-error.ts'
import { claimNotice, dropNotice, type EndingToken, endingTokens } from '../store/ending-tokens.ts'
import type { Context } from './context.ts'

/** The others have to wait for the next time. */
const mostAtOnce = 100

/**
 * Tells by mail who has made a token that it ends soon, once for each end. Where no mail server is set, or
 * someone has no address, only the profile says so.
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
      ctx.log.info({ token_id: token.id, reason: error.message }, 'the end of a token was not told')
      if (!error.temporary) continue
      await dropNotice(ctx.db, token.id)
      // Without a response it does not take the others now either; with one it may.
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
      `The access token ${name}${of}, which you have made at ${config.publicUrl},`,
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
