import { resultSentence, resultWord } from '../../../domain/notification.ts'
import { slugOf } from '../../../domain/repository.ts'
import { NotifyError } from '../../../notify/notify-error.ts'
import { writeMailLink } from '../../../secrets/mail-link.ts'
import type { FlowConfig } from '../../context.ts'
import { unsubscribeUrl } from '../../statuses/links.ts'
import type { BuildFacts } from '../build-facts.ts'
import { isDeclined, isMailable, recipientsOf } from '../recipients.ts'
import { templateValues } from '../template.ts'
import {
  addressesOf,
  entriesOf,
  hiddenTarget,
  type Kind,
  type MailContent,
  type Planned,
  type Planner,
} from './kind.ts'

export const email: Kind<'email'> = {
  /** No mail is sent for pull requests (NT-24). */
  named: (section, { event_type }) =>
    (event_type === 'pull_request' ? [] : entriesOf(section.email ?? [{}])).flatMap((entry) =>
      entry.recipients === undefined
        ? [{ entry, address: null }]
        : addressesOf(entry, 'recipients'),
    ),

  async plan(ctx, facts, _options, { text, secret }) {
    const skipped = reasonNotToMail(ctx.config, text)
    if (skipped === undefined) return mailsTo(ctx, facts, text, secret)
    return [{ kind: 'email', target: secret ? hiddenTarget : text, skipped }]
  },

  planOfCommit: (ctx, facts) => mailsTo(ctx, facts, null, false),

  async send({ db, notifier, config }, { guid, repository_id }, { mail }) {
    const { mailFrom: from } = config
    if (!notifier.mail || from === undefined) {
      const message = 'the mail server is no longer configured (SMTP_URL and MAIL_FROM)'
      throw new NotifyError(message, { temporary: false })
    }
    // The recipient may have unsubscribed since the mail was planned, or before it is resent.
    if (await isDeclined(db, repository_id, mail.to)) {
      const message = 'this address has unsubscribed from this repository'
      throw new NotifyError(message, { temporary: false })
    }
    const host = new URL(config.publicUrl).hostname
    await notifier.mail({ ...mail, from, messageId: `<${guid}@${host}>` })
    return null
  },
}

/** The mails to an address that the file names, or to author and committer if `named` is null. */
async function mailsTo(
  ctx: Planner,
  facts: BuildFacts,
  named: string | null,
  secret: boolean,
): Promise<Planned[]> {
  const recipients = await recipientsOf(ctx.db, facts, named)
  return recipients.map(({ address: to, user_id }): Planned => {
    const link = user_id === null ? null : linkOf(ctx, facts, user_id)
    const mail = mailMessage(ctx.config, facts, { to, link })
    const content = { kind: 'email' as const, secret, mail }
    const target = secret ? hiddenTarget : to
    return { kind: 'email', target, address: to.toLowerCase(), content }
  })
}

/** The link with which a user unsubscribes from a repository's mails. */
function linkOf({ config, sealer }: Planner, { repository }: BuildFacts, user_id: number): string {
  return unsubscribeUrl(config, writeMailLink(sealer, { user_id, repository_id: repository.id }))
}

function reasonNotToMail({ smtpUrl }: Planner['config'], address: string): string | undefined {
  if (smtpUrl === undefined) return 'This service sends no mail: it has no mail server (SMTP_URL).'
  return isMailable(address) ? undefined : 'Mail to this address cannot arrive.'
}

/** A mail about a build; `link` unsubscribes its reader, and is null if the reader is not a known user. */
function mailMessage(
  config: Pick<FlowConfig, 'publicUrl'>,
  facts: BuildFacts,
  { to, link }: { to: string; link: string | null },
): MailContent {
  const { build, repository, commit } = facts
  const slug = slugOf(repository)
  const values = templateValues(config, facts)
  const cron = build.event_type === 'cron' ? '[CRON] ' : ''
  const named = `${slug}#${build.number} (${commit.branch} - ${values.commit})`
  const host = new URL(config.publicUrl).hostname
  return {
    to,
    subject: `${cron}${resultWord(build)}: ${named}`,
    text: [
      `${resultSentence(build)} ${slug}#${build.number}`,
      ...(facts.cause === null ? [] : [facts.cause]),
      '',
      ...fact('Branch', commit.branch),
      ...fact('Commit', `${values.commit} ${values.commit_subject}`),
      ...fact('Author', values.author),
      ...fact('Duration', values.duration),
      ...fact('Build', values.build_url),
      ...fact('Changes', values.compare_url),
      '',
      '-- ',
      link === null
        ? 'The build file of this repository names your address.'
        : `To get no more mails about builds of ${slug}: ${link}`,
      '',
    ].join('\n'),
    // This header lets mail programs group the mails about one build.
    inReplyTo: `<${slug}+${build.id}+${build.state}@${host}>`,
    headers: {
      'Service-Repository': slug,
      'Service-Result': build.state,
      'Auto-Submitted': 'auto-generated',
      ...(link === null
        ? {}
        : {
            'List-Unsubscribe': `<${link}>`,
            'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
          }),
    },
  }
}

function fact(name: string, value: string | undefined): string[] {
  return value === undefined || value === '' ? [] : [`${name.padEnd(9)} ${value}`]
}
