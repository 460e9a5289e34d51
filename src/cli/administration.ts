import { type Command, InvalidArgumentError } from 'commander'
import { examples } from './examples.ts'

const catchUpHelp = `
Lost webhooks are requested again. Branches that have moved on are built, and so are new and moved tags: the
newest 100 of a repository are read, and at most 20 are built in one run; the others are listed. The first
run for a repository only records its branches and tags, and reports that. CATCH_UP_TAGS=false leaves tags
out. Archived repositories are skipped.
${examples('build-service catch-up', 'build-service catch-up --json')}`

const backupHelp = `${examples(
  'build-service backup /backups/monday.gz',
  'DATABASE_URL=postgres://… build-service backup monday.gz',
)}
The service can keep running: the backup is a snapshot of the database. Only this user can read the file.
Only the secrets in it are encrypted. The master key is never in the file: keep a copy of
DATA_DIR/master.key, or of MASTER_KEY, in another place. Settings and git repositories are not in it either.
An existing file is not overwritten.\n`

const restoreHelp = `${examples(
  'DATA_DIR=/var/lib/build-service build-service restore /backups/monday.gz',
  'DATABASE_URL=postgres://… build-service restore monday.gz',
)}
The database must be empty: a new DATA_DIR, or a new database in DATABASE_URL. A backup of an earlier
version is brought up to date. Problems with the file, the key or the database are found before
anything is changed. Jobs that ran during the backup run again once the service has started.\n`

/** Commands for operators of the service. Their code is loaded when they are called. */
export function addAdministration(program: Command): void {
  addBackup(program)

  program
    .command('catch-up')
    .description('recover missed webhooks and pushes, and build them')
    .option('--json', 'print JSON, for programs')
    .addHelpText('after', catchUpHelp)
    .action(async (options) => (await import('./commands/catch-up.ts')).catchUp(options))

  program
    .command('broadcast')
    .description('announce a message to API clients')
    .argument('<text>')
    .option('--for <name>', 'a user, an organization or owner/name; default: everyone')
    .option(
      '--until <time>',
      'when it ends, such as 2026-01-31 (default and maximum: 14 days from now)',
      timeIn,
    )
    .option('--warning', 'show it as a warning instead of an announcement')
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
    .description('block a user’s builds and tokens, or list blocked users')
    .argument('[login]')
    .addHelpText('after', examples('build-service block mallory', 'build-service block'))
    .action(async (login) => (await import('./commands/block.ts')).block(login))

  program
    .command('unblock')
    .description('end the block of a user')
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

function addBackup(program: Command): void {
  program
    .command('backup')
    .description('write the database into a file, while the service goes on')
    .argument('<file>')
    .addHelpText('after', backupHelp)
    .action(async (file) => (await import('./commands/backup.ts')).backup(file))

  program
    .command('restore')
    .description('restore a backup into an empty database')
    .argument('<file>')
    .addHelpText('after', restoreHelp)
    .action(async (file) => (await import('./commands/backup.ts')).restoreBackup(file))
}
