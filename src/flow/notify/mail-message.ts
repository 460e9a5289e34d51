import { resultSentence, resultWord } from '../../domain/notification.ts'
import { slugOf } from '../../domain/repository.ts'
import type { FlowConfig } from '../context.ts'
import type { BuildFacts } from './build-facts.ts'
import type { MailContent } from './content.ts'
import { templateValues } from './template.ts'

/** A mail about a build; `link` is where its reader can leave such mails, if that is a user. */
export function mailMessage(
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
    // So that what is said of one build is shown together.
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
