import type { NotificationKind } from '../../domain/notification.ts'
import { slugOf } from '../../domain/repository.ts'
import { writeMailLink } from '../../secrets/mail-link.ts'
import type { Decrypt } from '../../secrets/secure-value.ts'
import type { Context } from '../context.ts'
import { unsubscribeUrl } from '../report/links.ts'
import type { BuildFacts } from './build-facts.ts'
import type { Content } from './content.ts'
import { mailMessage } from './mail-message.ts'
import { type OpenAddress, openAddress } from './open-address.ts'
import { isMailable, recipientsOf } from './recipients.ts'
import { readSlackRoom, slackBody } from './slack-message.ts'
import type { Target } from './targets.ts'
import { templateValues } from './template.ts'
import { webhookPayload } from './webhook-payload.ts'

/** A notification before it is stored: what is sent, or why nothing is. */
export type Planned = { kind: NotificationKind; target: string } & (
  | { address: string; content: Content }
  | { skipped: string }
)

/** What is shown in place of a target whose address is encrypted. */
const hiddenTarget = '[secure]'

type Planner = Pick<Context, 'db' | 'sealer' | 'config'>
type Opened = Extract<OpenAddress, { text: string }>

/** What a target of a build file gets. */
export async function plannedFor(
  ctx: Planner,
  facts: BuildFacts,
  target: Target,
  decrypt: Decrypt,
): Promise<Planned[]> {
  if (target.address === null) return mailsFor(ctx, facts, null)
  const planned: Planned[] = []
  for (const opened of openAddress(target.address, decrypt)) {
    if ('problem' in opened) {
      planned.push({ kind: target.kind, target: hiddenTarget, skipped: opened.problem })
    } else if (target.kind === 'email') planned.push(...(await mailsFor(ctx, facts, opened)))
    else if (target.kind === 'slack') planned.push(slackFor(ctx, facts, target, opened))
    else planned.push(webhookFor(ctx, facts, target, opened))
  }
  return planned
}

function webhookFor(
  ctx: Planner,
  facts: BuildFacts,
  { teams }: Pick<Target, 'teams'>,
  opened: Opened,
): Planned {
  const target = shownUrl(opened)
  const { text: url, secret } = opened
  if (!teams) return { target, ...webhookTo(ctx, facts, { url, secret, trusted: false }) }
  const skipped = 'Messages in the form of Microsoft Teams are not sent by this version.'
  return { kind: 'webhook', target, skipped }
}

/** A webhook to some address. */
export function webhookTo(
  { config }: Planner,
  facts: BuildFacts,
  { url, secret, trusted }: { url: string; secret: boolean; trusted: boolean },
): { kind: 'webhook'; address: string; content: Content } {
  const payload = webhookPayload(config, facts)
  const slug = slugOf(facts.repository)
  return {
    kind: 'webhook',
    address: url,
    content: { kind: 'webhook', secret, url, trusted, slug, payload },
  }
}

function slackFor(
  { config }: Planner,
  facts: BuildFacts,
  { template }: Pick<Target, 'template'>,
  opened: Opened,
): Planned {
  const room = readSlackRoom(opened.text)
  if (!room) {
    const skipped =
      'This is neither account:token nor the address of an incoming webhook, with #channel behind it.'
    return { kind: 'slack', target: opened.secret ? hiddenTarget : opened.text, skipped }
  }
  const { state } = facts.build
  const body = slackBody(room, { state, values: templateValues(config, facts), template })
  const { hostname } = new URL(room.url)
  const content = { kind: 'slack' as const, secret: opened.secret, url: room.url, body }
  const target = opened.secret ? hiddenTarget : `${hostname}${room.channel ?? ''}`
  return { kind: 'slack', target, address: opened.text, content }
}

async function mailsFor(
  ctx: Planner,
  facts: BuildFacts,
  opened: Opened | null,
): Promise<Planned[]> {
  const secret = opened?.secret === true
  const hidden = secret ? hiddenTarget : null
  const skipped = opened && reasonNotToMail(ctx.config, opened.text)
  if (skipped) return [{ kind: 'email', target: hidden ?? opened.text, skipped }]
  const recipients = await recipientsOf(ctx.db, facts, opened?.text ?? null)
  return recipients.map(({ address: to, user_id }): Planned => {
    const repository_id = facts.repository.id
    const link =
      user_id === null
        ? null
        : unsubscribeUrl(ctx.config, writeMailLink(ctx.sealer, { user_id, repository_id }))
    const mail = mailMessage(ctx.config, facts, { to, link })
    return {
      kind: 'email',
      target: hidden ?? to,
      address: to.toLowerCase(),
      content: { kind: 'email', secret, mail },
    }
  })
}

function reasonNotToMail({ smtpUrl }: Planner['config'], address: string): string | undefined {
  if (smtpUrl === undefined) return 'This service sends no mail: it has no mail server (SMTP_URL).'
  return isMailable(address) ? undefined : 'Mail to this address cannot arrive.'
}

/** An address without what may be secret of it: what logs in, and the query; all of an encrypted one. */
function shownUrl({ text, secret }: Opened): string {
  if (secret) return hiddenTarget
  if (!URL.canParse(text)) return text
  const { protocol, host, pathname } = new URL(text)
  return `${protocol}//${host}${pathname}`
}
