import type { FailureKind } from '../domain/failure/failure.ts'

/** How a tool prints the first line that names the error. */
interface FirstError {
  tool: string
  shape: RegExp
  /** What the line proves; null where the tool reports more than one kind in this shape. */
  kind: FailureKind | null
}

/** The first row that a line fits. */
export function firstErrorIn(line: string): FirstError | undefined {
  if (!mayBeError.test(line)) return undefined
  return firstErrors.find(({ shape }) => shape.test(line))
}

const mayBeError =
  /error|fail|fatal|panic|not ok|exception|not found|cannot|can't|could not|no rule|●|✗|✖|✕|×|^E |^\s*\d+\) |: [A-Z]\d{3} |undefined|locate|killed|denied|memory|refused|expect|assert|#test_|\^--|conflict|no such|\.go:\d/i

const file = String.raw`[^\s:()]+`

/** Rows of tools whose lines are most specific come first. */
const firstErrors: readonly FirstError[] = [
  // Python
  { tool: 'pytest', shape: /^E {2,}(?:ModuleNotFoundError|ImportError): /, kind: 'dependency' },
  { tool: 'pytest', shape: /^E {2,}(?:SyntaxError|IndentationError|TabError): /, kind: 'compile' },
  { tool: 'pytest', shape: /^E {2,}\S/, kind: 'tests' },
  { tool: 'pytest', shape: /^\S+::\S+.* (?:FAILED|ERROR)\b/, kind: 'tests' },
  { tool: 'unittest', shape: /^(?:FAIL|ERROR): \w+ \(/, kind: 'tests' },
  { tool: 'python', shape: /^(?:ModuleNotFoundError|ImportError): /, kind: 'dependency' },
  { tool: 'python', shape: /^AssertionError\b/, kind: 'tests' },
  { tool: 'python', shape: /^(?:SyntaxError|IndentationError|TabError): /, kind: 'compile' },
  { tool: 'tox', shape: /^ERROR: InvocationError|^\w[\w-]*: exit \d+ /, kind: null },
  { tool: 'flake8, ruff', shape: new RegExp(`^${file}:\\d+:\\d+: [A-Z]+\\d{1,4} `), kind: 'lint' },
  { tool: 'mypy', shape: new RegExp(`^${file}:\\d+: error: .*\\[[\\w-]+\\]$`), kind: 'lint' },
  {
    tool: 'pip',
    shape: /^ERROR: (?:Could not find a version|No matching distribution|ResolutionImpossible)/,
    kind: 'dependency',
  },
  // JavaScript
  { tool: 'jest', shape: /^\s*● (?!Test suite failed)\S/, kind: 'tests' },
  { tool: 'mocha', shape: /^\s+\d+\) (?!(?:Failure|Error):)\S/, kind: 'tests' },
  { tool: 'vitest', shape: /^\s*FAIL {2}\S+ > /, kind: 'tests' },
  {
    tool: 'vitest, node, jest',
    shape: /^\s*[×✖✕] .*(?: > |\b\d+(?:\.\d+)? ?m?s\)?$)/,
    kind: 'tests',
  },
  // Any tool marks what went wrong in this way.
  { tool: 'pip, others', shape: /^\s*[×✖✕] (?!\d+ problem)\S/, kind: null },
  { tool: 'TAP', shape: /^\s*not ok \d+/, kind: 'tests' },
  {
    tool: 'node',
    shape: /^Error(?: \[ERR_MODULE_NOT_FOUND\])?: Cannot find (?:module|package) /,
    kind: 'dependency',
  },
  { tool: 'tsc', shape: /\berror TS\d+: /, kind: 'compile' },
  { tool: 'eslint', shape: /^\s+\d+:\d+ +error +\S/, kind: 'lint' },
  {
    tool: 'npm',
    shape:
      /^npm (?:ERR!|error) (?:code (?:E404|ERESOLVE|ETARGET|EUSAGE|ENOVERSIONS)|Missing script|404 )/,
    kind: 'dependency',
  },
  { tool: 'npm', shape: /^npm (?:ERR!|error) code \w+/, kind: null },
  { tool: 'yarn', shape: /^error (?!Command failed)\S|^➤ YN\d+: .*(?:error|can't)/i, kind: null },
  { tool: 'pnpm', shape: /^\s*ERR_PNPM_(?!RECURSIVE)\w+/, kind: 'dependency' },
  // Go, Rust
  { tool: 'go test', shape: /^\s+\w+_test\.go:\d+: /, kind: 'tests' },
  { tool: 'go test', shape: /^\s*--- FAIL: /, kind: 'tests' },
  {
    tool: 'go build',
    shape:
      /^\S+\.go:\d+:\d+: (?:no required module|cannot find (?:module|package)|package \S+ is not in )/,
    kind: 'dependency',
  },
  { tool: 'go build', shape: /^(?:vet: )?\S+\.go:\d+:\d+: /, kind: 'compile' },
  { tool: 'go', shape: /^panic: /, kind: null },
  { tool: 'cargo', shape: /^error\[E\d+\]: /, kind: 'compile' },
  { tool: 'cargo test', shape: /^thread '.*' (?:\(\d+\) )?panicked at /, kind: null },
  {
    tool: 'cargo clippy',
    shape: /^error: (?!could not compile|test failed|aborting|process didn't)/,
    kind: null,
  },
  // C and C++
  {
    tool: 'gcc, clang',
    shape: new RegExp(`^${file}:\\d+:\\d+: (?:fatal )?error: `),
    kind: 'compile',
  },
  { tool: 'ld', shape: /undefined reference to /, kind: 'compile' },
  {
    tool: 'make',
    shape: /^g?make(?:\[\d+\])?: \*\*\* (?:No rule to make target|.*missing separator)/,
    kind: null,
  },
  { tool: 'cmake', shape: /^CMake Error /, kind: null },
  { tool: 'ctest', shape: /^\s*\d+\/\d+ Test +#\d+: .*\*\*\*/, kind: 'tests' },
  { tool: 'meson', shape: /:\d+:\d+: ERROR: /, kind: null },
  { tool: 'ninja', shape: /^FAILED: /, kind: null },
  // Ruby, PHP
  // In the same words, but without indent, RSpec says what it could not load.
  { tool: 'rspec', shape: /^\s+Failure\/Error: /, kind: 'tests' },
  { tool: 'rspec', shape: /^Failure\/Error: /, kind: null },
  { tool: 'rspec', shape: /^An error occurred while loading /, kind: null },
  { tool: 'minitest', shape: /^\w+#test_\w+/, kind: 'tests' },
  { tool: 'rubocop', shape: new RegExp(`^${file}:\\d+:\\d+: [CEFW]: `), kind: 'lint' },
  { tool: 'ruby', shape: new RegExp(`^${file}:\\d+:in .*\\((?:\\w+::)*\\w+\\)$`), kind: null },
  { tool: 'bundler', shape: /^Could not (?:find gem|find .* in|fetch specs)/, kind: 'dependency' },
  { tool: 'phpunit', shape: /^\d+\) [\w\\]+::\w+/, kind: 'tests' },
  { tool: 'php', shape: /^(?:PHP )?(?:Fatal|Parse) error: /, kind: null },
  { tool: 'composer', shape: /^\s*Problem \d+/, kind: 'dependency' },
  // Java and others on its machine
  { tool: 'javac, gradle', shape: /^\S+\.(?:java|kt|scala|groovy):\d+: error: /, kind: 'compile' },
  { tool: 'maven', shape: /^\[ERROR\] \S+\.(?:java|kt|scala):\[\d+,\d+\] /, kind: 'compile' },
  { tool: 'maven', shape: /^\[ERROR\] +[\w.$]+[.:]\w+:\d+ /, kind: 'tests' },
  { tool: 'gradle', shape: /^[\w.$]+ > .* FAILED$/, kind: 'tests' },
  { tool: 'sbt', shape: /^\[error\] \S+:\d+:\d+: /, kind: 'compile' },
  { tool: 'java', shape: /^Exception in thread "/, kind: null },
  { tool: 'java', shape: /^Caused by: /, kind: null },
  // Others
  {
    tool: 'mix',
    shape: /^\*\* \((?:CompileError|SyntaxError|TokenMissingError)\)/,
    kind: 'compile',
  },
  { tool: 'mix', shape: /^\s+\d+\) test /, kind: 'tests' },
  { tool: 'rebar3', shape: /^===> (?:Compiling .* failed|Error)/, kind: null },
  { tool: 'ghc', shape: /^\S+\.l?hs:\d+:\d+: error/, kind: 'compile' },
  { tool: 'dotnet', shape: /\): error [A-Z]+\d+: /, kind: 'compile' },
  { tool: 'swift', shape: /^\S+\.swift:\d+:\d+: error: /, kind: 'compile' },
  { tool: 'dart, flutter', shape: /^\d\d:\d\d \+\d+ -\d+: .*\[E\]$/, kind: 'tests' },
  { tool: 'prove', shape: /^#\s+Failed test /, kind: 'tests' },
  { tool: 'perl', shape: /^Can't locate \S+ in @INC/, kind: 'dependency' },
  { tool: 'perl', shape: / at \S+ line \d+\.$/, kind: null },
  { tool: 'bats', shape: /^ ✗ /, kind: 'tests' },
  {
    tool: 'shellcheck',
    shape: /^\s*\^-+\^? SC\d+ \(error|^\s*\^-+\^? SC\d+ \(warning/,
    kind: 'lint',
  },
  {
    tool: 'docker',
    shape: /^ERROR: failed to (?:solve|build)|^The command '.*' returned a non-zero code/,
    kind: null,
  },
  { tool: 'terraform', shape: /^[│╷ ]*Error: /, kind: null },
  { tool: 'ansible', shape: /^fatal: \[/, kind: null },
  { tool: 'apt-get', shape: /^E: |^Err:\d+ /, kind: null },
  { tool: 'curl', shape: /^curl: \(\d+\)/, kind: null },
  { tool: 'git', shape: /^fatal: |^CONFLICT \(/, kind: null },
  { tool: 'shell', shape: /: command not found$|: not found$/, kind: 'missing' },
  { tool: 'shell', shape: /: No such file or directory$/, kind: 'missing' },
  { tool: 'shell', shape: /: Permission denied$/, kind: 'settings' },
]
