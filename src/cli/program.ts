import { Command, InvalidArgumentError, Option } from 'commander'
import { deliveryResults } from '../domain/delivery.ts'
import { otherMachines } from '../domain/job/machine.ts'
import { readVersion } from '../service/version.ts'
import { addAdministration } from './administration.ts'
import { exitCodes } from './errors.ts'
import { examples } from './examples.ts'
import { linterCommands, runLinter } from './linter/commands.ts'

/**
 * The command line. Each command's code is loaded when it is called, so that small commands start
 * quickly.
 */
export function createProgram(): Command {
  const program = new Command('build-service')
    .description('A continuous-integration service that a team installs on its own machine.')
    .version(readVersion())
    // 1 is the result of a failed build; a mistyped command gets another code.
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : exitCodes.unusable))
    .showHelpAfterError('(see --help)')
    .addHelpText('after', overview)

  program
    .command('start')
    .description('serve: receive events, run builds, serve the API and the pages')
    .option('--role <roles>', 'web, worker, runner; several separated by commas (setting ROLE)')
    .addHelpText(
      'after',
      examples('build-service start', 'PORT=8080 build-service start --role web,worker'),
    )
    .action(async (options) => (await import('./commands/start.ts')).start(options))

  program
    .command('demo')
    .description('show a push and a pull request on an empty machine, then keep serving')
    .option('--exit', 'end after the builds, with code 0 when all of them passed')
    .option('--docker', 'run each job in a container of its own, as with EXECUTOR=docker')
    .addHelpText('after', examples('build-service demo', 'build-service demo --exit'))
    .action(async (options) => (await import('./commands/demo.ts')).demo(options))

  program
    .command('run')
    .description('build a repository of this machine here and now, and show its log')
    .argument('[path]', 'the repository', '.')
    .option('--head', 'build the commit HEAD; without it, the files as they are now')
    .option('--job <n>', 'run only the n-th job of the build')
    .option('--docker', 'run each job in a container with the image of its language')
    .option('--print-script', 'print what would be run, and run nothing')
    .addOption(
      new Option(
        '--other-machines <what>',
        'how to treat jobs that ask for another os or arch: "refuse" ends them with an ' +
          'error, "skip" leaves them out, "run" runs them here (default: refuse)',
      ).choices(otherMachines),
    )
    .addHelpText(
      'after',
      `${examples('build-service run', 'build-service run ../other --job 2')}
Exit code: 0 passed, 1 failed, 2 errored, canceled or not built, 130 ended by Ctrl-C.\n`,
    )
    .action(async (path, options) => (await import('./commands/run.ts')).run(path, options))

  for (const [name, { summary }] of Object.entries(linterCommands)) {
    if (name === 'explain') addExplain(program, summary)
    else addLinter(program, name, summary)
  }

  program
    .command('import')
    .description('bring in a project that has a .travis.yml: rename it and its variables')
    .argument('[dir]', 'the top folder of its repository', '.')
    .option('--dry-run', 'show the changes as a diff, and change nothing')
    .addHelpText(
      'after',
      `${examples('build-service import --dry-run', 'build-service import ../hello')}
Renames .travis.yml to .service.yml, and variables, functions and keys in it and in the text files that
git tracks: TRAVIS_BRANCH becomes SERVICE_BRANCH, travis_retry becomes service_retry. Documents are left
as they are. Then lists, with file and line, what is left to do: secrets to encrypt again, jobs for other
machines, keys without effect, and names that this service does not have. It starts no service and sends
nothing anywhere. Run it again at any time to see the list.

Exit code: 0 imported, or shown with --dry-run, whatever is left to do; 2 nothing was changed, because
there is no such file, it cannot be read, or changes are not committed.\n`,
    )
    .action(async (dir, options) =>
      (await import('./commands/import.ts')).importProject(dir, options),
    )

  program
    .command('token')
    .description('create an access token for the API, and print it once')
    .option(
      '--user <login>',
      'the owner of the token: a login, or codehost:LOGIN or local:LOGIN',
      'local',
    )
    .option('--name <name>', 'what it is for', 'command line')
    .addHelpText(
      'after',
      examples('build-service token', 'build-service token --name "nightly report"'),
    )
    .action(async (options) => (await import('./commands/token.ts')).token(options))

  program
    .command('doctor')
    .description('check everything that the service depends on, and say what to fix')
    .addHelpText('after', examples('build-service doctor'))
    .action(async () => (await import('./commands/doctor.ts')).doctor())

  program
    .command('migrate')
    .description('bring the database up to date, and exit')
    .action(async () => (await import('./commands/migrate.ts')).migrateDatabase())

  addSecrets(program)
  addDeliveries(program)
  addAdministration(program)
  addLocal(program)
  return program
}

/** These parse their options and print their help themselves, because they also run standalone. */
function addLinter(program: Command, name: string, summary: string): Command {
  return program
    .command(name)
    .description(summary)
    .allowExcessArguments()
    .allowUnknownOption()
    .helpOption(false)
    .addHelpText('after', `\nOptions and examples: build-service ${name} --help\n`)
    .action(() => runLinter(process.argv.slice(2)))
}

function addSecrets(program: Command): void {
  program
    .command('encrypt')
    .description('encrypt a value for a build file, with the public key of its repository')
    .argument('[value]', 'NAME=value, or the value of another key; without it, standard input')
    .requiredOption('-r, --repository <owner/name>', 'whose builds can decrypt it')
    .option(
      '--server <url>',
      'the service that knows the repository; default: that of this machine',
    )
    .addHelpText(
      'after',
      `${examples(
        'build-service encrypt -r octavia/hello < secret.txt',
        'build-service encrypt -r octavia/hello --server https://ci.example.org TOKEN=abc',
      )}
For a private repository of another service, set BUILD_SERVICE_TOKEN to an access token.\n`,
    )
    .action(async (value, options) =>
      (await import('./commands/encrypt.ts')).encrypt(value, options),
    )

  program
    .command('encrypted')
    .description('list encrypted values that a new key pair of a repository would make unreadable')
    .requiredOption('-r, --repository <owner/name>', 'the repository of the key pair')
    .option('--json', 'print JSON, for programs')
    .addHelpText('after', examples('build-service encrypted -r octavia/hello'))
    .action(async (options) => (await import('./commands/encrypted.ts')).encrypted(options))

  program
    .command('rotate-keys')
    .description(
      'seal all secrets with the first key of MASTER_KEY while the service keeps running',
    )
    .addHelpText(
      'after',
      `
To change the key without a pause, restart one process after the other:
  1. with MASTER_KEY=OLD,NEW, until all of them can open what the new key seals
  2. with MASTER_KEY=NEW,OLD, until all of them seal with the new one
  3. call this command with MASTER_KEY=NEW,OLD
  4. with MASTER_KEY=NEW
A key of DATA_DIR/master.key can be replaced likewise: write both into the file, one a line.\n`,
    )
    .action(async () => (await import('./commands/rotate-keys.ts')).rotate())
}

/** An argument with a digit, or like a sha, is not a code of the linter, but a webhook, request or commit. */
function addExplain(program: Command, summary: string): void {
  addLinter(
    program,
    'explain',
    `${summary}, or why a webhook, request or commit led to a build or not`,
  )
    .option('--json')
    .action(async ({ json }: { json?: boolean }, { args: [subject = ''] }: Command) => {
      if (!/\d|^[a-f]{7,64}$/.test(subject)) return runLinter(process.argv.slice(2))
      const { explain } = await import('./commands/explain.ts')
      return explain(subject, json === undefined ? {} : { json })
    })
}

function addDeliveries(program: Command): void {
  const deliveries = program
    .command('deliveries')
    .description('received webhooks, with the outcome and reason of each')

  deliveries
    .command('list', { isDefault: true })
    .description('list them, newest first')
    .option('--repository <owner/name>', 'only deliveries for this repository')
    .addOption(
      new Option('--outcome <kind>', 'only those with this outcome').choices([
        ...deliveryResults,
        'waiting',
      ]),
    )
    .option('--limit <n>', 'how many at most', positive, 20)
    .option('--json', 'print JSON, for programs')
    .addHelpText(
      'after',
      examples(
        'build-service deliveries --repository octavia/hello',
        'build-service deliveries --outcome error --json',
      ),
    )
    .action(async (options) => (await import('./commands/deliveries.ts')).list(options))

  deliveries
    .command('show')
    .description('show a webhook with its request and build')
    .argument('<guid>', 'its id, as the code host and the list show it')
    .option('--json', 'print JSON, for programs')
    .addHelpText('after', examples('build-service deliveries show GUID'))
    .action(async (guid, options) => (await import('./commands/deliveries.ts')).show(guid, options))
}

function positive(text: string): number {
  const number = Number(text)
  if (Number.isSafeInteger(number) && number > 0) return number
  throw new InvalidArgumentError('It must be a whole number above 0.')
}

function addLocal(program: Command): void {
  const local = program
    .command('local')
    .description('repositories of this machine: each push is built, without a code host')

  local
    .command('add')
    .description('register a git repository, and install hooks that report its commits and pushes')
    .argument('<path>')
    .option('--name <owner/name>', 'its name here; default: local/<folder>')
    .option(
      '--build',
      'build the tip of the default branch now; without it, the next commit or push is the first build',
    )
    .addHelpText(
      'after',
      examples(
        'build-service local add . --build',
        'build-service local add ../api --name team/api',
      ),
    )
    .action(async (path, options) => (await import('./commands/local.ts')).add(path, options))

  local
    .command('list')
    .description('list the registered repositories')
    .action(async () => (await import('./commands/local.ts')).list())

  local
    .command('notify')
    .description('notify the service of commits and pushes (git hooks call this)')
    .argument('[path]', 'the repository', '.')
    .action(async (path) => (await import('./commands/local.ts')).notifyService(path))

  local
    .command('pull')
    .description('open a pull request for the branch HEAD into the branch BASE')
    .argument('<base>')
    .argument('<head>')
    .option('--repo <path>', 'the repository', '.')
    .option('--title <title>', 'its title; default: the subject of the newest commit')
    .addHelpText('after', examples('build-service local pull main feature'))
    .action(async (base, head, options) =>
      (await import('./commands/local.ts')).pull(base, head, options),
    )

  local
    .command('remove')
    .description('unregister a repository; its builds are kept')
    .argument('<path>')
    .action(async (path) => (await import('./commands/local.ts')).remove(path))
}

const overview = `
Overview:
  $ build-service demo                    see everything on a sample repository
  $ build-service start                   serve; settings: docs/settings.md
  $ build-service local add PATH          build a repository of this machine on each commit
  $ build-service run                     build the repository in this folder once
  $ build-service explain 1a2b3c4         say why a commit was built, or why not
  $ build-service lint                    check its build file; expand shows the jobs it makes
`
