/** A failure of a real tool, recorded with two earlier passed runs in `test/fixtures/failures`. */
export interface Situation {
  name: string
  /**
   * Texts of which the line with the cause contains one; written down before the logs were
   * recorded.
   */
  cause?: readonly string[]
  /** The cause of a second, independent failure. */
  second?: string
  /** For a failure without output: the exit code that is shown instead. */
  exit?: number
}

export const situations: readonly Situation[] = [
  { name: 'pytest-assertion', cause: ['assert 5 == 6'] },
  { name: 'pytest-import', cause: ["No module named 'moneyformat'"] },
  { name: 'pytest-fixture', cause: ['cannot open store disk:/none'] },
  { name: 'unittest-assertion', cause: ["'a_b' != 'a-b'"] },
  { name: 'python-key-error', cause: ["KeyError: 'size'"] },
  { name: 'mypy-argument', cause: ['Argument 2 to "area" has incompatible type'] },
  { name: 'flake8-unused', cause: ["F401 'os' imported but unused"] },
  { name: 'jest-assertion', cause: ['adds prices', 'Expected: 3'] },
  { name: 'jest-missing-module', cause: ["Cannot find module './currency'"] },
  { name: 'mocha-assertion', cause: ['knows 1900', 'AssertionError'] },
  { name: 'mocha-timeout', cause: ['Timeout of 300ms exceeded'] },
  { name: 'vitest-assertion', cause: ['AssertionError: expected [ NaN ]', 'parses numbers'] },
  { name: 'vitest-syntax', cause: ['Expected ")"'] },
  { name: 'node-test', cause: ['floors', 'Expected values to be strictly equal'] },
  { name: 'node-type-error', cause: ['TypeError: Cannot read properties of undefined'] },
  { name: 'tsc-type', cause: ['error TS2345'] },
  { name: 'eslint-undefined', cause: ["'total' is not defined"] },
  { name: 'npm-missing-script', cause: ['Missing script: "build"'] },
  { name: 'npm-silent-exit', exit: 3 },
  { name: 'go-test', cause: ['Add(2, 2) = 5, want 4'] },
  { name: 'go-build', cause: ['undefined: c', 'undeclared name: c'] },
  { name: 'cargo-test', cause: ['panicked at', 'assertion `left == right` failed'] },
  { name: 'cargo-build', cause: ['error[E0308]'] },
  { name: 'gcc-header', cause: ['unknown type name'] },
  { name: 'gcc-link', cause: ["undefined reference to `push'"] },
  { name: 'make-no-rule', cause: ['No rule to make target'] },
  { name: 'make-parallel', cause: ['cannot open schema.sql'] },
  {
    name: 'cmake-missing-package',
    cause: ['CMake Error at CMakeLists.txt:3', 'Could not find a package configuration file'],
  },
  { name: 'ctest-failure', cause: ['large', 'too large: 9'] },
  { name: 'rspec-expectation', cause: ['Failure/Error', 'expected: [1, 2]'] },
  { name: 'minitest-two', cause: ['Expected: "AB"', 'TestT#test_up'], second: 'NoMethodError' },
  { name: 'ruby-name-error', cause: ['uninitialized constant CONFIG'] },
  {
    name: 'phpunit-failure',
    cause: ['Failed asserting that 6 is identical to 9', 'MathTest::testSquare'],
  },
  { name: 'php-fatal', cause: ['Call to undefined function title()'] },
  { name: 'javac-symbol', cause: ['cannot find symbol'] },
  {
    name: 'java-exception',
    cause: ['StringIndexOutOfBoundsException', 'IllegalStateException: no name'],
  },
  { name: 'bash-command-missing', cause: ['gzipp: command not found'] },
  { name: 'shell-swallowed', cause: ['template missing: base.tpl'] },
  { name: 'shell-silent-timeout', exit: 124 },
  { name: 'shell-followers', cause: ['schema version mismatch'] },
  { name: 'shellcheck', cause: ['SC2045'] },
  { name: 'bats', cause: ['not ok 1 adds'] },
  { name: 'git-missing-ref', cause: ["ambiguous argument 'release-9'"] },
  { name: 'curl-refused', cause: ['curl: (7)'] },
  {
    name: 'pip-no-version',
    cause: ['No matching distribution found', 'Could not find a version that satisfies'],
  },
  { name: 'prove', cause: ["Failed test 'upper'"] },
  { name: 'perl-module', cause: ["Can't locate Acme/Nothing.pm"] },
  { name: 'ghc', cause: ['error', 'M.hs:3'] },
  { name: 'clang', cause: ["no member named 'push'"] },
  { name: 'ninja', cause: ['bad checksum', 'FAILED: b.out'] },
  { name: 'meson', cause: ['ERROR: Dependency "frobnicate-9" not found'] },
  { name: 'pytest-syntax', cause: ["SyntaxError: expected ':'"] },
  { name: 'pytest-usage', cause: ['unrecognized arguments: --shuffle-all'] },
  { name: 'pytest-teardown', cause: ['table still locked by 2 readers'] },
  {
    name: 'npm-ci-lock',
    cause: [
      'Missing: right@',
      'can only install packages when your package.json and package-lock.json',
    ],
  },
  { name: 'jest-before-all', cause: ['fixture server has no licence'] },
  { name: 'jest-coverage', cause: ['coverage threshold for lines (90%) not met'] },
  {
    name: 'jest-two',
    cause: ['adds', 'Expected: 2'],
    second: 'Cannot read properties of undefined',
  },
  {
    name: 'mocha-two',
    cause: ['adds', '3 == 2', 'Expected values'],
    second: 'Cannot read properties of undefined',
  },
  {
    name: 'vitest-two',
    cause: ['adds', 'expected 3 to be 2'],
    second: 'Cannot read properties of undefined',
  },
  { name: 'go-two', cause: ['wrong total', 'TestA'], second: 'page has no title' },
  { name: 'go-race', cause: ['DATA RACE', 'race detected during execution'] },
  { name: 'vite-build', cause: ['"a" is not exported by', 'is not exported', 'MISSING_EXPORT'] },
  { name: 'webpack-missing', cause: ["Can't resolve './chart.js'"] },
  { name: 'valgrind', cause: ['definitely lost'] },
  { name: 'make-keep-going', cause: ['table prices is empty'] },
  { name: 'rake', cause: ['page index.md has no title'] },
  { name: 'rspec-load', cause: ['cannot load such file'] },
  { name: 'phpunit-error', cause: ['DivisionByZeroError', 'T::testA'] },
  { name: 'perl-strict', cause: ['Global symbol "$total" requires explicit package name'] },
  { name: 'lua', cause: ['attempt to get length of a nil value'] },
  { name: 'pip-build', cause: ["No such file or directory: 'VERSION.txt'"] },
  { name: 'node-test-two', cause: ['floor', '2 == 1'], second: 'Cannot read properties of null' },
]
