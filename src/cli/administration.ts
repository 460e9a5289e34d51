import { type Command, InvalidArgumentError } from 'commander'
import { examples } from './examples.ts'

/** The commands of those who run the service. Their code is loaded when they are called. */
export function addAdministration(program: Command): void {
  program
    .command('catch-up')
    .description('look for webhooks and pushes that did not get here, and have them built')
    .option('--json', 'print JSON, for programs')
    .addHelpText('after', examples('build-service catch-up'))
    .action(async (options) => (await import('./commands/catch-up.ts')).catchUp(options))

  program
    .command('broadcast')
    .description('have clients of the API show users a message')
    .argument('<text>')
    .option('--for <name>', 'a user, an organization or owner/name; default: everyone')
    .option(
      '--until <time>',
      'when it ends, like 2026-01-31; default, and at the latest: after 14 days',
      timeIn,
    )
    .option('--warning', 'as a warning, rather than as an announcement')
    .addHelpText(
      'after',
      examples(
        'build-service broadcast "We move to another machine tonight" --until 2026-01-31T22:00Z',
        'build-service broadcast "Please rotate your keys" --for acme --warning',
      ),
    )
    .action(async (text, options) =>
      (await import('./commands/broadcast.ts')).broadcast(text, options),
    )

  program
    .command('block')
    .description(
      'reject what a user wants to have built, and the user’s tokens; or list who is blocked',
    )
    .argument('[login]')
    .addHelpText('after', examples('build-service block mallory', 'build-service block'))
    .action(async (login) => (await import('./commands/block.ts')).block(login))

  program
    .command('unblock')
    .description('end that')
    .argument('<login>')
    .addHelpText('after', examples('build-service unblock mallory'))
    .action(async (login) => (await import('./commands/block.ts')).unblock(login))
}

/** A day, or a time with its offset. */
function timeIn(text: string): Date {
  const hasForm = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d)?(?:Z|[+-]\d\d:\d\d))?$/.test(text)
  const time = new Date(text)
  if (hasForm && !Number.isNaN(time.getTime())) return time
  throw new InvalidArgumentError('It must be a day or a time, like 2026-01-31T22:00Z.')
}
