import type { JobState } from '../../../src/domain/job/job.ts'
import { wasSilent } from '../../../src/texts/log-endings.ts'

/** A failure that the page shows: how a recorded log is shown to the service. */
export interface ShownFailure {
  title: string
  /** Folder in `test/fixtures/failures`. */
  log: string
  /** A text in the status: the cause, or the command that failed. */
  status: string
  /** The earlier runs that passed; they were recorded from the same commands. */
  green?: 'none' | 'same commit'
  /** What the job printed, if it is not the recorded text. */
  printed?: (text: string) => string
  /** What the log of the earlier run has, if it is not the recorded text. */
  printedBefore?: (text: string) => string
  state?: JobState & ('failed' | 'errored')
}

const fromShell = (version: string) => (text: string) =>
  text.replace(/^Shell: bash .*$/m, `Shell: bash ${version}`)

/** Without what the command printed after this text, as the log of a job that was ended. */
const endedAfter =
  (line: string, reason: string) =>
  (text: string): string =>
    `${text.slice(0, text.indexOf(line) + line.length)}\n${reason}`

/** All of them, in the order of the page. */
export const failures: readonly ShownFailure[] = [
  { title: 'pytest: an assertion', log: 'pytest-assertion', status: 'assert 5 == 6' },
  {
    title: 'pytest: a module is missing',
    log: 'pytest-import',
    status: "No module named 'moneyformat'",
  },
  {
    title: 'pytest: a fixture fails, and with it all of its tests',
    log: 'pytest-fixture',
    status: 'cannot open store disk:/none',
  },
  { title: 'unittest: an assertion', log: 'unittest-assertion', status: "'a_b' != 'a-b'" },
  { title: 'mypy: a wrong type', log: 'mypy-argument', status: 'Argument 2 to "area"' },
  { title: 'Jest: an assertion', log: 'jest-assertion', status: 'adds prices: Expected: 3' },
  { title: 'Mocha: a test takes too long', log: 'mocha-timeout', status: 'Timeout of 300ms' },
  { title: 'Vitest: an assertion', log: 'vitest-assertion', status: 'expected [ NaN ]' },
  { title: 'Node.js: an exception', log: 'node-type-error', status: 'TypeError: Cannot read' },
  { title: 'TypeScript: a wrong type', log: 'tsc-type', status: 'TS2345' },
  { title: 'ESLint: an unknown name', log: 'eslint-undefined', status: "'total' is not defined" },
  { title: 'npm: a script is missing', log: 'npm-missing-script', status: 'Missing script' },
  { title: 'npm: a script fails without a word', log: 'npm-silent-exit', status: 'exited with 3' },
  { title: 'Go: a test', log: 'go-test', status: 'Add(2, 2) = 5, want 4' },
  { title: 'Rust: a type error', log: 'cargo-build', status: 'error[E0308]' },
  { title: 'Rust: a panic in a test', log: 'cargo-test', status: '`left == right` failed' },
  { title: 'C: a header that does not compile', log: 'gcc-header', status: 'unknown type name' },
  { title: 'C: the linker', log: 'gcc-link', status: 'undefined reference' },
  { title: 'Make: one of three parallel jobs', log: 'make-parallel', status: 'cannot open schema' },
  { title: 'CMake: a package is missing', log: 'cmake-missing-package', status: 'FindFrobnicate' },
  { title: 'RSpec: an expectation', log: 'rspec-expectation', status: 'to eq([1, 2])' },
  { title: 'Minitest: two independent failures', log: 'minitest-two', status: 'NoMethodError' },
  { title: 'PHPUnit: an assertion', log: 'phpunit-failure', status: 'Failed asserting that 6' },
  {
    title: 'Java: an exception with a cause',
    log: 'java-exception',
    status: 'StringIndexOutOfBounds',
  },
  {
    title: 'An error in a command that ended with 0',
    log: 'shell-swallowed',
    status: 'template missing: base.tpl',
  },
  { title: 'A program is missing', log: 'bash-command-missing', status: 'gzipp' },
  { title: 'A server that cannot be reached', log: 'curl-refused', status: 'curl: (7)' },
  { title: 'No earlier run has passed', log: 'go-build', green: 'none', status: 'go vet ./...' },
  {
    title: 'The job hangs, and prints nothing',
    log: 'shell-silent-timeout',
    status: 'printed nothing for 10 minutes',
    printed: endedAfter('waiting', wasSilent(600)),
    state: 'errored',
  },
  {
    title: 'The same commit passed with another version of bash',
    log: 'bats',
    green: 'same commit',
    printed: fromShell('5.3.0(1)-release'),
    status: 'not ok 1 adds',
  },
]
