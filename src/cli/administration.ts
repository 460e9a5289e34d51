import { type Command, InvalidArgumentError } from 'commander'
import { examples } from './examples.ts'

const catchUpHelp = `
Webhooks that were sent and did not arrive are requested again. Branches that have moved on are built,
and so are new and moved tags: the newest 100 of a repository are read, and at most 20 are built in one
look; the others are listed. The first look at a repository only records what is there, and says so.
CATCH_UP_TAGS=false leaves tags out. Archived repositories are not looked at.
${examples('build-service catch-up', 'build-service catch-up --json')}`

/** The commands of those who run the service. Their code is loaded when they are called. */
export function addAdministration(program: Command): void {
  program
    .command('catch-up')
    .description('recover missed webhooks and pushes, and build them')
    .option('--json', 'print JSON, for programs')
    .addHelpText('after', catchUpHelp)
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
