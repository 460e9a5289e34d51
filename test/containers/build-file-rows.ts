import type { JobConfig } from '../../src/domain/job/job.ts'
import { exitCodeRows } from '../script/exit-code-rows.ts'

export interface BuildFileRow {
  title: string
  config: JobConfig
  state: 'passed' | 'failed' | 'errored'
}

type Row = readonly [title: string, state: BuildFileRow['state'], config: JobConfig]

const ok = { script: 'true' }

const signals: readonly Row[] = [
  ['TERM to the shell', 'errored', { script: ['trap - TERM', 'kill -TERM $$', 'sleep 1'] }],
  ['TERM with a trap', 'passed', { script: ['trap "echo got" TERM', 'kill -TERM $$', 'true'] }],
  ['HUP to the shell', 'errored', { script: ['kill -HUP $$', 'sleep 1', 'true'] }],
  ['INT to the shell', 'errored', { script: ['kill -INT $$', 'sleep 1', 'true'] }],
  ['USR1 without a trap', 'errored', { script: 'kill -USR1 $$; sleep 1' }],
  ['USR1 with a trap', 'passed', { script: ['trap "echo one" USR1', 'kill -USR1 $$'] }],
  ['a killed child', 'failed', { script: "bash -c 'kill -9 $$'" }],
  ['a terminated child', 'failed', { script: "bash -c 'kill -TERM $$'" }],
  ['a child that aborts', 'failed', { script: "bash -c 'kill -ABRT $$'" }],
  [
    'a child that ignores TERM',
    'failed',
    { script: 'timeout -k 1 1 bash -c "trap : TERM; sleep 5; sleep 5"' },
  ],
  ['SIGPIPE of a child', 'passed', { script: 'seq 1000000 | head -1' }],
  ['SIGPIPE with pipefail', 'failed', { script: ['set -o pipefail', 'seq 1000000 | head -1'] }],
  ['a trap for ERR', 'failed', { script: ['trap "echo failed here" ERR', 'false'] }],
  ['a trap for DEBUG', 'passed', { script: ['trap : DEBUG', 'true', 'trap - DEBUG'] }],
  ['a timeout', 'failed', { script: 'timeout 1 sleep 10' }],
]

const processes: readonly Row[] = [
  ['a process in the background', 'passed', { script: ['sleep 600 &', 'echo goes on'] }],
  ['a session of its own', 'passed', { script: 'setsid sleep 600 >/dev/null 2>&1 &' }],
  ['an orphan with the output', 'passed', { script: '(setsid sleep 600 &)' }],
  [
    'an orphan of before_script',
    'passed',
    { ...ok, before_script: '(sleep 600 &)', script: 'pgrep -c sleep' },
  ],
  ['waiting for children', 'failed', { script: ['bash -c "exit 5" &', 'wait $!'] }],
  [
    'a coprocess',
    'passed',
    { script: ['coproc cat', 'echo x >&${COPROC[1]}', 'read -r y <&${COPROC[0]}', 'test $y = x'] },
  ],
  ['many processes', 'passed', { script: 'for i in $(seq 50); do (sleep 0.1 &); done; wait' }],
]

const input: readonly Row[] = [
  ['reading input', 'failed', { script: 'read -r line' }],
  ['all of the input', 'passed', { script: 'test -z "$(cat)"' }],
  ['a question', 'passed', { script: 'read -rp "Go on? " answer || echo "no one answers"' }],
  ['the terminal as input', 'failed', { script: 'read -r line </dev/tty' }],
  ['a terminal as output', 'passed', { script: ['test -t 1', 'test -t 2'] }],
  ['no terminal as input', 'failed', { script: 'test -t 0' }],
  ['the size of the terminal', 'passed', { script: 'stty size </dev/tty' }],
  ['a here document', 'passed', { script: 'cat <<END\none\ntwo\nEND' }],
  ['a here string', 'passed', { script: 'cat <<<"$HOME/x"' }],
]

const output: readonly Row[] = [
  ['a flood within the limit', 'passed', { script: 'seq 3000' }],
  ['a line without an end', 'passed', { script: 'printf "no end"' }],
  ['a long line', 'passed', { script: 'head -c 30000 /dev/zero | tr "\\0" x; echo' }],
  ['a flood past the limit', 'errored', { script: 'seq 40000' }],
  ['colours and cursors', 'passed', { script: 'printf "\\033[31mred\\033[0m\\rback\\033[2K\\n"' }],
  [
    'bytes that are not text',
    'passed',
    { script: 'printf "\\377\\376 \\303\\244 \\360\\237\\230\\200\\n"' },
  ],
  ['NUL and bell', 'passed', { script: 'printf "a\\0b\\ac\\n"' }],
  [
    'output and errors in order',
    'passed',
    { script: 'for i in 1 2 3; do echo o$i; echo e$i >&2; done' },
  ],
  ['a closed output', 'failed', { script: 'echo x >&-' }],
  ['a line like a marker', 'passed', { script: 'echo "service_fold:start:mine"' }],
]

const quoting: readonly Row[] = [
  ['quotes in quotes', 'passed', { script: `echo "it's" 'a "word"' "\\$HOME" \\'` }],
  ['a backslash at the end', 'passed', { script: 'echo one \\\n  two' }],
  ['a glob', 'passed', { script: ['touch "a b" c', 'printf "[%s]" *; echo'] }],
  ['braces and ranges', 'passed', { script: 'echo {a,b}{1..3}' }],
  ['history characters', 'passed', { script: 'echo "wow!" !! \'!x\'' }],
  ['an umlaut', 'passed', { script: 'x="äöü"; echo "${#x} $x"' }],
  ['a comment', 'passed', { script: ['# nothing', 'echo a # b'] }],
  ['a function over lines', 'passed', { script: ['f() {\n  echo "in f: $1"\n}', 'f "x y"'] }],
  ['lines with tabs', 'passed', { script: 'echo\ta\t"b\tc"' }],
  ['arithmetic', 'passed', { script: '((1 + 1 == 2)) && echo $((7 / 2))' }],
]

const environments: readonly Row[] = [
  [
    'variables of env',
    'passed',
    { ...ok, env: ['A=1 B="two words"', "C='$A'"], script: 'echo "$A $B $C"' },
  ],
  ['a variable of another', 'passed', { env: ['A=1', 'B=$A-2'], script: 'echo "$B"' }],
  ['variables of a phase', 'passed', { before_script: 'export X=kept', script: 'test $X = kept' }],
  [
    'a folder of a phase',
    'passed',
    { before_script: ['mkdir d', 'cd d'], script: 'basename "$PWD"' },
  ],
  [
    'the usual variables',
    'passed',
    { script: 'echo "$CI $SERVICE $LANG $TERM $PAGER $DEBIAN_FRONTEND $SHELL"' },
  ],
  [
    'variables of the build',
    'passed',
    { script: 'env | grep ^SERVICE_ | grep -v -e RUN= -e INPUT= | sort' },
  ],
  ['the home', 'passed', { script: ['cd', 'test "$PWD" = "$HOME"', 'test -w .'] }],
  ['an unset PATH', 'failed', { script: ['PATH=', 'ls'] }],
  ['modes of new files', 'passed', { script: ['umask', 'touch x', 'stat -c %a x'] }],
  ['limits of the shell', 'passed', { script: 'ulimit -c' }],
  ['temporary files', 'passed', { script: ['x=$(mktemp)', 'test -w "$x"', 'test -w /tmp'] }],
  ['core of the checkout', 'passed', { script: 'git log --format=%s && git status --short' }],
]

const clones: readonly Row[] = [
  ['git.depth', 'passed', { git: { depth: 1 }, script: 'git rev-list --count HEAD' }],
  ['git.depth: false', 'passed', { git: { depth: false }, script: 'git rev-list --count HEAD' }],
  ['git.clone: false', 'passed', { git: { clone: false }, script: 'test ! -e file; ls -A' }],
  ['git.quiet', 'passed', { git: { quiet: true }, script: 'cat file' }],
  ['git.autocrlf', 'passed', { git: { autocrlf: true }, script: 'git config core.autocrlf' }],
  ['git.submodules: false', 'passed', { git: { submodules: false }, script: 'cat file' }],
  ['git.sparse_checkout', 'passed', { git: { sparse_checkout: 'folder' }, script: 'ls' }],
  ['a detached head', 'failed', { script: 'git symbolic-ref -q HEAD' }],
]

const stateOfCode = (code: number) =>
  code === 0 ? ('passed' as const) : code === 1 ? ('failed' as const) : ('errored' as const)

const apart: ReadonlySet<string> = new Set([
  // The row needs the programs of the language, which the tests' image does not have.
  'an install that is skipped',
])

/** Kinds of build files whose jobs end in the same way and print the same with every executor. */
export const buildFileRows: readonly BuildFileRow[] = [
  ...exitCodeRows
    .filter(([title]) => !apart.has(title))
    .map(([title, config, code]) => ({ title, config, state: stateOfCode(code) })),
  ...[signals, processes, input, output, quoting, environments, clones]
    .flat()
    .map(([title, state, config]) => ({ title, config, state })),
]
