/** Prefixes of a command that do not change its exit code. */
const before =
  /^(?:\w+=(?:"[^"]*"|'[^']*'|[^\s"']*)\s+|(?:sudo(?:\s+-\w+)*|env|time|nice|command|exec|xvfb-run(?:\s+-\S+)*|service_retry|service_wait(?:\s+\d+)?|bundle\s+exec|pipenv\s+run|poetry\s+run|stack\s+exec\s+--)\s+)+/

/** Programs whose exit code shows whether the code is in order. */
const checks = [
  /^make(?:$|\s+(?!install|clean|dist|doc|deploy|push|publish|upload|coverage))/,
  /^(?:npm|yarn|pnpm)\s+(?:(?:run(?:-script)?\s+)?(?:test|lint|build|check|ci|unit|e2e)\b|t\b)/,
  /^(?:npx\s+)?(?:\S*node_modules\/\.bin\/)?(?:mocha|jest|karma|ava|tape|eslint|jshint|tslint|tsc|grunt|gulp|standard|xo|nyc)\b/,
  /^(?:pytest|py\.test|nosetests|tox|nox|flake8|pylint|mypy|pycodestyle)\b/,
  /^coverage\s+run\b/,
  /^python[\d.]*\s+(?:-m\s+(?:pytest|unittest|nose|tox|flake8|pylint|mypy)\b|setup\.py\s+test\b|\S*manage\.py\s+test\b)/,
  /^(?:php\s+)?(?:\.\/)?(?:\S*bin\/)?(?:phpunit|phpcs|phpstan|psalm|behat|phpspec)\b/,
  /^composer\s+(?:test|check|lint)\b/,
  /^(?:rake|rspec|rubocop|cucumber)\b/,
  /^go\s+(?:test|vet|build)\b/,
  /^cargo\s+(?:\+\S+\s+)?(?:test|build|check|clippy|bench)\b/,
  /^(?:mvn|\.\/mvnw|gradle|\.\/gradlew)\s+(?:\S+\s+)*?(?:test|verify|check|build|install|package)\b/,
  /^sbt\s.*\btest\b/,
  /^(?:lein|mix|swift|dotnet|stack|cabal|dub|shards|crystal|rebar3|meson|bazel|dart|pub)\s+(?:test|spec|check|eunit)\b/,
  /^(?:ctest|prove|xcodebuild|rebar\s+eunit|R\s+CMD\s+check|cmake\s+--build)\b/,
]

/** Whether a command is one whose failure should be noticed. */
export function isTestCommand(text: string): boolean {
  const command = text.replace(before, '')
  return checks.some((check) => check.test(command))
}
