// Which test files run once more, and why: each row names a folder or file, or the beginning of one, and
// what in its result depends on the phase. `always` runs every time, `full` with CI_FULL=true as well.
//   node .ci/phases.js PHASE      prints the rows to run, for vitest's command line
import { readdirSync } from 'node:fs'
import path from 'node:path'

const phases = {
  // Another version of Node.js: what it parses, frames, times and compiles for us.
  'node-24': {
    always: [
      ['test/bot', 'Probot and Octokit load and check signatures'],
      ['test/cli/lint', 'the installed linter: compiled form, exit codes, pipes'],
      ['test/http/bodies', 'bodies: what the HTTP parser reports and when streams end'],
      ['test/queue', 'BullMQ and its clients'],
      ['test/reader', 'worker threads, and their limits of time and memory'],
      ['test/store/lost-answers', 'time-outs of sockets'],
      ['test/store/prepared', 'connections of the database driver'],
      ['test/store/transaction', 'connections that end in the middle'],
    ],
    full: [
      ['test/codehost/local', 'git as a child process'],
      ['test/http/webhooks', 'raw bodies'],
      ['test/http/client-error', 'what the HTTP parser refuses'],
      ['test/http/unexpected-errors', 'errors in streams'],
      ['test/runner', 'child processes, pipes and signals'],
      ['test/service/r', 'whole services'],
      ['test/store', 'the database driver'],
    ],
  },
  // A PostgreSQL server that is given and older than the embedded one.
  'given-postgres': {
    always: [
      ['test/queue', 'the queue in PostgreSQL'],
      ['test/flow/turns-of-logs', 'locks'],
      ['test/store/former-logins', 'a migration'],
      ['test/store/generic-plans', 'plans'],
      ['test/store/lost-answers', 'connections that break'],
      ['test/store/migrate', 'migrations, and the rights that they need'],
      ['test/store/released', 'upgrades, and how the server describes tables'],
      ['test/store/prepared', 'prepared statements'],
      ['test/store/repository-pages', 'plans of pages'],
      ['test/store/sealed-columns', 'the catalogue of columns'],
      ['test/store/store-deliveries', 'statements of many rows'],
      ['test/store/transaction', 'transactions and their locks'],
      ['test/store/visibility', 'statements of every kind'],
    ],
    full: [
      ['test/cli/restore', 'the catalogue, sequences, and rows that are copied'],
      ['test/flow', 'transactions of verbs'],
    ],
  },
  // Not root: whose files and processes are whose, and how well jobs can be isolated.
  'ordinary-user': {
    always: [
      ['test/attack/callers-home', 'the home folder of the account'],
      ['test/attack/embedded', 'who may read the password of the embedded server'],
      ['test/attack/hooks', 'hooks of repositories that belong to others'],
      ['test/attack/job-isolation', 'levels of isolation'],
      ['test/attack/killed', 'signals to processes of the same account'],
      ['test/attack/neighbouring', 'jobs of the same account'],
      ['test/attack/set-uid', 'programs that change the user'],
      ['test/attack/unisolated', 'what is refused where nothing isolates'],
      ['test/cli/demo', 'the first start, as a newcomer sees it'],
      ['test/cli/start', 'where the data folder is'],
      ['test/faults/machine', 'full disks and limits of processes'],
      ['test/faults/told-before', 'a data folder of someone else'],
      ['test/runner/executors', 'how programs are started and ended'],
      ['test/store/embedded', 'the account that the embedded server runs as'],
    ],
    full: [
      ['test/attack/exited', 'processes that outlive their parent'],
      ['test/attack/fork-secrets', 'files of jobs'],
      ['test/attack/private-submodule', 'credentials of clones'],
      ['test/attack/renamed', 'folders that are moved'],
      ['test/cli/local', 'hooks of local repositories'],
      ['test/cli/program', 'signals'],
      ['test/cli/run-projects', 'caches in the home folder'],
      ['test/codehost/local/hooks', 'who may write hooks'],
      ['test/codehost/local/register', 'folders of other accounts'],
      ['test/faults/embedded', 'who may restart the embedded server'],
      ['test/faults/suspended', 'stopped processes'],
      ['test/runner', 'programs and their files'],
      ['test/service/running', 'locks on the data folder'],
      ['test/service/restart', 'locks on the data folder'],
    ],
  },
}

const phase = phases[process.argv[2]]
if (!phase) {
  console.error('the phases are', Object.keys(phases))
  process.exit(2)
}
const root = path.dirname(import.meta.dirname)
const tests = readdirSync(path.join(root, 'test'), { recursive: true })
  .map((file) => path.posix.join('test', String(file)))
  .filter((file) => /\.test\.tsx?$/.test(file))
const all = [...phase.always, ...phase.full].map(([files]) => files)
const unknown = all.filter((files) => !tests.some((file) => file.startsWith(files)))
if (unknown.length > 0) {
  console.error(`no test file begins with ${unknown.join(', ')}: correct .ci/phases.js`)
  process.exit(1)
}
const rows = process.env.CI_FULL === 'true' ? all : phase.always.map(([files]) => files)
console.log(rows.join('\n'))
